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
import type { Locale } from '#shared/locale';
import type { RefusalDetails } from '#shared/refusal-details';
import { champRefusal, Refusal, type RefusalCode } from '#shared/refusals';
import type { KeyOwner } from '#server/plumbing/writes/idempotency';
import type { Writes } from '#server/plumbing/writes/writes';
import type { Proof } from '#server/plumbing/common/access';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import { acceptJson, entriesOf, validatorCompiler } from './request.ts';
import {
  identify,
  callerKeyOf,
  type Identity,
  type IdentityRules,
  guardHosts,
  type HostRules,
  type ProxyList,
} from './identity.ts';
import type { ReaderNames } from './reader-names.ts';
import { inLocale, localeOf, VARY } from './language.ts';
import { answerNoHttp, createServer, type Tls } from './server.ts';

interface FrameworkConfig {
  readonly hosts: HostRules | null;
  readonly basePath: string;
  readonly logLevel: string;
  /** The household's language. */
  readonly locale: Locale;
  readonly tls: Tls | null;
  readonly proxies: ProxyList;
}

const unused = (): never => {
  throw new Error('No schema is compiled by Fastify');
};

/**
 * Replaces the compilers that Fastify would load. Responses have no schema: for a page of replication
 * `JSON.stringify` is two to three times as fast as a compiled serializer.
 */
export const NO_COMPILERS = {
  compilersFactory: { buildValidator: unused, buildSerializer: unused },
};

export async function createFramework({
  hosts,
  basePath,
  logLevel,
  locale,
  tls,
  proxies,
}: FrameworkConfig): Promise<FastifyInstance> {
  const app = Fastify({
    logger: { level: logLevel, stream: process.stderr },
    // `logRequests` writes one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: (listener) => createServer(listener, tls),
    clientErrorHandler: answerNoHttp,
    // For `request.ip`, by which rate limits count; identities never depend on it.
    trustProxy: (address) => proxies.trusts(address),
    rewriteUrl: ({ url }) => belowBase(basePath, url),
    routerOptions: { maxParamLength: 500 },
    // While the service stops, requests on open connections are still answered.
    return503OnClosing: false,
    schemaController: NO_COMPILERS,
    frameworkErrors: (error, request, reply) => {
      // Hooks and reply methods of plugins are not available for these errors.
      reply.headers(DATA_HEADERS).headers({
        'Cache-Control': 'private, no-store',
        Vary: ['accept-encoding', ...VARY].join(', '),
      });
      sendError(error, request, reply);
    },
  });
  await app.register(sensible);
  await addCompression(app);
  addHeaders(app);
  app.decorateRequest('locale', {
    getter() {
      return localeOf(this, locale);
    },
  });
  app.addHook('onRequest', (request, _reply, next) => inLocale(request.locale, next));
  guardHosts(app, hosts);
  addBaseToLocations(app, basePath);
  acceptJson(app);
  app.setValidatorCompiler(validatorCompiler);
  return app;
}

/** For responses other than pages: they may load and run nothing. */
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

/** Responses are not cached unless their route says so. */
function addHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, next) => {
    // On uncompressed and « not modified » answers, too, which the compression leaves as they are.
    reply.headers(DATA_HEADERS).vary('accept-encoding');
    next();
  });
  // Registered last, since `cacheControl` appends to the header.
  app.addHook('onSend', (_request, reply, payload, next) => {
    if (!reply.hasHeader('Cache-Control')) reply.cacheControl('private').cacheControl('no-store');
    next(null, payload);
  });
}

/** A proxy may strip the application's base or pass it on (docs/rules.md § 31). */
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

/** A tenth smaller than the plugin's own 4, in a quarter more time. */
const BROTLI_QUALITY = 5;

/**
 * Larger responses are streamed. A stream keeps its buffers until it ends: two hundred devices pulling at once took
 * 200 MB that were never freed.
 */
const MAX_AT_ONCE_BYTES = 1024 * 1024;

/** Compresses all responses except images, compressed ones and the event stream (docs/rules.md § 28). */
async function addCompression(app: FastifyInstance): Promise<void> {
  // Request bodies are not decompressed: their decompressed size has no bound.
  await app.register(compress, {
    encodings: ['br', 'zstd', 'gzip'],
    globalDecompression: false,
    syncThreshold: MAX_AT_ONCE_BYTES,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  // Fastify empties the response to a HEAD in the route's last hook, but the plugin adds its hook
  // later. Moving the emptying hook first gives a HEAD the headers of its GET.
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' || !Array.isArray(route.onSend)) return;
    route.onSend = [...route.onSend.slice(-1), ...route.onSend.slice(0, -1)];
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    readonly identity: Identity;
    /** The language of the answer. */
    readonly locale: Locale;
    /** `identity`, once it has been read. */
    knownIdentity: Identity | null;
    /** How the caller was authenticated; `null`: by the headers of a sign-on in front, which may name nobody. */
    proof: Proof | null;
    /** Throws if the caller has lost access since the request came. Called when a write gets the lock. */
    recheckAccess: () => void;
    /** The idempotency key, reserved until `release`; `null` without one. */
    idempotency: { readonly owner: KeyOwner; readonly release: () => void } | null;
  }
  interface FastifyInstance {
    readonly writes: Writes;
  }
}

interface FrameworkParts {
  readonly config: { readonly proxies: ProxyList; readonly identity: IdentityRules };
  readonly readers: ReaderNames;
}

export async function addHooks(
  app: FastifyInstance,
  { config, readers }: FrameworkParts,
  writes: Writes,
): Promise<void> {
  app.decorate('writes', writes);
  app.addHook('preClose', async () => writes.close());
  app.decorateRequest('idempotency', null);
  app.decorateRequest('knownIdentity', null);
  app.decorateRequest('proof', null);
  app.decorateRequest('recheckAccess', () => undefined);
  app.decorateRequest('identity', {
    getter() {
      if (this.knownIdentity !== null) return this.knownIdentity;
      const trusted = config.proxies.trusts(this.socket.remoteAddress);
      const named = identify(trusted ? this.raw.rawHeaders : null, config.identity);
      const utilisateur = named.utilisateur && readers.spellingOf(named.utilisateur);
      return (this.knownIdentity = { ...named, utilisateur });
    },
  });
  // Only for endpoints with `perMinute` (docs/rules.md § 34).
  await app.register(rateLimit, { global: false, keyGenerator: callerKeyOf });
  logRequests(app);
  app.setErrorHandler(sendError);
}

/** SQLite's codes for an unreadable or unwritable file, whatever the statement. */
const UNREACHABLE =
  /^SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|AUTH|PERM)/;

const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/;

/** The system's codes for a full disk. */
const NO_ROOM = /^(?:ENOSPC|EDQUOT|EFBIG)$/;

/** The refusals for errors of `httpErrors` and `assert`, by status. */
const BY_STATUS: Readonly<Partial<Record<number, Exclude<RefusalCode, keyof RefusalDetails>>>> = {
  401: 'IDENTITE_INCONNUE',
  403: 'ORIGINE_REFUSEE',
  404: 'INTROUVABLE',
  405: 'METHODE_REFUSEE',
  408: 'DEMANDE_TROP_LENTE',
  412: 'FICHIER_CHANGE',
  413: 'CORPS_TROP_GRAND',
  414: 'ADRESSE_TROP_LONGUE',
  415: 'TYPE_REFUSE',
  416: 'PLAGE_IMPOSSIBLE',
  429: 'TROP_DE_DEMANDES',
  431: 'EN_TETES_TROP_GRANDS',
};

/** The refusal for an error. An unexpected error discloses nothing of itself. */
export function toRefusal(error: Partial<FastifyError>): Refusal {
  if (isRefusal(error)) return error;
  const { code = '', statusCode = 500 } = error;
  if (code.startsWith('SQLITE_FULL') || NO_ROOM.test(code)) return new Refusal('DISQUE_PLEIN');
  if (DAMAGED.test(code)) return new Refusal('BASE_ABIMEE');
  if (UNREACHABLE.test(code)) return new Refusal('BASE_INJOIGNABLE');
  if (code === 'FST_ERR_BAD_URL') return champRefusal('adresse', 'ILLISIBLE');
  if (code === 'ECONNRESET') return champRefusal('corps', 'INCOMPLET');
  const known = BY_STATUS[statusCode];
  if (known !== undefined) return new Refusal(known);
  // Errors of body parsers; any other 4xx keeps its status.
  if (statusCode === 400) return champRefusal('corps', 'PAS_JSON');
  if (statusCode > 400 && statusCode < 500)
    return champRefusal('demande', 'PAS_ACCEPTEE').with({ status: statusCode });
  return new Refusal('ERREUR_INTERNE');
}

export function sendError(
  error: Partial<FastifyError>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error);
  if (refusal.status >= 500 && !isGivenUp(error, reply)) logFailure(request.log, error);
  if (refusal.code === 'ORIGINE_REFUSEE')
    request.log.warn({ origin: request.headers.origin }, 'Refused a write of another origin');
  const { retryAfterS } = refusal;
  if (retryAfterS !== undefined) reply.header('Retry-After', retryAfterS);
  // For example the size of a file whose requested range does not exist.
  for (const [name, value] of entriesOf(Reflect.get(error, 'headers'))) reply.header(name, value);
  return reply.code(refusal.status).send(errorBody(refusal, request.locale));
}

/** Whether an error is the end of work for which its caller no longer waits. */
const isGivenUp = (error: Partial<FastifyError>, { raw }: FastifyReply): boolean =>
  raw.closed &&
  [error, error.cause].some((each) => Reflect.get(Object(each), 'name') === 'AbortError');

declare module 'fastify' {
  interface FastifyRequest {
    /** When its body had arrived, as `performance.now()`; 0 before. */
    begunMs: number;
  }
  interface FastifyReply {
    tookMs: number;
  }
}

const SLOW_MS = 1000;

/**
 * A slow request may have waited for another one. The log has the route, not the address, whose path and query may
 * name books and people.
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
    const isSecret = routeOptions.config.endpoint?.isConfidential === true;
    const asked = { user: identity.utilisateur, method, route: routeOptions.url ?? 'unknown' };
    const line = { ...(!isSecret && asked), status: reply.statusCode, ms: reply.tookMs };
    if (reply.tookMs > SLOW_MS) request.log.warn(line, 'Slow request');
    else request.log.info(line, 'Request');
    next();
  });
}

/**
 * Logs a foreseen refusal, such as a silent catalogue, in one line, and so one whose cause is a text; any other error
 * with its stack.
 */
export function logFailure(log: FastifyBaseLogger, error: unknown): void {
  if (!isRefusal(error) || error.cause instanceof Error) log.error(error);
  else if (error.cause === undefined) log.warn({ code: error.code }, error.message);
  else log.error({ code: error.code, cause: error.cause }, error.message);
}
