import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#shared/refusals';
import type { Config } from '#server/config';
import { everyDay } from '#server/plumbing/database/daily';
import type { Database } from '#server/plumbing/database/database';
import { UNKNOWN } from '#server/plumbing/http/identity';
import { requireAccess } from '#server/plumbing/http/mount';
import type { Records } from '#server/plumbing/records/records';
import { openAgent } from '#server/plumbing/upstream/sources';
import { Attempts } from './secrets.ts';
import { invitationsRoutes } from './invitations.ts';
import { clesRoutes, credentialOfKey, keyOfAddress, readKey } from './keys.ts';
import { membresRoutes, tendDepartures } from './members.ts';
import { Challenges, clesAccesRoutes } from './passkeys.ts';
import { ProviderSignIn, providerRoutes } from './provider.ts';
import {
  lireConnexionRoute,
  connexionRoutes,
  credentialOfSession,
  hasFormerCookie,
  hasSessions,
  isUnderHttps,
  readToken,
  setToken,
  type Credential,
} from './sessions.ts';

const SWEEP_MS = 500;

/**
 * Ends responses, event streams included, soon after a commit that revokes their credential. Returns the running
 * responses; a request that ends its own session is removed from them, so that it gets its response.
 */
function breakOffLost(app: FastifyInstance, database: Database): Map<FastifyRequest, FastifyReply> {
  const open = new Map<FastifyRequest, FastifyReply>();
  let sweep: NodeJS.Timeout | undefined;
  const endLost = (): void => {
    sweep = undefined;
    for (const [request, reply] of open) {
      if (holds(request)) continue;
      open.delete(request);
      reply.raw.destroy();
    }
  };
  const unsubscribe = database.onCommit(() => {
    sweep ??= setTimeout(endLost, SWEEP_MS).unref();
  });
  // Before the database is closed.
  app.addHook('preClose', async () => {
    unsubscribe();
    clearTimeout(sweep);
  });
  return open;
}

/** Whether a credential is still valid; false if the database fails, which the next request reports. */
function holds({ credential, log }: FastifyRequest): boolean {
  try {
    return credential !== null && credential.presentProof() !== null;
  } catch (error) {
    log.error(error);
    return false;
  }
}

/** Addresses that require a known caller. */
const GUARDED = /^\/(?:api|metrics)(?:\/|$)/;

/**
 * Authenticates callers by a key or, in a service with accounts, by a session, and refuses unknown ones
 * (docs/rules.md § 53, 54). Without accounts and key the headers of the sign-on name the caller.
 */
export async function guardDoor(
  app: FastifyInstance,
  door: { readonly config: Pick<Config, 'accounts' | 'basePath'>; readonly database: Database },
): Promise<void> {
  const open = breakOffLost(app, door.database);
  const { basePath } = door.config;
  app.decorate('basePath', basePath);
  await app.register(cookie, {
    parseOptions: { path: `${basePath}/`, httpOnly: true, sameSite: 'lax' },
  });
  app.decorateRequest('credential', null);
  app.decorateRequest('deviceToken', null);
  app.decorateRequest('answerApart', function () {
    open.delete(this);
  });
  app.addHook('onRequest', (request, reply, next) => {
    // Set for unknown callers, too, so that no header is read.
    if (door.config.accounts) request.knownIdentity = UNKNOWN;
    const isGuarded = [request.routeOptions.url, request.url].some((url = '') => GUARDED.test(url));
    if (isGuarded) identifyCaller(door, open, request, reply);
    // Mounted routes check by themselves, after their 404.
    if (isGuarded && request.routeOptions.config.endpoint === undefined) requireAccess(request);
    next();
  });
}

/** Finds the credential of a request. Throws `CLE_INCONNUE`. */
function identifyCaller(
  { database, config }: Parameters<typeof guardDoor>[1],
  open: Map<FastifyRequest, FastifyReply>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { endpoint } = request.routeOptions.config;
  const sent = readKey(request.headers.authorization);
  const key = sent ?? (endpoint?.keyInAddress ? keyOfAddress(request.url) : null);
  if (config.accounts) request.deviceToken = readToken(database, request);
  const credential =
    key === null
      ? request.deviceToken !== null &&
        credentialOfSession(database, request.deviceToken, isUnderHttps(request))
      : credentialOfKey(database, key, config.accounts);
  // Keys in an address end up in logs on the way.
  if (!credential || (sent === null && key !== null && credential.mayWrite)) {
    if (key !== null) throw new Refusal('CLE_INCONNUE');
    if (config.accounts) request.proof = { by: 'nothing' };
    // If another request has rotated the token, this one opens no session.
    if (hasSessions(database, request.deviceToken))
      request.recheckAccess = () => {
        if (!hasSessions(database, request.deviceToken)) throw new Refusal('CONNEXION_REQUISE');
      };
    return;
  }
  request.credential = credential;
  request.knownIdentity = credential.identity;
  request.proof = credential.proof;
  request.recheckAccess = () => {
    request.proof = credential.presentProof();
    if (request.proof === null) throw new Refusal('CONNEXION_REQUISE');
    requireAccess(request);
  };
  open.set(request, reply);
  reply.raw.once('close', () => open.delete(request));
  const { session } = credential;
  const isNoted = noteUse(database, credential);
  if (session && request.deviceToken !== null && (isNoted || hasFormerCookie(request, session)))
    setToken(database, reply, request.deviceToken);
}

/** How often a use is recorded: reads should hardly ever write. */
const NOTED_EVERY_MS = 60 * 60_000;

/** Notes a use once an hour; returns whether it did. A failed write does not refuse the read. */
function noteUse(database: Database, credential: Credential): boolean {
  const now = Date.now();
  // A use in the future was noted by a clock that was ahead.
  if (credential.vue !== null && Math.abs(now - credential.vue) < NOTED_EVERY_MS) return false;
  if (database.isReadOnly || database.writeLock.isHeld || !database.takesWrites) return false;
  try {
    database.write((tx) => credential.noteUse(tx, now));
    return true;
  } catch {
    return false;
  }
}

interface IdentityContext {
  readonly config: Config;
  readonly database: Database;
  readonly records: Records<Database>;
}

/** Accounts, where the service has them, and the keys of scripts (docs/rules.md § 53, 54); departures are tended once a day. */
export function identityRoutes(app: FastifyInstance, context: IdentityContext): void {
  const { config, database, records } = context;
  // Shared by all routes, so that guessing is slowed down wherever a password is checked.
  const parts = { config, database, attempts: new Attempts() };
  const challenges = new Challenges();
  // The provider may have a private address: the administrator has set it.
  const connections = openAgent(config.upstreamTimeout);
  const visits = config.provider && new ProviderSignIn(config.provider, connections);
  app.addHook('onClose', () => connections.destroy());
  const tend = () => tendDepartures(database, records, config.accounts);
  app.addHook('onClose', everyDay(tend, { startsNow: true }));

  lireConnexionRoute(app, context);
  clesRoutes(app, parts);
  // Without accounts these routes are documented, and answered with 404.
  void app.register(async (scope) => {
    scope.addHook('onRequest', (_request, _reply, next) => {
      next(config.accounts ? undefined : new Refusal('INTROUVABLE'));
    });
    connexionRoutes(scope, parts, () => visits?.endAddress() ?? Promise.resolve(null));
    clesAccesRoutes(scope, parts, challenges);
    providerRoutes(scope, parts, visits);
    invitationsRoutes(scope, parts, challenges);
    membresRoutes(scope, parts);
  });
}
