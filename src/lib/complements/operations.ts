import * as complements from '#shared/complements';
import type { Complements } from '#shared/complements';
import { call } from '$lib/api/call';
import { m } from '$lib/paraglide/messages';
import { write } from '$lib/sync/write';

/** All answers may be thousands of books. */
const TIMEOUT_MS = 120_000;

/** What the catalogues have found for books that lack something (docs/rules.md § 44). */
export const listerComplements = (signal?: AbortSignal): Promise<Complements> =>
  call(complements.listerComplements, { ...(signal && { signal }) });

/** Completes these books, or all that the catalogues name alike; waits until this device shows it. */
export const accepterComplements = (livres: readonly number[] | null) =>
  write(complements.accepterComplements, {
    body: { livres: livres === null ? null : [...livres] },
    timeoutMs: TIMEOUT_MS,
  });

/** Leaves these books as they are, for good. */
export const refuserComplements = (livres: readonly number[]) =>
  write(
    complements.refuserComplements,
    { body: { livres: [...livres] } },
    { notice: ({ livres: count }) => ({ text: m.complements_refused({ count }) }) },
  );

/** Has the catalogues asked about every book that has an ISBN and lacks something. */
export const rechercherComplements = () =>
  write(
    complements.rechercherComplements,
    {},
    { notice: ({ livres: count }) => ({ text: m.complements_asked({ count }) }) },
  );
