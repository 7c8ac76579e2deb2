import { Type, type Static } from 'typebox';
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
export const AuteurDocument = Type.Omit(Auteur, ['nombreLivres']);
export type AuteurDocument = Static<typeof AuteurDocument>;

/** An author as a book names it. */
export const AuteurCite = Type.Pick(Auteur, ['id', 'nom']);
export type AuteurCite = Static<typeof AuteurCite>;

export const AuteurSaisi = Type.Pick(Auteur, ['nom']);
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
