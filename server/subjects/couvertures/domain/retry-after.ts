/** A longer wait is cut to a week. */
const MAX_MS = 7 * 24 * 3_600_000;

/**
 * The wait that a `Retry-After` header asks for, in milliseconds: it is a number of seconds or a date;
 * `null` for anything else.
 */
export function readRetryAfter(
  header: string | string[] | undefined,
  now = Date.now(),
): number | null {
  const text = typeof header === 'string' ? header.trim() : '';
  const ms = /^\d+$/u.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_MS);
}
