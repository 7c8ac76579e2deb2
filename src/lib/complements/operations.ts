import * as endpoints from '#shared/complements';
import type { Complements } from '#shared/complements';
import { call } from '$lib/api/call';
import { m } from '$lib/paraglide/messages';
import { operation } from '$lib/api/write.svelte';

/** All answers may be thousands of books. */
const TIMEOUT_MS = 120_000;

/** The catalogues' additions for incomplete books (docs/rules.md § 44). */
export const listerComplements = (signal?: AbortSignal): Promise<Complements> =>
  call(endpoints.listerComplements, { ...(signal && { signal }) });

/** Completes these books, or all that the catalogues name alike (`null`). */
export const accepterComplements = operation(endpoints.accepterComplements, {
  timeoutMs: TIMEOUT_MS,
});

export const refuserComplements = operation(endpoints.refuserComplements, {
  notice: ({ livres: count }) => ({ text: m.complements_refused({ count }) }),
});

export const rechercherComplements = operation(endpoints.rechercherComplements, {
  notice: ({ livres: count }) => ({
    text: m.complements_asked({ livres: m.count_livres({ count }) }),
  }),
});

/** How often books titled by their code are looked up (docs/rules.md § 44). */
export const FILLING_PAUSES = { firstMs: 5_000, minMs: 60_000, maxMs: 600_000 };
