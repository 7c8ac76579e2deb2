import { PERTES_PAR_FICHIER } from '#shared/export';

/** What tables leave out, and what a file leaves out besides, in the order of the manual. */
export const TABLES = PERTES_PAR_FICHIER['livres.csv'];

const moreThanTable = (file: keyof typeof PERTES_PAR_FICHIER) =>
  PERTES_PAR_FICHIER[file].filter((perte) => !TABLES.includes(perte));

export const GOODREADS_ONLY = moreThanTable('goodreads.csv');
export const BIBLIOGRAPHIES_ONLY = moreThanTable('livres.ris');
