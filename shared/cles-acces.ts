import { Type, type Static } from 'typebox';
import { endpoint, notRecorded } from './endpoint.ts';
import { Id, Instant, MAX_LENGTHS, nullable, text } from './fields.ts';

/** A member's passkey (docs/rules.md § 53). */
export const CleAcces = Type.Object({
  id: Id,
  nom: Type.String(),
  hote: Type.String(),
  debut: Instant,
  vue: nullable(Instant),
  /** When its signature counter first did not advance, a sign of a copied key. */
  recul: nullable(Instant),
});
export type CleAcces = Static<typeof CleAcces>;

/** In base64url, as WebAuthn encodes bytes in JSON. */
const Bytes = Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 16_384 });
const PublicKey = Type.Literal('public-key');

const named = { id: Bytes, rawId: Bytes, type: PublicKey };

/** The transports of authenticators known to browsers. */
export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
export type Transport = (typeof TRANSPORTS)[number];
const Transport = Type.Unsafe<Transport>({ type: 'string', enum: TRANSPORTS });

/** A new passkey, as `RegistrationResponseJSON` of WebAuthn. */
export const CleAccesFaite = Type.Object({
  ...named,
  response: Type.Object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
  }),
});
export type CleAccesFaite = Static<typeof CleAccesFaite>;

/** A passkey's signature, as `AuthenticationResponseJSON` of WebAuthn. */
export const Signature = Type.Object({
  ...named,
  response: Type.Object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Type.Optional(Bytes),
  }),
});
export type Signature = Static<typeof Signature>;

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const OptionsCreation = Type.Object({
  challenge: Bytes,
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Bytes, name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: PublicKey })),
  timeout: Type.Integer(),
  excludeCredentials: Type.Array(
    Type.Object({ id: Bytes, type: PublicKey, transports: Type.Array(Transport) }),
  ),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('required'),
  }),
  attestation: Type.Literal('none'),
});
export type OptionsCreation = Static<typeof OptionsCreation>;

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn; it names no passkey, so that it is the same for everyone. */
export const OptionsSignature = Type.Object({
  challenge: Bytes,
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.Literal('required'),
});
export type OptionsSignature = Static<typeof OptionsSignature>;

export const Entrees = Type.Object({
  avecMotDePasse: Type.Boolean(),
  /** Whether a code is required before the member reads on a shared device. */
  avecCode: Type.Boolean(),
  /** Whether several members sign in on this device, so that a first code requires proof. */
  partage: Type.Boolean(),
  cles: Type.Array(CleAcces),
  /** The provider, if any, and whether the member is bound to it. */
  fournisseur: nullable(Type.Object({ nom: Type.String(), relie: Type.Boolean() })),
});
export type Entrees = Static<typeof Entrees>;

export const listerClesAcces = endpoint({
  ...notRecorded,
  method: 'GET',
  path: '/api/moi/cles-acces',
  summary: 'Les clés d’accès de la personne qui appelle, et par quoi d’autre elle se connecte.',
  response: Entrees,
});

export const demanderCleAcces = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/moi/cles-acces/defi',
  summary: 'Commence à faire une clé d’accès ; le mot de passe est demandé à qui en a un.',
  body: Type.Object({ motDePasse: Type.Optional(nullable(text(MAX_LENGTHS.nom))) }),
  response: OptionsCreation,
  perMinute: 30,
});

export const ajouterCleAcces = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/moi/cles-acces',
  summary: 'Garde la clé d’accès que l’appareil a faite.',
  body: Type.Object({ nom: text(MAX_LENGTHS.nom), cleAcces: CleAccesFaite }),
  response: CleAcces,
  status: 201,
  perMinute: 30,
});

export const modifierCleAcces = endpoint({
  ...notRecorded,
  method: 'PUT',
  path: '/api/moi/cles-acces/:id',
  summary: 'Renomme une clé d’accès.',
  body: Type.Object({ nom: text(MAX_LENGTHS.nom) }),
  response: CleAcces,
});

export const supprimerCleAcces = endpoint({
  ...notRecorded,
  method: 'DELETE',
  path: '/api/moi/cles-acces/:id',
  summary: 'Retire une clé d’accès, qui n’ouvre plus rien.',
});
