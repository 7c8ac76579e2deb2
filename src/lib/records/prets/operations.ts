import * as prets from '#shared/prets';
import type { Pret, PretCorrige } from '#shared/prets';
import type { Batch } from '$lib/sync/feedback.svelte';
import { write } from '$lib/sync/write';

/**
 * Lends a paper book, now unless `datePret` says when.
 *
 * @throws the refusal `DEJA_PRETE` with the name of the borrower
 */
export const preter = (livreId: number, emprunteur: string, datePret?: string): Promise<Pret> =>
  write(prets.preter, {
    params: { id: livreId },
    body: { emprunteur, ...(datePret !== undefined && { datePret }) },
  });

/** Corrects to whom a book is lent, and since when. */
export const modifierPret = (
  pretId: number,
  body: PretCorrige,
  ifMatch: number | null,
  unsent?: AbortSignal,
): Promise<Pret> => write(prets.modifierPret, { params: { id: pretId }, body, ifMatch, unsent });

/** Closes a loan; a closed one stays as it is (docs/rules.md § 11). */
export const rendre = (pretId: number, batch?: Batch): Promise<Pret> =>
  write(prets.rendre, { params: { id: pretId } }, { batch });
