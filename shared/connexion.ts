import { Type, type Static } from 'typebox';
import { CleAccesFaite, OptionsCreation, OptionsSignature, Signature } from './cles-acces.ts';
import { endpoint, notRecorded } from './endpoint.ts';
import { Id, Instant, MAX_LENGTHS, nullable, text } from './fields.ts';
import { Moi } from './moi.ts';

export const MIN_MOT_DE_PASSE = 8;

const MotDePasse = Type.String({
  minLength: MIN_MOT_DE_PASSE,
  maxLength: MAX_LENGTHS.nom,
});

/** Any name of a sign-on, so that lists remain after a change to accounts (docs/rules.md § 53). */
export const Identifiant = text(MAX_LENGTHS.nom);

/** The secret in a link. */
const Jeton = Type.String({ minLength: 1, maxLength: 100 });

/** A member signed in on the requesting device; `actif` is the present reader. */
export const Visage = Type.Object({
  id: Id,
  nom: Type.String(),
  identifiant: Type.String(),
  avecCode: Type.Boolean(),
  /** The key of the portrait. */
  portrait: nullable(Type.String()),
  actif: Type.Boolean(),
});
export type Visage = Static<typeof Visage>;

/** The ways to sign in; `comptes` is false if a sign-on in front names the reader. */
const Connexion = Type.Object({
  comptes: Type.Boolean(),
  /** The name of the provider, if any. */
  fournisseur: nullable(Type.String()),
  visages: Type.Array(Visage),
  /** How the service received the request: whether under HTTPS, from which address, and the time of its clock. */
  venue: Type.Object({ https: Type.Boolean(), adresse: Type.String(), date: Instant }),
});

export const lireConnexion = endpoint({
  ...notRecorded,
  method: 'GET',
  path: '/api/connexion',
  summary: 'Les membres connectés sur cet appareil, et si le service a des comptes.',
  response: Connexion,
});

export const seConnecter = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/connexion',
  summary: 'Ouvre une session sur cet appareil ; elle est celle qui lit.',
  body: Type.Object({
    identifiant: text(MAX_LENGTHS.nom),
    motDePasse: text(MAX_LENGTHS.nom),
  }),
  response: Moi,
  perMinute: 30,
  also: [401],
});

export const demanderSignature = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/connexion/cle-acces/defi',
  summary: 'Ce qu’une clé d’accès doit signer pour ouvrir une session ; cela ne sert qu’une fois.',
  response: OptionsSignature,
  perMinute: 30,
});

export const seConnecterParCle = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/connexion/cle-acces',
  summary: 'Ouvre une session sur cet appareil par une clé d’accès.',
  body: Type.Object({ signature: Signature }),
  response: Type.Object({
    ...Moi.properties,
    /** The name of the passkey where its count of signatures did not advance for the first time. */
    cleReculee: Type.Optional(Type.String()),
  }),
  perMinute: 30,
  also: [401],
});

export const allerChezFournisseur = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/connexion/fournisseur',
  summary:
    'Où le navigateur doit aller pour se connecter chez le fournisseur d’identité, ou pour y relier son compte.',
  body: Type.Object({
    /** The path that the person came from. */
    retour: text(MAX_LENGTHS.url),
    /**
     * Whether to bind the reader to the person who signs in at the provider; requires the password of a reader who
     * has one.
     */
    relier: Type.Optional(Type.Boolean()),
    motDePasse: Type.Optional(nullable(text(MAX_LENGTHS.nom))),
  }),
  response: Type.Object({ adresse: Type.String() }),
  perMinute: 30,
  also: [401, 502],
});

export const seConnecterParFournisseur = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/connexion/fournisseur/retour',
  summary: 'Ouvre une session sur cet appareil par ce que le fournisseur d’identité a répondu.',
  body: Type.Object({
    /** The query with which the browser came back. */
    query: text(8_000),
  }),
  response: Type.Object({ moi: Moi, retour: Type.String() }),
  perMinute: 30,
  also: [401, 502],
});

export const seDeconnecter = endpoint({
  ...notRecorded,
  method: 'DELETE',
  path: '/api/connexion',
  summary: 'Termine la session qui lit sur cet appareil ; celles des autres membres y restent.',
  /** The address that ends the provider's own session, too. */
  response: Type.Object({ adresse: nullable(Type.String()) }),
});

export const changerLecteur = endpoint({
  ...notRecorded,
  method: 'PUT',
  path: '/api/connexion/lecteur',
  summary: 'Change qui lit, parmi les membres connectés sur cet appareil ; null : personne.',
  body: Type.Object({
    membreId: nullable(Id),
    code: Type.Optional(nullable(Type.String({ maxLength: 20 }))),
  }),
  response: Moi,
  perMinute: 60,
  also: [401],
});

export const lireInvitation = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/connexion/invitation',
  summary: 'À qui s’adresse une invitation ; elle ne sert pas pour autant.',
  body: Type.Object({ jeton: Jeton }),
  response: Type.Object({
    /** `null` for the first member, who chooses it. */
    nom: nullable(Type.String()),
    identifiant: nullable(Type.String()),
    /** Whether it is for a member who has forgotten the password. */
    estMembre: Type.Boolean(),
  }),
  perMinute: 30,
  also: [410],
});

/** Names that an invitation leaves open. */
const ofArrival = {
  jeton: Jeton,
  nom: Type.Optional(nullable(text(MAX_LENGTHS.nom))),
  identifiant: Type.Optional(nullable(Identifiant)),
};

export const demanderCleArrivee = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/connexion/arrivee/defi',
  summary: 'Commence à faire la clé d’accès de qui accepte une invitation.',
  body: Type.Object(ofArrival),
  response: OptionsCreation,
  perMinute: 30,
  also: [410],
});

export const accepterInvitation = endpoint({
  ...notRecorded,
  method: 'POST',
  path: '/api/connexion/arrivee',
  summary:
    'Accepte une invitation, qui ne sert qu’une fois, par un mot de passe ou une clé d’accès, et ouvre une session.',
  body: Type.Object({
    ...ofArrival,
    motDePasse: Type.Optional(nullable(MotDePasse)),
    cleAcces: Type.Optional(CleAccesFaite),
  }),
  response: Moi,
  status: 201,
  perMinute: 30,
  also: [401, 410],
});

export const modifierMotDePasse = endpoint({
  ...notRecorded,
  method: 'PUT',
  path: '/api/moi/mot-de-passe',
  summary:
    'Choisit ou change le mot de passe, et termine les sessions des autres appareils et, sauf demande contraire, les clés.',
  body: Type.Object({
    /** The present one, if any. */
    ancien: Type.Optional(nullable(text(MAX_LENGTHS.nom))),
    nouveau: MotDePasse,
    /** False keeps the keys of the member's scripts valid. */
    terminerCles: Type.Optional(Type.Boolean()),
  }),
  perMinute: 30,
});

export const modifierCode = endpoint({
  ...notRecorded,
  method: 'PUT',
  path: '/api/moi/code',
  summary:
    'Choisit le code qui est demandé pour lire sur un appareil partagé ; null : aucun. Celui d’avant est demandé, ou le mot de passe ; le premier, sur un appareil partagé, demande le mot de passe ou une connexion de moins de cinq minutes.',
  body: Type.Object({
    code: nullable(Type.String({ pattern: '^\\d{4,8}$' })),
    /**
     * The present code, else the password of a member who has one; nothing for a first code on a device of one's own.
     */
    ancien: Type.Optional(nullable(Type.String({ maxLength: 20 }))),
    motDePasse: Type.Optional(nullable(text(MAX_LENGTHS.nom))),
  }),
  perMinute: 30,
});

/** A member signed in on a device; times are ISO 8601. */
export const Session = Type.Object({
  id: Id,
  appareil: Type.String(),
  debut: Type.String(),
  vue: Type.String(),
  /** Whether it is the requesting device. */
  estIci: Type.Boolean(),
});
export type Session = Static<typeof Session>;

export const listerSessions = endpoint({
  ...notRecorded,
  method: 'GET',
  path: '/api/sessions',
  summary: 'Les sessions de la personne qui appelle, la dernière utilisée d’abord.',
  response: Type.Array(Session),
});

export const terminerSession = endpoint({
  ...notRecorded,
  method: 'DELETE',
  path: '/api/sessions/:id',
  summary: 'Termine une session de la personne qui appelle.',
});
