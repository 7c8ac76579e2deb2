import type { Answer } from '#shared/endpoint';
import * as lots from '#shared/lots';
import type { Lot } from '#shared/lots';
import type { Pret } from '#shared/prets';
import { ApiError, refusalOf } from '$lib/api/call';
import { type Batch, inOrder } from '$lib/api/feedback.svelte';
import { write } from '$lib/api/write.svelte';
import { dayOf } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { spellingNotice } from '../prets/kind.ts';
import { livresView } from './view.svelte.ts';

/** Allows for a thousand books, a slow connection and a small server. */
const TIMEOUT_MS = 120_000;

/** The sentences of `Selected` (`src/lib/ui/list`) for lists of books. */
export const chosenLivres = {
  exists: (id: number): boolean => livresView.get(id) !== undefined,
  max: lots.MAX_LOT,
  words: {
    actions: m.selection_actions,
    count: m.selection_count,
    empty: m.selection_empty,
    emptyDesk: m.selection_empty_desk,
    tooMany: m.selection_too_many,
  },
};

interface LotOptions {
  readonly batch?: Batch;
  readonly onAnswer?: () => void;
  readonly givenUp?: AbortSignal | undefined;
}

/** Applies one action to all books or none (docs/rules.md § 40). Throws the first refusal, with its book's title. */
export async function traiterLot(body: Lot, options: LotOptions): Promise<void> {
  const { givenUp, batch, onAnswer } = options;
  try {
    await write(
      lots.traiterLot,
      { body: { ...body, jour: dayOf(new Date()) }, timeoutMs: TIMEOUT_MS, givenUp },
      { batch, notice: emprunteurNotice, ...(onAnswer && { onAnswer }) },
    );
  } catch (error) {
    throw namingLivre(error);
  }
}

function emprunteurNotice({ livres: [livre], ...typed }: Answer<typeof lots.traiterLot>) {
  return livre?.pret ? spellingNotice({ ...typed, emprunteur: livre.pret.emprunteur }) : {};
}

/** Splits the books into requests, which are undone together. */
async function inLots<T>(
  items: readonly T[],
  lotOf: (some: readonly T[]) => Lot,
  batch: Batch,
): Promise<void> {
  const count = Math.ceil(items.length / lots.MAX_LOT);
  const starts = Array.from({ length: count }, (_, i) => i * lots.MAX_LOT);
  await inOrder(starts, (start, onAnswer) =>
    traiterLot(lotOf(items.slice(start, start + lots.MAX_LOT)), { batch, onAnswer }),
  );
}

export const traiterLots = ({ ids, ...lot }: Lot, batch: Batch): Promise<void> =>
  inLots(ids, (some) => ({ ...lot, ids: [...some] }), batch);

/** Returns these loans, but no later ones of the same books. */
const returnOf = (prets: readonly Pret[]): Lot => ({
  action: 'rendre',
  ids: prets.map(({ livreId }) => livreId),
  prets: prets.map(({ id }) => id),
});

export const rendreLot = (prets: readonly Pret[], options: LotOptions): Promise<void> =>
  traiterLot(returnOf(prets), options);

/** Returns loans, in several requests if needed. */
export const rendrePrets = (prets: readonly Pret[], batch: Batch): Promise<void> =>
  inLots(prets, returnOf, batch);

function namingLivre(error: unknown): unknown {
  const refusal = refusalOf(error);
  const livreId: unknown = refusal === null ? undefined : Reflect.get(refusal, 'livreId');
  const titre = typeof livreId === 'number' ? (livresView.get(livreId)?.titre ?? '') : '';
  if (refusal === null || titre === '') return error;
  return new ApiError('refusal', m.lot_refused({ titre, reason: refusal.message }), refusal);
}
