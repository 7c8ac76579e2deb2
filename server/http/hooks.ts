import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context';
import { sendError } from './errors.ts';
import { DATA_POLICY, SECURITY_HEADERS } from './headers.ts';
import { identify, type Identity } from './identity.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling, read from the headers each time it is asked. */
    readonly identite: Identity;
  }
  interface FastifyInstance {
    /** The database's revision, which a write answers with. */
    revision(): number;
  }
}

const DATA_HEADERS = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': DATA_POLICY,
  'Cache-Control': 'private, no-store',
} as const;

/** What holds for every request: who asks, the headers of its answer, the shape of its errors. */
export function addHooks(app: FastifyInstance, { base, config }: Context): void {
  app.decorate('revision', () => base.revision());
  app.decorateRequest('identite', {
    getter() {
      const trusted = config.proxies.trusts(this.socket.remoteAddress);
      return identify(trusted ? this.raw.headersDistinct : null, config.identity);
    },
  });
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(DATA_HEADERS);
    next();
  });
  app.setErrorHandler(sendError);
}
