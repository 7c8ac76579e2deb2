import * as endpoints from '#shared/modifications';
import { operation } from '$lib/api/write.svelte';

/**
 * Undoes an act as a whole; the answer is the one that does it (docs/rules.md § 38). Throws the
 * refusal `ANNULATION_IMPOSSIBLE`, which names the acts in the way, unless `avec: 'obstacles'` is asked.
 */
export const annulerModification = operation(endpoints.annulerModification, {
  notice: () => ({ isFinal: true }),
});
