import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, LONGUEURS, nullable, ParId, texte, texteFacultatif } from './fields.ts';
import { Souhait } from './souhaits.ts';

/** A volume's place in a series; without a book it is a missing volume (specification « Series »). */
export const Place = Type.Object({
  id: Id,
  titre: texte(LONGUEURS.titre),
  numero: nullable(Type.String({ maxLength: LONGUEURS.code })),
  livreId: nullable(Id),
  auteur: nullable(Type.String({ maxLength: LONGUEURS.nom })),
  isbn: nullable(Type.String({ maxLength: 13 })),
});
export type Place = Static<typeof Place>;

/** A place or a sub-series: the two share one stored reading order. */
export const Element = Type.Union([Type.Object({ place: Id }), Type.Object({ serie: Id })]);
export type Element = Static<typeof Element>;

/** A series of places and, when it is a cycle, of series; all three lists in stored order. */
export const Serie = Type.Object({
  id: Id,
  titre: texte(LONGUEURS.titre),
  parentId: nullable(Id),
  places: Type.Array(Place),
  sousSeries: Type.Array(Type.Object({ id: Id, titre: Type.String() })),
  elements: Type.Array(Element),
});
export type Serie = Static<typeof Serie>;

export const PlaceSaisie = Type.Object({
  /** The place that it already is; without it a new one. */
  id: Type.Optional(nullable(Id)),
  titre: texte(LONGUEURS.titre),
  numero: texteFacultatif(LONGUEURS.code),
  livreId: Type.Optional(nullable(Id)),
  auteur: texteFacultatif(LONGUEURS.nom),
  isbn: texteFacultatif(LONGUEURS.code),
});
export type PlaceSaisie = Static<typeof PlaceSaisie>;

export const SerieSaisie = Type.Object({
  titre: texte(LONGUEURS.titre),
  parentId: Type.Optional(nullable(Id)),
  places: Type.Optional(nullable(Type.Array(PlaceSaisie, { maxItems: 2000 }))),
});
export type SerieSaisie = Static<typeof SerieSaisie>;

export const listerSeries = endpoint({
  method: 'GET',
  path: '/api/series',
  summary: 'Toutes les séries et tous les cycles, par titre.',
  response: Type.Array(Serie),
});

export const lireSerie = endpoint({
  method: 'GET',
  path: '/api/series/:id',
  summary: 'Une série, ses places et ses sous-séries dans l’ordre de lecture.',
  params: ParId,
  response: Serie,
});

export const ajouterSerie = endpoint({
  method: 'POST',
  path: '/api/series',
  summary: 'Ajoute une série avec ses places.',
  body: SerieSaisie,
  response: Serie,
  status: 201,
});

export const modifierSerie = endpoint({
  method: 'PUT',
  path: '/api/series/:id',
  summary: 'Récrit une série et ses places, dans l’ordre ; ses sous-séries y gardent leur rang.',
  params: ParId,
  body: SerieSaisie,
  response: Serie,
});

export const supprimerSerie = endpoint({
  method: 'DELETE',
  path: '/api/series/:id',
  summary: 'Supprime une série ; ses sous-séries remontent d’un niveau, à sa place.',
  params: ParId,
  status: 204,
});

export const ordonnerSerie = endpoint({
  method: 'PUT',
  path: '/api/series/:id/ordre',
  summary: 'Range les places et les sous-séries d’une série dans un nouvel ordre.',
  params: ParId,
  body: Type.Object({ elements: Type.Array(Element, { maxItems: 4000 }) }),
  response: Serie,
});

export const souhaiterPlace = endpoint({
  method: 'POST',
  path: '/api/places/:id/souhait',
  summary: 'Met un volume manquant sur la liste de souhaits de la personne qui appelle.',
  params: ParId,
  response: Souhait,
  status: 201,
  personal: true,
});
