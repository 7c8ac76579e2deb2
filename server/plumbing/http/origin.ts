import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { takesPasskeys } from '#shared/site';
import { isLoopback } from './proxies.ts';

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

/**
 * Refuses a request to a host that is neither this machine nor named (docs/rules.md § 2): a site whose name is made
 * to lead to this machine would read and write with the browser of whoever is looking at it (DNS rebinding).
 *
 * @param allowed the other names that are served; `null` serves any
 */
export function guardHosts(app: FastifyInstance, allowed: readonly string[] | null): void {
  if (allowed === null) return;
  app.addHook('onRequest', (request, _reply, next) => {
    const host = hostnameOf(request);
    const isServed = host === null || isLoopback(host) || allowed.includes(host);
    next(isServed ? undefined : app.httpErrors.misdirectedRequest());
  });
}

/** The host that a request names, without its port; `null` without one, as no browser sends it. */
function hostnameOf({ headers }: FastifyRequest): string | null {
  const host = hostOf(headers);
  return host === '' ? null : (URL.parse(`http://${host}`)?.hostname ?? host);
}
