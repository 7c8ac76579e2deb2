import { Type, type Static } from 'typebox';
import type { ChangeReader } from './change-reader.ts';
import type { Message } from './history.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './fields.ts';

export const MAX_SOUHAITS_LOT = 1000;

const ids = Type.Array(Id, { maxItems: MAX_SOUHAITS_LOT });

/** Wishes of both lists of a reader, with an action (docs/rules.md § 17). */
export const SouhaitsLot = Type.Object({
  action: Type.Enum(['supprimer', 'enTete', 'enFin'], { type: 'string' }),
  souhaits: Type.Optional(ids),
  revues: Type.Optional(ids),
});
export type SouhaitsLot = Static<typeof SouhaitsLot>;

const DONE = {
  supprimer: 'souhaitsRetires',
  enTete: 'souhaitsEnTete',
  enFin: 'souhaitsEnFin',
} as const;

function describeLot({ answer: { action, nombre } }: ChangeReader): Message {
  const done = action === 'enTete' || action === 'enFin' ? action : 'supprimer';
  return { fait: DONE[done], souhaits: Number(nombre) };
}

export const traiterSouhaits = endpoint({
  method: 'POST',
  path: '/api/souhaits/lot',
  modification: { operation: 'lotSouhaits', message: describeLot },
  summary:
    'Retire plusieurs souhaits, ou les met en tête ou à la fin de leur liste : tous ou aucun.',
  body: SouhaitsLot,
  response: Type.Object({
    action: SouhaitsLot.properties.action,
    nombre: Type.Integer({ minimum: 1, maximum: 2 * MAX_SOUHAITS_LOT }),
  }),
});
