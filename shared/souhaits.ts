import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, Instant, LONGUEURS, nullable, ParId, texte, texteFacultatif } from './fields.ts';

/** A book that someone wants, on a list of their own (specification « Book wish »). */
export const Souhait = Type.Object({
  id: Id,
  titre: texte(LONGUEURS.titre),
  auteur: nullable(Type.String({ maxLength: LONGUEURS.nom })),
  isbn: nullable(Type.String({ maxLength: 13 })),
  isbnAffiche: nullable(Type.String({ maxLength: 17 })),
  /** The stored cover, else the one that Open Library may have for the ISBN. */
  coverUrl: nullable(Type.String({ maxLength: LONGUEURS.url })),
  /** The place in the list, from 1 and without holes. */
  rang: Type.Integer({ minimum: 1 }),
  dateAjout: Instant,
});
export type Souhait = Static<typeof Souhait>;

export const SouhaitSaisi = Type.Object({
  titre: texte(LONGUEURS.titre),
  auteur: texteFacultatif(LONGUEURS.nom),
  isbn: texteFacultatif(LONGUEURS.code),
  coverUrl: texteFacultatif(LONGUEURS.url),
});
export type SouhaitSaisi = Static<typeof SouhaitSaisi>;

/** A new order of a list: all the ids of the caller's list, each once. */
export const OrdreSaisi = Type.Object({ ids: Type.Array(Id, { maxItems: 100_000 }) });
export type OrdreSaisi = Static<typeof OrdreSaisi>;

export const listerSouhaits = endpoint({
  method: 'GET',
  path: '/api/souhaits',
  summary: 'La liste de souhaits de la personne qui appelle, par rang.',
  response: Type.Array(Souhait),
  personal: true,
});

export const ajouterSouhait = endpoint({
  method: 'POST',
  path: '/api/souhaits',
  summary: 'Ajoute un livre à la fin de la liste de souhaits.',
  body: SouhaitSaisi,
  response: Souhait,
  status: 201,
  personal: true,
});

export const modifierSouhait = endpoint({
  method: 'PUT',
  path: '/api/souhaits/:id',
  summary: 'Récrit un souhait ; le rang reste, et la couverture aussi si aucune n’est donnée.',
  params: ParId,
  body: SouhaitSaisi,
  response: Souhait,
  personal: true,
});

export const supprimerSouhait = endpoint({
  method: 'DELETE',
  path: '/api/souhaits/:id',
  summary: 'Retire un livre de la liste de souhaits.',
  params: ParId,
  status: 204,
  personal: true,
});

export const ordonnerSouhaits = endpoint({
  method: 'PUT',
  path: '/api/souhaits/ordre',
  summary: 'Range la liste de souhaits dans un nouvel ordre.',
  body: OrdreSaisi,
  response: Type.Array(Souhait),
  personal: true,
});

export const exporterSouhaitsTexte = endpoint({
  method: 'GET',
  path: '/api/souhaits/export.txt',
  summary: 'Les deux listes de souhaits en texte, par auteur, pour la librairie.',
  response: Type.String(),
  type: 'text/plain',
  personal: true,
});

export const exporterSouhaitsCsv = endpoint({
  method: 'GET',
  path: '/api/souhaits/export.csv',
  summary: 'Les deux listes de souhaits en CSV, pour un tableur.',
  response: Type.String(),
  type: 'text/csv',
  personal: true,
});
