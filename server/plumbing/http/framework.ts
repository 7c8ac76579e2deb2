import sensible from '@fastify/sensible';
import Fastify, { LogController, type FastifyInstance } from 'fastify';
import { addBaseToLocations, belowBase } from './base-path.ts';
import { acceptJson } from './body.ts';
import { addCompression } from './compression.ts';
import { sendError } from './errors.ts';
import { guardHosts } from './hosts.ts';
import { addHeaders, DATA_HEADERS } from './headers.ts';
import type { ProxyList } from './proxies.ts';
import { createServer } from './server.ts';
import type { Tls } from './tls.ts';
import { validatorCompiler } from './validation.ts';

interface FrameworkConfig {
  readonly allowedHosts: readonly string[] | null;
  readonly basePath: string;
  readonly logLevel: string;
  readonly tls: Tls | null;
  readonly proxies: ProxyList;
}

const unused = (): never => {
  throw new Error('No schema is compiled by Fastify');
};

/**
 * Nothing in the place of the compilers that Fastify would load. No route has a schema of its answers: `JSON.stringify`
 * is two to three times as fast on a page of replication as a serializer made from one.
 */
export const NO_COMPILERS = {
  compilersFactory: { buildValidator: unused, buildSerializer: unused },
};

/** Fastify as the service uses it: its limits, its parsers and its own errors in our shape. */
export async function createFramework({
  allowedHosts,
  basePath,
  logLevel,
  tls,
  proxies,
}: FrameworkConfig): Promise<FastifyInstance> {
  const app = Fastify({
    logger: { level: logLevel, stream: process.stderr },
    // `logRequests` says each in one line.
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: (listener) => createServer(listener, tls),
    // Each server answers by itself; Fastify's own handler comes second, and closes what has not left yet.
    clientErrorHandler: () => undefined,
    // For `request.ip`, which limits are counted by; an identity never depends on it.
    trustProxy: (address) => proxies.trusts(address),
    rewriteUrl: ({ url }) => belowBase(basePath, url),
    routerOptions: { maxParamLength: 500 },
    // Requests on open connections are answered while the service stops.
    return503OnClosing: false,
    schemaController: NO_COMPILERS,
    frameworkErrors: (error, request, reply) => {
      // No hook runs for these, and their reply has no method of a plugin.
      reply
        .headers(DATA_HEADERS)
        .headers({ 'Cache-Control': 'private, no-store', Vary: 'accept-encoding' });
      sendError(error, request, reply);
    },
  });
  await app.register(sensible);
  await addCompression(app);
  addHeaders(app);
  guardHosts(app, allowedHosts);
  addBaseToLocations(app, basePath);
  acceptJson(app);
  app.setValidatorCompiler(validatorCompiler);
  return app;
}
