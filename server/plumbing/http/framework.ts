import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import rateLimit from '@fastify/rate-limit';
import sensible from '@fastify/sensible';
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { champRefusal, Refusal, type RefusalCode, type RefusalDetails } from '#shared/refusals';
import type { KeyOwner } from '#server/plumbing/writes/idempotency';
import type { Writes } from '#server/plumbing/writes/writes';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import { acceptJson, validatorCompiler } from './request.ts';
import {
  distinctHeaders,
  identify,
  turnOf,
  type Identity,
  type IdentityRules,
  guardHosts,
  type ProxyList,
} from './identity.ts';
import { createServer, type Tls } from './server.ts';

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

/** For an answer that is no page: nothing in it may load or run anything. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

const DATA_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex, nofollow',
  'Content-Security-Policy': DATA_POLICY,
} as const;

/** Adds these headers, and how long an answer may be kept: not at all, unless its route says so. */
function addHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, next) => {
    // On the plain answer and « not modified », too, which the compression leaves as they are.
    reply.headers(DATA_HEADERS).vary('accept-encoding');
    next();
  });
  // Last, since `cacheControl` adds to what there is.
  app.addHook('onSend', (_request, reply, payload, next) => {
    if (!reply.hasHeader('Cache-Control')) reply.cacheControl('private').cacheControl('no-store');
    next(null, payload);
  });
}

/**
 * The address of a request below the application's base (docs/rules.md § 31): a proxy may take the base away
 * or pass it on.
 */
const belowBase = (basePath: string, url = '/'): string =>
  basePath !== '' && url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url;

function addBaseToLocations(app: FastifyInstance, basePath: string): void {
  if (basePath === '') return;
  app.addHook('onSend', (_request, reply, payload, next) => {
    const location = reply.getHeader('Location');
    if (typeof location === 'string' && location.startsWith('/'))
      reply.header('Location', basePath + location);
    next(null, payload);
  });
}

/** A tenth less to send than by the plugin's own 4, for a quarter more time. */
const BROTLI_QUALITY = 5;

/**
 * Up to this size an answer is compressed in its turn. A stream keeps what it works with until it ends:
 * of two hundred devices that pull at once it took 200 MB, which are not given back.
 */
const MAX_AT_ONCE_BYTES = 1024 * 1024;

/**
 * Compresses answers of more than 1 kB as the caller accepts it; those that are compressed already,
 * images and the event stream stay as they are (docs/rules.md § 28).
 */
async function addCompression(app: FastifyInstance): Promise<void> {
  // A compressed body of a request is not decompressed: its decompressed size has no bound.
  await app.register(compress, {
    encodings: ['br', 'zstd', 'gzip'],
    globalDecompression: false,
    syncThreshold: MAX_AT_ONCE_BYTES,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  // Fastify empties the answer to a HEAD in the last hook of its route, and the plugin adds its own
  // behind: put first, it gives a HEAD the headers of the GET.
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' || !Array.isArray(route.onSend)) return;
    route.onSend = [...route.onSend.slice(-1), ...route.onSend.slice(0, -1)];
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; read from the headers when it is first asked, unless the door has said it. */
    readonly identity: Identity;
    /** The same once it has been asked. */
    knownIdentity: Identity | null;
    /** Throws where the caller has lost their access since the request came. Called when the turn of a write has come. */
    readmit: () => void;
    /** The key of a write, reserved until it is released; `null` without one. */
    idempotency: { readonly owner: KeyOwner; readonly release: () => void } | null;
  }
  interface FastifyInstance {
    readonly writes: Writes;
  }
}

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
  await app.register(rateLimit, { global: false, keyGenerator: turnOf });
  logRequests(app);
  app.setErrorHandler(sendError);
}

/** SQLite's codes for a file that cannot be read or written, whatever the statement. */
const UNREACHABLE =
  /^SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|AUTH|PERM)/;

/** A page of the database that is not as SQLite wrote it. */
const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/;

/** The system's codes for a file that its disk does not take. */
const NO_ROOM = /^(?:ENOSPC|EDQUOT|EFBIG)$/;

/** The refusals that the plumbing's HTTP errors stand for, by status: ours are `httpErrors` and `assert`. */
const BY_STATUS: Readonly<Partial<Record<number, Exclude<RefusalCode, keyof RefusalDetails>>>> = {
  401: 'IDENTITE_INCONNUE',
  403: 'ORIGINE_REFUSEE',
  404: 'INTROUVABLE',
  408: 'DEMANDE_TROP_LENTE',
  413: 'CORPS_TROP_GRAND',
  414: 'INTROUVABLE',
  415: 'TYPE_REFUSE',
  421: 'HOTE_INCONNU',
  429: 'TROP_DE_DEMANDES',
  431: 'EN_TETES_TROP_GRANDS',
};

/** The refusal that an error amounts to. An unexpected error discloses nothing of itself. */
export function toRefusal(error: Partial<FastifyError>): Refusal {
  if (isRefusal(error)) return error;
  const { code = '', statusCode = 500 } = error;
  if (code.startsWith('SQLITE_FULL') || NO_ROOM.test(code)) return new Refusal('DISQUE_PLEIN');
  if (DAMAGED.test(code)) return new Refusal('BASE_ABIMEE');
  if (UNREACHABLE.test(code)) return new Refusal('BASE_INJOIGNABLE');
  if (code === 'FST_ERR_BAD_URL') return champRefusal('adresse', 'ne se lit pas');
  if (code === 'ECONNRESET') return champRefusal('corps', 'n’est pas arrivé en entier');
  const known = BY_STATUS[statusCode];
  if (known !== undefined) return new Refusal(known);
  if (statusCode >= 400 && statusCode < 500)
    return champRefusal('corps', 'n’est pas du JSON lisible');
  return new Refusal('ERREUR_INTERNE');
}

export function sendError(
  error: Partial<FastifyError>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error);
  if (refusal.status >= 500) logFailure(request.log, error);
  if (refusal.code === 'ORIGINE_REFUSEE')
    request.log.warn({ origin: request.headers.origin }, 'Refused a write of another origin');
  const { retryAfterS } = refusal;
  if (retryAfterS !== undefined) reply.header('Retry-After', retryAfterS);
  return reply.code(refusal.status).send(errorBody(refusal));
}

declare module 'fastify' {
  interface FastifyRequest {
    /** When its body was there, in milliseconds of the process; 0 before. */
    begunMs: number;
  }
  interface FastifyReply {
    tookMs: number;
  }
}

/** A request that takes the service longer is told as slow, in milliseconds. */
const SLOW_MS = 1000;

/**
 * One line a request: who, what, how it ended and how long the service took; the time of a slow line is not
 * its own. The route stands for the address, whose path and query may name books and people.
 */
function logRequests(app: FastifyInstance): void {
  app.decorateRequest('begunMs', 0);
  app.decorateReply('tookMs', 0);
  app.addHook('preValidation', (request, _reply, next) => {
    request.begunMs = performance.now();
    next();
  });
  app.addHook('onSend', ({ begunMs }, reply, payload, next) => {
    if (begunMs > 0) reply.tookMs = Math.round(performance.now() - begunMs);
    next(null, payload);
  });
  app.addHook('onResponse', (request, reply, next) => {
    const { identity, method, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const asked = { user: identity.utilisateur, method, route };
    const line = { ...asked, status: reply.statusCode, ms: reply.tookMs };
    if (reply.tookMs > SLOW_MS) request.log.warn(line, 'Slow request');
    else request.log.info(line, 'Request');
    next();
  });
}

/**
 * Logs why a request has failed on our side: a refusal that the service foresees, such as a catalogue that does
 * not answer, in a line; anything else with its stack.
 */
export function logFailure(log: FastifyBaseLogger, error: unknown): void {
  if (isRefusal(error) && error.cause === undefined) log.warn({ code: error.code }, error.message);
  else log.error(error);
}
