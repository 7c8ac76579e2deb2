import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { nullable } from './fields.ts';
import { Langue } from './langue.ts';

/** The caller; all fields are `null` if unknown (docs/rules.md § 1). */
export const Moi = Type.Object({
  utilisateur: nullable(Type.String()),
  email: nullable(Type.String()),
  nomComplet: nullable(Type.String()),
  /** Whether they are a member with an account of the service's own (docs/rules.md § 53). */
  compte: Type.Optional(Type.Boolean()),
  /** The key of the member's portrait. */
  portrait: Type.Optional(Type.String()),
  /** The language chosen by the reader on any device (docs/rules.md § 61). */
  langue: Type.Optional(Langue),
});
export type Moi = Static<typeof Moi>;

export const lireMoi = endpoint({
  method: 'GET',
  path: '/api/moi',
  summary: 'L’identité de la personne qui appelle, celle que donne l’authentification unique.',
  response: Moi,
});
