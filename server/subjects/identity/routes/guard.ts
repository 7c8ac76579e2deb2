import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#shared/refusals';
import type { Config } from '#server/config';
import type { Database } from '#server/plumbing/database/database';
import { UNKNOWN } from '#server/plumbing/http/identity';
import {
  credentialOfKey,
  credentialOfSession,
  holds,
  identityOf,
  KEY_PREFIX,
  noteUse,
  SESSION_MS,
  type Credential,
} from '../domain/credentials.ts';
import { deviceName } from '../domain/device-name.ts';
import { OpenExchanges } from '../domain/open-exchanges.ts';
import type { Device } from '../domain/sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What says who asks, where it is no header of a sign-on. */
    credential: Credential | null;
  }
  interface FastifyInstance {
    readonly exchanges: OpenExchanges;
  }
}

const COOKIE = 'rayonnage';

interface Door {
  readonly config: Pick<Config, 'accounts' | 'basePath'>;
  readonly database: Database;
}

/**
 * Says who asks by a key, or by a session where the service has accounts, and refuses strangers there
 * (docs/rules.md § 53, 54). Without accounts and without a key the headers of the sign-on say it, as ever.
 */
export async function guardDoor(app: FastifyInstance, door: Door): Promise<void> {
  const { database } = door;
  await app.register(cookie);
  app.decorateRequest('credential', null);
  const exchanges = new OpenExchanges((credential) => holds(database, credential));
  app.decorate('exchanges', exchanges);
  app.addHook('onRequest', (request, reply, next) => {
    next(admit(door, request, reply));
  });
  app.addHook('preClose', (done) => {
    exchanges.close();
    done();
  });
}

/** Notes who asks; the refusal of whoever may not. */
function admit(door: Door, request: FastifyRequest, reply: FastifyReply): Refusal | undefined {
  const { database, config } = door;
  const { url = request.url, config: route } = request.routeOptions;
  // An unknown caller, too: no header is looked at.
  if (config.accounts) request.knownIdentity = UNKNOWN;
  if (!/^\/api(?:\/|$)/.test(url)) return undefined;
  const key = keyOf(request);
  const token = tokenOf(request);
  const credential =
    key === null
      ? config.accounts && token !== null && credentialOfSession(database, token)
      : credentialOfKey(database, key, config.accounts);
  if (!credential) {
    if (key !== null) return new Refusal('CLE_INCONNUE');
    const isStranger = config.accounts && route.isOpen !== true;
    return isStranger ? new Refusal('CONNEXION_REQUISE') : undefined;
  }
  use(door, { request, reply, credential });
  return credential.kind === 'cle' ? refusalOfKey(request, credential.row.ecrit === 1) : undefined;
}

/** Has a request be its credential's, for as long as this holds. */
function use(
  { database, config }: Door,
  {
    request,
    reply,
    credential,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly credential: Credential;
  },
): void {
  request.credential = credential;
  request.knownIdentity = identityOf(credential);
  request.readmit = () => {
    if (!holds(database, credential)) throw new Refusal('CONNEXION_REQUISE');
  };
  const { exchanges } = request.server;
  exchanges.add(request, { credential, end: () => reply.raw.destroy() });
  reply.raw.once('close', () => exchanges.remove(request));
  const isNoted = noteUse(database, credential);
  const token = tokenOf(request);
  if (isNoted && credential.kind === 'session' && token !== null)
    setSession(config.basePath, request, reply, token);
}

/** What a key may not: sign-in's own operations, and those that write for one that may only read. */
function refusalOfKey(request: FastifyRequest, mayWrite: boolean): Refusal | undefined {
  const { isSecret, writesBehind } = request.routeOptions.config;
  const reads = ['GET', 'HEAD'].includes(request.method) && writesBehind !== true;
  if (!mayWrite && !reads) return new Refusal('LECTURE_SEULE');
  return isSecret === true ? new Refusal('SESSION_REQUISE') : undefined;
}

/** The key that a request sends; a `Bearer` of another's making is none. */
function keyOf({ headers }: FastifyRequest): string | null {
  const [, key = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return key.startsWith(KEY_PREFIX) ? key : null;
}

const tokenOf = ({ cookies }: FastifyRequest): string | null => cookies[COOKIE] ?? null;

/** The device that a request comes from. */
export const deviceOf = (request: FastifyRequest): Device => ({
  token: tokenOf(request),
  appareil: deviceName(request.headers['user-agent']),
  address: request.ip,
});

/** Whether a browser asks under HTTPS, which may end at the proxy: it says so in `Origin`. */
export const isUnderHttps = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https:') === true;

/** Gives the device a session's token. */
export function setSession(
  basePath: string,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  reply.setCookie(COOKIE, token, {
    path: `${basePath}/`,
    httpOnly: true,
    sameSite: 'lax',
    secure: isUnderHttps(request),
    maxAge: SESSION_MS / 1000,
  });
}

export function clearSession(basePath: string, reply: FastifyReply): void {
  reply.clearCookie(COOKIE, { path: `${basePath}/` });
}

/** The session that asks. Throws `CONNEXION_REQUISE`. */
export function sessionOf({ credential }: FastifyRequest) {
  if (credential?.kind !== 'session') throw new Refusal('CONNEXION_REQUISE');
  return credential.row;
}

/** Has an exchange be answered although it ends the session that it was asked with. */
export function answerApart(request: FastifyRequest): void {
  request.server.exchanges.remove(request);
}
