import { Type, type Static } from 'typebox';
import { Identifiant } from './connexion.ts';
import { endpoint, notRecorded } from './endpoint.ts';
import { Id, Instant, MAX_LENGTHS, nullable, text } from './fields.ts';

/** docs/rules.md § 53 */
export const Membre = Type.Object({
  id: Id,
  identifiant: Type.String(),
  nom: Type.String(),
  /** Whether they may invite, rename, shut out and remove members. */
  gere: Type.Boolean(),
  /** The key of the portrait. */
  portrait: nullable(Type.String()),
  exclu: Type.Boolean(),
});
export type Membre = Static<typeof Membre>;

export const Invitation = Type.Object({
  id: Id,
  nom: Type.String(),
  identifiant: Type.String(),
  fin: Instant,
});
export type Invitation = Static<typeof Invitation>;

/** Required of a caller with a password if a write grants rights, readmits or invites a member. */
const ProofOfPassword = Type.Optional(nullable(text(MAX_LENGTHS.nom)));

export const listerMembres = endpoint({
  ...notRecorded,
  method: 'GET',
  path: '/api/membres',
  summary: 'Les membres de la maison, par nom.',
  response: Type.Array(Membre),
});

export const modifierMembre = endpoint({
  ...notRecorded,
  method: 'PUT',
  path: '/api/membres/:id',
  summary: 'Renomme un membre, l’exclut, ou lui confie la gestion ; chacun peut se renommer.',
  body: Type.Object({
    nom: text(MAX_LENGTHS.nom),
    gere: Type.Boolean(),
    exclu: Type.Boolean(),
    motDePasse: ProofOfPassword,
  }),
  response: Membre,
});

export const supprimerMembre = endpoint({
  ...notRecorded,
  method: 'DELETE',
  path: '/api/membres/:id',
  summary: 'Retire un membre ; ses listes attendent trente jours sous son identifiant.',
});

export const listerInvitations = endpoint({
  ...notRecorded,
  method: 'GET',
  path: '/api/invitations',
  summary: 'Les invitations qui attendent.',
  response: Type.Array(Invitation),
  also: [403],
});

export const inviter = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/invitations',
  summary:
    'Invite quelqu’un, ou un membre qui a oublié son mot de passe ; le jeton n’est montré qu’ici.',
  body: Type.Object({
    membreId: Type.Optional(nullable(Id)),
    nom: Type.Optional(nullable(text(MAX_LENGTHS.nom))),
    identifiant: Type.Optional(nullable(Identifiant)),
    gere: Type.Optional(Type.Boolean()),
    motDePasse: ProofOfPassword,
  }),
  response: Type.Object({ ...Invitation.properties, jeton: Type.String() }),
  status: 201,
  perMinute: 30,
});

export const retirerInvitation = endpoint({
  ...notRecorded,
  method: 'DELETE',
  path: '/api/invitations/:id',
  summary: 'Retire une invitation.',
});
