import * as prets from '#shared/prets';
import type { Pret } from '#shared/prets';
import type { Batch } from '$lib/sync/feedback.svelte';
import { write } from '$lib/sync/write';

/**
 * Lends a paper book.
 *
 * @throws the refusal `DEJA_PRETE` with the name of the borrower
 */
export const preter = (livreId: number, emprunteur: string): Promise<Pret> =>
  write(prets.preter, { params: { id: livreId }, body: { emprunteur } });

/** Closes a loan; a closed one stays as it is (docs/rules.md § 11). */
export const rendre = (pretId: number, batch?: Batch): Promise<Pret> =>
  write(prets.rendre, { params: { id: pretId } }, { batch });
