import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hostOf } from './origin.ts';
import { THIS_MACHINE } from './proxies.ts';

/** True for a name that leads to this machine wherever it is looked up, and for its own addresses. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$|\.$/g, '');
  return name === 'localhost' || name.endsWith('.localhost') || THIS_MACHINE.trusts(name);
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
