import { Type, type Static } from 'typebox';
import { endpoint, notRecorded } from './endpoint.ts';
import { Id, Instant, MAX_LENGTHS, nullable, text } from './fields.ts';

/** A key for scripts that act as its owner (docs/rules.md § 54). */
export const Cle = Type.Object({
  id: Id,
  nom: Type.String(),
  /** False for a read-only key. */
  ecrit: Type.Boolean(),
  debut: Instant,
  vue: nullable(Instant),
});
export type Cle = Static<typeof Cle>;

export const listerCles = endpoint({
  ...notRecorded,
  method: 'GET',
  path: '/api/cles',
  summary: 'Les clés de la personne qui appelle, pour ses scripts.',
  response: Type.Array(Cle),
});

export const creerCle = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/cles',
  summary: 'Fait une clé ; le jeton à envoyer (Authorization: Bearer) n’est montré qu’ici.',
  body: Type.Object({
    nom: text(MAX_LENGTHS.nom),
    ecrit: Type.Boolean(),
    /** For a member with a password. */
    motDePasse: Type.Optional(nullable(text(MAX_LENGTHS.nom))),
  }),
  response: Type.Object({ ...Cle.properties, jeton: Type.String() }),
  status: 201,
  perMinute: 30,
});

export const supprimerCle = endpoint({
  ...notRecorded,
  method: 'DELETE',
  path: '/api/cles/:id',
  summary: 'Met fin à une clé.',
});
