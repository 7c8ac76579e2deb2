import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { KeyOwner } from '#server/plumbing/writes/keys';
import type { Writes } from '#server/plumbing/writes/writes';
import { sendError } from './errors.ts';
import {
  distinctHeaders,
  identify,
  ownerOf,
  type Identity,
  type IdentityRules,
} from './identity.ts';
import { logRequests } from './log.ts';
import type { ProxyList } from './proxies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; read from the headers when it is first asked, unless the door has said it. */
    readonly identity: Identity;
    /** The same once it has been asked. */
    knownIdentity: Identity | null;
    /** Throws where who asked has been shut out since; called when a write's turn has come. */
    readmit: () => void;
    /** The key of a write, reserved until it is released; `null` without one. */
    idempotency: { readonly owner: KeyOwner; readonly release: () => void } | null;
  }
  interface FastifyInstance {
    readonly writes: Writes;
  }
}

/** What holds for every request: who asks, the headers of its answer, the shape of its errors. */
export async function addHooks(
  app: FastifyInstance,
  config: { readonly proxies: ProxyList; readonly identity: IdentityRules },
  writes: Writes,
): Promise<void> {
  app.decorate('writes', writes);
  app.addHook('preClose', async () => writes.close());
  app.decorateRequest('idempotency', null);
  app.decorateRequest('knownIdentity', null);
  app.decorateRequest('readmit', () => undefined);
  app.decorateRequest('identity', {
    getter() {
      if (this.knownIdentity !== null) return this.knownIdentity;
      const trusted = config.proxies.trusts(this.socket.remoteAddress);
      const headers = trusted ? distinctHeaders(this.raw.rawHeaders) : null;
      return (this.knownIdentity = identify(headers, config.identity));
    },
  });
  // Of the endpoints that say `perMinute` (docs/rules.md § 34).
  await app.register(rateLimit, { global: false, keyGenerator: ownerOf });
  logRequests(app);
  app.setErrorHandler(sendError);
}
