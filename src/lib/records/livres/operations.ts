import * as livres from '#shared/livres';
import type { Livre, LivreSaisiEnSerie, SerieDuLivre } from '#shared/livres';
import * as statuts from '#shared/statuts';
import type { StatutOrNull } from '#shared/statuts';
import { dayOf } from '$lib/format/days';
import { write } from '$lib/sync/write';
import type { Batch } from '$lib/sync/feedback.svelte';

/**
 * Adds a book, in the series that `saisie` says (docs/rules.md § 9).
 *
 * @throws the refusal `DOUBLON` with `similaires`, unless the duplicate is confirmed
 */
export const ajouterLivre = (
  saisie: LivreSaisiEnSerie,
  { confirmerDoublon = false } = {},
  batch?: Batch,
  unsent?: AbortSignal,
): Promise<Livre> =>
  write(livres.ajouterLivre, { query: { confirmerDoublon }, body: saisie, unsent }, { batch });

/**
 * Rewrites a whole book: a field that `saisie` leaves out is cleared, but for its place.
 *
 * @throws the refusal `MODIFIE_ENTRETEMPS` with the book as it is
 */
export const modifierLivre = (
  id: number,
  saisie: LivreSaisiEnSerie,
  ifMatch: number | null,
  batch?: Batch,
  unsent?: AbortSignal,
): Promise<Livre> =>
  write(livres.modifierLivre, { params: { id }, body: saisie, ifMatch, unsent }, { batch });

/** Puts a book into a series, or takes it out (docs/rules.md § 19). */
export const placerEnSerie = (id: number, place: SerieDuLivre): Promise<Livre> =>
  write(livres.placerEnSerie, { params: { id }, body: place });

/**
 * Deletes a book.
 *
 * @throws the refusal `LIVRE_PRETE` while it is lent, `MODIFIE_ENTRETEMPS` with the book as it is
 */
export const supprimerLivre = (id: number, ifMatch: number | null = null): Promise<undefined> =>
  write(livres.supprimerLivre, { params: { id }, ifMatch });

/** Sets the caller's own reading status of a book; `null` goes back to « not started ». */
export const modifierStatut = (
  livreId: number,
  statut: StatutOrNull,
): Promise<{ livreId: number; statut: StatutOrNull }> =>
  write(statuts.modifierStatut, {
    params: { id: livreId },
    body: { statut, jour: dayOf(new Date()) },
  });
