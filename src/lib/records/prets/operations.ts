import * as endpoints from '#shared/prets';
import { operation } from '$lib/api/write.svelte';

/** Lends a paper book. Throws the refusal `DEJA_PRETE` with the name of the borrower. */
export const preter = operation(endpoints.preter);
export const modifierPret = operation(endpoints.modifierPret);
/** Closes a loan; a closed one stays as it is (docs/rules.md § 11). */
export const rendre = operation(endpoints.rendre);
