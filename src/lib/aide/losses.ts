import { PERTES_PAR_FICHIER } from '#shared/export';

/** The fields that tables leave out, and those that a file leaves out besides, in the manual's order. */
export const TABLES = PERTES_PAR_FICHIER['livres.csv'];

const moreThanTable = (file: keyof typeof PERTES_PAR_FICHIER) =>
  PERTES_PAR_FICHIER[file].filter((perte) => !TABLES.includes(perte));

export const GOODREADS_ONLY = moreThanTable('goodreads.csv');
export const BIBLIOGRAPHIES_ONLY = moreThanTable('livres.ris');
