import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, LONGUEURS, nullable, ParId, texte, texteFacultatif } from './fields.ts';

/** A periodical (specification « Periodical (Revue) »); its ISSN in the dashed form. */
export const Revue = Type.Object({
  id: Id,
  titre: texte(LONGUEURS.titre),
  issn: nullable(Type.String({ maxLength: 9 })),
});
export type Revue = Static<typeof Revue>;

export const RevueSaisie = Type.Object({
  titre: texte(LONGUEURS.titre),
  issn: texteFacultatif(LONGUEURS.code),
});
export type RevueSaisie = Static<typeof RevueSaisie>;

export const listerRevues = endpoint({
  method: 'GET',
  path: '/api/revues',
  summary: 'Toutes les revues, par titre.',
  response: Type.Array(Revue),
});

export const lireRevue = endpoint({
  method: 'GET',
  path: '/api/revues/:id',
  summary: 'Une revue.',
  params: ParId,
  response: Revue,
});

export const trouverOuCreerRevue = endpoint({
  method: 'POST',
  path: '/api/revues',
  summary: 'Trouve la revue par son ISSN, sinon par son titre, ou la crée (201).',
  body: RevueSaisie,
  response: Revue,
  also: [201],
});

export const modifierRevue = endpoint({
  method: 'PUT',
  path: '/api/revues/:id',
  summary: 'Récrit une revue.',
  params: ParId,
  body: RevueSaisie,
  response: Revue,
});

export const supprimerRevue = endpoint({
  method: 'DELETE',
  path: '/api/revues/:id',
  summary: 'Supprime une revue et ses numéros.',
  params: ParId,
  status: 204,
});
