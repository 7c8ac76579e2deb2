import type { FastifyInstance } from 'fastify';
import { champRefusal } from '#shared/refusals';
import { traiterSouhaits, type SouhaitsLot } from '#shared/souhaits-lot';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation } from '#server/plumbing/writes/operations';
import { PLACES_A_RECORD } from '#server/plumbing/writes/orders';
import { list as revues } from './revues.ts';
import { list as souhaits } from './souhaits.ts';

/** The lists with the selected wishes, without duplicates; lists without any are left out. */
const meantOf = (lot: SouhaitsLot) =>
  [
    { list: souhaits, ids: [...new Set(lot.souhaits)] },
    { list: revues, ids: [...new Set(lot.revues)] },
  ].filter(({ ids }) => ids.length > 0);

/**
 * Applies one change to several wishes, all or none (docs/rules.md § 17). Throws `INTROUVABLE` if one is not in its
 * list.
 */
function traiter(tx: Transaction, lot: SouhaitsLot, utilisateur: string) {
  const { action } = lot;
  const meant = meantOf(lot);
  const nombre = meant.reduce((sum, { ids }) => sum + ids.length, 0);
  if (nombre === 0) throw champRefusal('souhaits', 'SOUHAITS_NECESSAIRES');
  for (const { list, ids } of meant)
    if (action === 'supprimer') list.remove(tx, utilisateur, ids);
    else list.move(tx, utilisateur, ids, action);
  return { action, nombre };
}

/** How many ranks may change, and how many wishes are deleted. */
function sizeOf(lot: SouhaitsLot, database: Reader, utilisateur: string): number {
  const sizes = meantOf(lot).map(({ list, ids }) => {
    const gone = lot.action === 'supprimer' ? ids.length : 0;
    return list.ids(database, utilisateur).length + gone * PLACES_A_RECORD;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

const batch = operation(traiterSouhaits, {
  may: 'self',
  holder: 'rangement',
  size: (database, { utilisateur, body }) => sizeOf(body, database, utilisateur) / PLACES_A_RECORD,
  run: (tx, { utilisateur, body }) => answer(traiter(tx, body, utilisateur)),
});

export function routes(app: FastifyInstance): void {
  mount(app, [batch]);
}
