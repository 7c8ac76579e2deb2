import type { RevueSouhaitee } from '#shared/souhaits-revues';

/** The columns, besides its id, of a wished periodical `d`. */
export const COLONNES_REVUE_SOUHAITEE = 'd.titre, d.numero, d.issn, d.rang, d.dateAjout';

export const enRevueSouhaitee = (ligne: RevueSouhaitee): RevueSouhaitee => ({
  id: ligne.id,
  titre: ligne.titre,
  numero: ligne.numero,
  issn: ligne.issn,
  rang: ligne.rang,
  dateAjout: ligne.dateAjout,
});
