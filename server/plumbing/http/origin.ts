import type { IncomingHttpHeaders } from 'node:http';
import { takesPasskeys } from '#shared/site';

/**
 * True when a page of another origin may have sent this request with the session of its reader
 * (docs/rules.md § 2). A request without `Sec-Fetch-Site` and `Origin` comes from a script.
 */
export function comesFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return /\b(?:cross|same)-site\b/i.test([site].flat().join());
  return headers.origin !== undefined && !namesHost(headers.origin, hostOf(headers));
}

/** HTTP/2 says it in a field of its own. */
export const hostOf = (headers: IncomingHttpHeaders): string =>
  headers.host ?? String(headers[':authority'] ?? '');

/** Compares host and port only; the default port is the origin's scheme's, since TLS may end before us. */
function namesHost(origin: string, host: string): boolean {
  const named = URL.parse(origin);
  const asked = named && URL.parse(`${named.protocol}//${host}`);
  return named !== null && named.host !== '' && named.host === asked?.host;
}

/** Where the page that asks stands: a passkey is made for this host alone. */
export interface Site {
  readonly origin: string;
  readonly hote: string;
}

/**
 * The site of the page that asks, where a browser has passkeys there: it is this service’s own origin, under HTTPS or on
 * this machine, and its host has a name. `null` elsewhere, and for a script, which names no origin.
 */
export function siteOf(headers: IncomingHttpHeaders): Site | null {
  const { origin } = headers;
  if (origin === undefined || !namesHost(origin, hostOf(headers))) return null;
  const named = URL.parse(origin);
  return named !== null && takesPasskeys(named)
    ? { origin: named.origin, hote: named.hostname }
    : null;
}
