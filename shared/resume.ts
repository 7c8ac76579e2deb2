import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './fields.ts';

/** The household in a few numbers; a reader's own are 0 for an unknown caller. */
export const Resume = Type.Object({
  livres: Type.Integer(),
  prets: Type.Integer(),
  enCours: Type.Integer(),
  aLire: Type.Integer(),
  souhaits: Type.Integer(),
  /** The five latest, newest first. */
  derniersAjouts: Type.Array(
    Type.Object({ id: Id, titre: Type.String(), auteurs: Type.Array(Type.String()) }),
  ),
});
export type Resume = Static<typeof Resume>;

export const lireResume = endpoint({
  method: 'GET',
  path: '/api/resume',
  summary: 'La maison en quelques nombres, pour un tableau de bord.',
  response: Resume,
});
