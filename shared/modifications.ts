import { Type, type Static } from 'typebox';
import type { Message } from './history.ts';
import { endpoint } from './endpoint.ts';
import { Id, Instant, nullable } from './fields.ts';

/**
 * A history entry is kept for so many days, or among so many of the newest, whichever is longer (docs/rules.md § 39).
 */
export const MODIFICATION_DAYS = 30;
export const MODIFICATION_COUNT = 20_000;

/** The message: `fait` is its code, with names, counts and values of its time (docs/rules.md § 39). */
const Arguments = Type.Unsafe<Message>(
  Type.Object(
    { fait: Type.String() },
    {
      additionalProperties: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
    },
  ),
);

const kept = {
  id: Id,
  date: Instant,
  /** The person; `null` for an unknown caller. */
  utilisateur: nullable(Type.String()),
  operation: Type.String(),
  arguments: Arguments,
  /** False once undone; obstacles are only found by trying to undo it. */
  annulable: Type.Boolean(),
  /** Whether an undo of it is in force. */
  annulee: Type.Boolean(),
};

/** A history entry, and whether it can be undone (docs/rules.md § 38). */
export const ModificationGardee = Type.Object(kept);
export type ModificationGardee = Static<typeof ModificationGardee>;

/** The message as a sentence: « Prêté à Luc : Dune ». */
const resume = Type.String();

export const Modification = Type.Object({ ...kept, resume });
export type Modification = Static<typeof Modification>;

/** A field of a record before and after; for a list, its entries, one a line. */
export const ChampModifie = Type.Object({
  champ: Type.String(),
  avant: Type.Union([Type.String(), Type.Number(), Type.Null()]),
  apres: Type.Union([Type.String(), Type.Number(), Type.Null()]),
});
export type ChampModifie = Static<typeof ChampModifie>;

/** A record touched by a modification, with its name and a limited number of changed fields. */
export const Fiche = Type.Object({
  collection: Type.String(),
  id: Id,
  titre: Type.String(),
  ajoutee: Type.Boolean(),
  supprimee: Type.Boolean(),
  champs: Type.Array(ChampModifie),
});
export type Fiche = Static<typeof Fiche>;

/** A history entry in a replica, with touched records and related entries. The device formats its message. */
export const ModificationDocument = Type.Object({
  ...kept,
  /** The entry that this one undoes, and the one that undoes this one at present. */
  annuleId: nullable(Id),
  annuleeParId: nullable(Id),
  /** The import that this entry records or undoes; imports are undone on their own screen. */
  importationId: nullable(Id),
  fiches: Type.Array(Fiche),
});
export type ModificationDocument = Static<typeof ModificationDocument>;

export const ModificationEntiere = Type.Object({ ...ModificationDocument.properties, resume });
export type ModificationEntiere = Static<typeof ModificationEntiere>;

export const listerModifications = endpoint({
  method: 'GET',
  path: '/api/modifications',
  summary:
    'Les dernières modifications de la maison, et celles de la personne, la plus récente d’abord.',
  query: Type.Object({
    limite: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    avant: Type.Optional(Id),
  }),
  response: Type.Array(Modification),
});

export const lireModification = endpoint({
  method: 'GET',
  path: '/api/modifications/:id',
  summary: 'Une modification, avec les fiches qu’elle a touchées.',
  response: ModificationEntiere,
});

export const annulerModification = endpoint({
  method: 'POST',
  path: '/api/modifications/:id/annulation',
  summary:
    'Annule une modification en entier, au besoin avec celles qui l’empêchent (`avec=obstacles`) ; répond la modification qui l’annule.',
  query: Type.Object({ avec: Type.Optional(Type.Literal('obstacles')) }),
  response: Modification,
  status: 201,
});
