import { Type, type Static, type TSchema } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, LONGUEURS, ParId, texte } from './fields.ts';

/** An author's one record (specification « Author (Auteur) »). */
export const Auteur = Type.Object({
  id: Id,
  nom: texte(LONGUEURS.nom),
  nomNormalise: Type.String(),
  nombreLivres: Type.Integer({ minimum: 0 }),
});
export type Auteur = Static<typeof Auteur>;

/** What a device holds of an author: the count is made from its own books. */
const { nombreLivres: _, ...conserves } = Auteur.properties;
export const AuteurDocument = Type.Object(conserves);
export type AuteurDocument = Static<typeof AuteurDocument>;

/** An author as a book names it. */
export const AuteurCite = Type.Object({ id: Id, nom: Auteur.properties.nom });
export type AuteurCite = Static<typeof AuteurCite>;

export const AuteurSaisi = Type.Object({ nom: Auteur.properties.nom });
export type AuteurSaisi = Static<typeof AuteurSaisi>;

export const listerAuteurs = endpoint({
  method: 'GET',
  path: '/api/auteurs',
  summary: 'Tous les auteurs, par nom.',
  response: Type.Array(Auteur),
});

export const renommerAuteur = endpoint({
  method: 'PUT',
  path: '/api/auteurs/:id',
  summary: 'Renomme un auteur partout où il est cité.',
  params: ParId,
  body: AuteurSaisi,
  response: Auteur,
});

/** Exactly two: OpenAPI 3.1 has no `items` of several schemas, which a tuple would be. */
const deux = <S extends TSchema>(schema: S, options = {}) =>
  Type.Unsafe<[Static<S>, Static<S>]>(Type.Array(schema, { minItems: 2, maxItems: 2, ...options }));

/** Two authors who may be one, the lower id first, and why, in a sentence. */
export const SuggestionFusion = Type.Object({
  auteurs: deux(Auteur),
  raison: Type.String(),
});
export type SuggestionFusion = Static<typeof SuggestionFusion>;

/** Two different authors, in any order. */
export const DeuxAuteurs = Type.Object({ auteurs: deux(Id, { uniqueItems: true }) });
export type DeuxAuteurs = Static<typeof DeuxAuteurs>;

export const suggererFusions = endpoint({
  method: 'GET',
  path: '/api/auteurs/suggestions',
  summary: 'Les auteurs qui n’en font peut-être qu’un, deux par deux.',
  response: Type.Array(SuggestionFusion),
});

export const fusionnerAuteurs = endpoint({
  method: 'POST',
  path: '/api/auteurs/fusions',
  summary: 'Fait un seul auteur de deux ; répond celui qui reste, sous le nom le plus présentable.',
  body: DeuxAuteurs,
  response: Auteur,
});

export const refuserFusion = endpoint({
  method: 'POST',
  path: '/api/auteurs/refus',
  summary: 'Retient que deux auteurs sont deux personnes.',
  body: DeuxAuteurs,
  status: 204,
});
