/** Who asks for more is asked again after a week all the same. */
const MAX_MS = 7 * 24 * 3_600_000;

/**
 * How long a `Retry-After` wants to be left alone, in milliseconds: a number of seconds or a date;
 * `null` for what is neither.
 */
export function readRetryAfter(
  header: string | string[] | undefined,
  now = Date.now(),
): number | null {
  const text = typeof header === 'string' ? header.trim() : '';
  const ms = /^\d+$/u.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_MS);
}
