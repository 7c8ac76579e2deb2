import * as endpoints from '#shared/modifications';
import { operation } from '$lib/api/write.svelte';

/**
 * Undoes a modification; the response is the new one (docs/rules.md § 38). Throws the refusal `ANNULATION_IMPOSSIBLE`
 * with the obstacles, unless `avec: 'obstacles'` is set.
 */
export const annulerModification = operation(endpoints.annulerModification, {
  notice: () => ({ isFinal: true }),
});
