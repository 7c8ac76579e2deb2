import * as endpoints from '#shared/livres';
import * as statuts from '#shared/statuts';
import type { StatutOrNull } from '#shared/statuts';
import { operation } from '$lib/api/write.svelte';
import { dayOf } from '$lib/format/days';
import { m } from '$lib/paraglide/messages';

/**
 * Adds a book (docs/rules.md § 9). Throws the refusal `DOUBLON` with `similaires`, unless
 * `confirmerDoublon` is asked.
 */
export const ajouterLivre = operation(endpoints.ajouterLivre);
/** Rewrites a whole book: a field that is left out is cleared, but for its place. */
export const modifierLivre = operation(endpoints.modifierLivre);
/** Puts a book into a series, or takes it out (docs/rules.md § 19). */
export const placerEnSerie = operation(endpoints.placerEnSerie);
/** Puts a book into a location, or takes it out of where it stands (`null`). */
export const rangerLivre = operation(endpoints.rangerLivre);
/** Throws the refusal `LIVRE_PRETE` while the book is lent. */
export const supprimerLivre = operation(endpoints.supprimerLivre);

const noterStatut = operation(statuts.modifierStatut, {
  // Else the bar tells the act.
  notice: ({ jourCorrige }) => (jourCorrige === undefined ? {} : { text: m.statut_horloge() }),
});

/** Sets the caller's own reading status of a book; `null` goes back to « not started ». */
export const modifierStatut = (livreId: number, statut: StatutOrNull) =>
  noterStatut(livreId, { statut, jour: dayOf(new Date()) });
