import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as connexion from '#shared/connexion';
import type { Session, Visage } from '#shared/connexion';
import { DAY_MS } from '#shared/days';
import { found, Refusal } from '#shared/refusals';
import { textKey } from '#shared/text';
import type { Config } from '#server/config';
import type { Proof } from '#server/plumbing/common/access';
import { insertRow } from '#server/plumbing/database/columns';
import type { Database } from '#server/plumbing/database/database';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { networkOf, networksOf, UNKNOWN, type Identity } from '#server/plumbing/http/identity';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read, type Exchange } from '#server/plumbing/writes/operations';
import { whileAwaited } from '#server/plumbing/http/request';
import { MAX_WAIT_MS } from '#server/plumbing/writes/writes';
import {
  drawToken,
  hashOf,
  hashPassword,
  isPassword,
  type SecretSender,
  type Attempts,
} from './secrets.ts';

/** The session that reads on a device, or the key of a script. */
export interface Credential {
  readonly identity: Identity;
  readonly session: SessionRow | null;
  /** False for a read-only key. */
  readonly mayWrite: boolean;
  /** When it was last used, in milliseconds since 1970. */
  readonly vue: number | null;
  readonly noteUse: (tx: Transaction, now: number) => unknown;
  readonly proof: Proof;
  /** The proof as it is by now; `null` once the session or the key has ended. */
  readonly presentProof: () => Proof | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    credential: Credential | null;
    deviceToken: string | null;
    /** Lets a request get its response although it ends its own session. */
    answerApart: () => void;
  }
  interface FastifyInstance {
    readonly basePath: string;
  }
}

/** The hashes are PHC strings. */
export interface MembreRow {
  readonly id: number;
  readonly identifiant: string;
  readonly nom: string;
  readonly gere: 0 | 1;
  readonly exclu: 0 | 1;
  readonly motDePasse: string | null;
  readonly code: string | null;
  /** 1 for a member who can only return by an invitation. */
  readonly aInviter: 0 | 1;
  readonly portrait: string | null;
}

const MEMBRES =
  'SELECT m.*, p.cle AS portrait FROM Membre m LEFT JOIN Portrait p ON p.membreId = m.id';

export const allMembres = (database: Reader): MembreRow[] => database.all<MembreRow>(MEMBRES);

export const membreById = (database: Reader, id: number): MembreRow | undefined =>
  database.get<MembreRow>(`${MEMBRES} WHERE m.id = ?`, id);

export const membreByIdentifiant = (database: Reader, identifiant: string): MembreRow | undefined =>
  database.get<MembreRow>(`${MEMBRES} WHERE m.identifiant = ?`, identifiant);

/** Format characters, and characters without a glyph: fillers of Hangul, variation selectors, word joiners. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Equal for names that differ only in case, accents or invisible characters; '' if nothing is left. */
export const nameKey = (name: string): string => textKey(name.replace(UNSEEN, '').trim());

/**
 * The member with a typed identifier in any case, else with a name that no other member has: older databases may have
 * duplicates (docs/decisions/0028-who-waits-for-whose-tries.md). Takes as long for an unknown name.
 */
function membreNamed(database: Reader, typed: string): MembreRow | undefined {
  const key = nameKey(typed);
  const membres = allMembres(database);
  const alike = (field: 'identifiant' | 'nom') =>
    membres.filter((each) => key !== '' && nameKey(each[field]) === key);
  const [byIdentifiant, byNom] = [alike('identifiant'), alike('nom')];
  const exact = membres.find(({ identifiant }) => identifiant === typed);
  const [membre, ...others] = byIdentifiant.length > 0 ? byIdentifiant : byNom;
  return exact ?? (others.length === 0 ? membre : undefined);
}

export const memberIdentity = ({
  identifiant,
  nom,
  portrait,
}: Pick<MembreRow, 'identifiant' | 'nom' | 'portrait'>): Identity => ({
  utilisateur: identifiant,
  email: null,
  nomComplet: nom,
  compte: true,
  ...(portrait !== null && { portrait }),
});

const SESSION_MS = 90 * DAY_MS;

/** A device on which somebody was signed in is known for as long as browsers keep a cookie. */
const DEVICE_MS = 400 * DAY_MS;

const usedAfter = (): number => Date.now() - SESSION_MS;

/** A session with its member's data; instants are in milliseconds since 1970. */
interface SessionRow extends Pick<MembreRow, 'identifiant' | 'nom' | 'gere' | 'code' | 'portrait'> {
  readonly id: number;
  /** The hash of its device's token. */
  readonly jeton: Buffer;
  readonly membreId: number;
  /** 1 for the session of the device that reads. */
  readonly actif: 0 | 1;
  readonly appareil: string;
  readonly debut: number;
  readonly vue: number;
  readonly parFournisseur: 0 | 1;
  readonly sousHttps: 0 | 1;
  /** 1 where another member was ever signed in on the device. */
  readonly partagee: 0 | 1;
}

const SESSIONS = `SELECT s.*, m.identifiant, m.nom, m.gere, m.code, p.cle AS portrait FROM Session s
  JOIN Membre m ON m.id = s.membreId LEFT JOIN Portrait p ON p.membreId = m.id
  WHERE m.exclu = 0 AND s.vue > :usedAfter`;

const activeSession = (database: Reader, jeton: Buffer): SessionRow | undefined =>
  database.get<SessionRow>(`${SESSIONS} AND s.jeton = :jeton AND s.actif = 1`, {
    jeton,
    usedAfter: usedAfter(),
  });

const sessionsOn = (database: Reader, token: string | null): SessionRow[] =>
  token === null
    ? []
    : database.all<SessionRow>(`${SESSIONS} AND s.jeton = :jeton ORDER BY s.id`, {
        jeton: hashOf(token),
        usedAfter: usedAfter(),
      });

/** `undefined` where the session has ended, or its member is shut out. */
export function credentialOfSession(
  database: Reader,
  token: string,
  isHttps: boolean,
): Credential | undefined {
  const row = activeSession(database, hashOf(token));
  return (
    row && {
      identity: memberIdentity(row),
      session: row,
      mayWrite: true,
      vue: row.vue,
      noteUse: (tx, now) => touch(tx, [now, isHttps ? 1 : 0, row.id]),
      proof: proofOf(row),
      presentProof: () => {
        const now = activeSession(database, row.jeton);
        return now?.id === row.id ? proofOf(now) : null;
      },
    }
  );
}

const proofOf = ({ gere }: SessionRow): Proof => ({ by: 'session', manages: gere === 1 });

const touch = (tx: Transaction, use: readonly [now: number, isHttps: 0 | 1, id: number]): unknown =>
  tx.run('UPDATE Session SET vue = ?, sousHttps = max(sousHttps, ?) WHERE id = ?', ...use);

function endSession(database: Transaction, id: number, membreId: number): void {
  if (database.run('DELETE FROM Session WHERE id = ? AND membreId = ?', id, membreId).changes === 0)
    throw new Refusal('INTROUVABLE');
}

export function endSessionsOf(database: Transaction, membreId: number, exceptId = 0): void {
  database.run('DELETE FROM Session WHERE membreId = ? AND id <> ?', membreId, exceptId);
}

function renewToken(database: Transaction, from: string | null, to: string): void {
  if (from !== null)
    database.run(
      'UPDATE Session SET jeton = ?, actif = 0 WHERE jeton = ?',
      hashOf(to),
      hashOf(from),
    );
}

const COOKIE = 'rayonnage';
const DEVICE_COOKIE = 'rayonnage-appareil';

/** Limit for cookies of one name: other pages may have planted some. */
const MAX_TOKENS = 8;

/** Whether a browser uses HTTPS. A proxy may terminate it, but `Origin` tells. */
export const isUnderHttps = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https:') === true;

const valuesOf = ({ headers }: FastifyRequest, name: string): string[] =>
  (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .flatMap(([given, value = '']) => (given === name && value !== '' ? [value] : []));

const sendsCookie = (request: FastifyRequest, name: string): boolean =>
  valuesOf(request, name).length > 0;

/** The values of a cookie, first those under `__Host-`, which no other host can set. */
export const cookiesOf = (request: FastifyRequest, name: string): string[] =>
  [`__Host-${name}`, name].flatMap((wanted) => valuesOf(request, wanted));

/** Sets a cookie at the root and under HTTPS, with a name that no other host and no plain HTTP page can set. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  { value, lifeMs, isSecure = false }: { value: string; lifeMs: number; isSecure?: boolean },
): void {
  const secure = isSecure || isUnderHttps(reply.request);
  const isOfHost = secure && reply.server.basePath === '';
  reply.setCookie(isOfHost ? `__Host-${name}` : name, value, { secure, maxAge: lifeMs / 1000 });
}

/** Once a session was used under HTTPS, its cookie requires it. */
export function setToken(database: Reader, reply: FastifyReply, value: string): void {
  const { request, server } = reply;
  const isSecure = sessionsOn(database, value).some(({ sousHttps }) => sousHttps === 1);
  setCookie(reply, COOKIE, { value, lifeMs: SESSION_MS, isSecure });
  // Without known HTTPS the browser may accept no other cookie, and keeps this one.
  if (server.basePath === '' && isUnderHttps(request) && sendsCookie(request, COOKIE))
    reply.clearCookie(COOKIE);
}

/** Whether the session's cookie has its name from before `__Host-`, and may get the new one. */
export const hasFormerCookie = (request: FastifyRequest, { sousHttps }: SessionRow): boolean =>
  request.server.basePath === '' &&
  (sousHttps === 1 || isUnderHttps(request)) &&
  !sendsCookie(request, `__Host-${COOKIE}`);

function clearToken(reply: FastifyReply): void {
  reply.clearCookie(COOKIE);
  if (reply.server.basePath === '') reply.clearCookie(`__Host-${COOKIE}`, { secure: true });
}

/** The token of a device's sessions: the first of several that has any. */
export function readToken(database: Reader, request: FastifyRequest): string | null {
  const tokens = cookiesOf(request, COOKIE).slice(0, MAX_TOKENS);
  const known = tokens.length > 1 && tokens.find((token) => hasSessions(database, token));
  return known || (tokens[0] ?? null);
}

export const hasSessions = (database: Reader, token: string | null): boolean =>
  sessionsOn(database, token).length > 0;

export function sessionOf({ credential }: FastifyRequest): SessionRow {
  if (!credential?.session) throw new Refusal('CONNEXION_REQUISE');
  return credential.session;
}

export function senderOf(database: Reader, { request, reply }: Exchange): SecretSender {
  const [device] = cookiesOf(request, DEVICE_COOKIE);
  const isKnown = device !== undefined && isKnownDevice(database, device);
  return {
    networks: networksOf(request.ip),
    device: isKnown ? hashOf(device).toString('base64url') : null,
    isFromHome: membresFrom(database, request).length > 0,
    signal: whileAwaited(reply),
  };
}

/** The members who have signed in from the network of a request within ninety days. */
const membresFrom = (database: Reader, { ip }: FastifyRequest): number[] =>
  database.values<number>(
    'SELECT membreId FROM ReseauConnu WHERE reseau = ? AND vue > ?',
    networkOf(ip),
    usedAfter(),
  );

/** Whether other callers' attempts from a network leave a member's right secret unaffected. */
export const signsInFrom = (
  database: Reader,
  membreId: number | undefined,
  request: FastifyRequest,
): boolean => membreId !== undefined && membresFrom(database, request).includes(membreId);

function noteNetwork(database: Transaction, membreId: number, { ip }: FastifyRequest): void {
  const reseau = networkOf(ip);
  const old = 'DELETE FROM ReseauConnu WHERE vue <= ? OR (membreId = ? AND reseau = ?)';
  database.run(old, usedAfter(), membreId, reseau);
  insertRow(database, 'ReseauConnu', { membreId, reseau, vue: Date.now() });
}

const isKnownDevice = (database: Reader, device: string): boolean =>
  database.value('SELECT 1 FROM Appareil WHERE jeton = ?', hashOf(device)) !== undefined;

const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

export function deviceName({ headers }: FastifyRequest): string {
  const userAgent = headers['user-agent'] ?? '';
  const named = [BROWSERS, SYSTEMS].flatMap(
    (known) => known.find(([, sign]) => sign.test(userAgent))?.[0] ?? [],
  );
  return named.join(', ') || 'Appareil inconnu';
}

export interface SignInParts {
  readonly database: Database;
  readonly attempts: Attempts;
  readonly config: Pick<Config, 'accounts' | 'basePath' | 'libraryName' | 'provider'>;
}

/** Throws `IDENTIFIANTS_REFUSES`, `TROP_DE_TENTATIVES`. */
async function requirePassword(
  { database, attempts }: SignInParts,
  call: Exchange,
  { membre, typed }: { readonly membre: MembreRow | undefined; readonly typed: string },
  motDePasse: string,
): Promise<MembreRow> {
  const sender = senderOf(database, call);
  // By the typed name, so that known and unknown names are treated alike.
  const account = `identifiant ${nameKey(typed)}`;
  const isFamiliar = signsInFrom(database, membre?.id, call.request);
  const opened = await attempts.try(sender, { account, isFamiliar }, async () => {
    const isTheirs = await isPassword(motDePasse, membre?.motDePasse ?? null, sender);
    return isTheirs && membre?.exclu === 0 ? membre : null;
  });
  if (opened === null) throw new Refusal('IDENTIFIANTS_REFUSES');
  return opened;
}

/** How long a sign-in counts as proof for a member without a password. */
const RECENT_MS = 5 * 60_000;

/** The absolute difference, so that a clock that was set back makes no old sign-in recent. */
const isRecent = ({ debut }: SessionRow): boolean => Math.abs(Date.now() - debut) <= RECENT_MS;

/**
 * Returns the requesting session after proof of its member: the password, or without one a recent sign-in. Tablets
 * are shared, and sessions are long. Throws `IDENTIFIANTS_REFUSES`, `TROP_DE_TENTATIVES`, `CONNEXION_ANCIENNE`.
 */
export async function requireProof(
  parts: SignInParts,
  call: Exchange,
  motDePasse: string | null | undefined,
): Promise<SessionRow> {
  const session = sessionOf(call.request);
  const membre = found(membreById(parts.database, session.membreId));
  if (membre.motDePasse !== null)
    await requirePassword(parts, call, { membre, typed: membre.identifiant }, motDePasse ?? '');
  else if (!isRecent(session)) throw new Refusal('CONNEXION_ANCIENNE');
  return session;
}

/** Whether a session without proof may be used by anybody of the household. */
export const isShared = (session: SessionRow): boolean =>
  session.partagee === 1 && !isRecent(session);

/**
 * Opens a session on the requesting device. The token is always new, so that it cannot have been planted. Throws
 * `IDENTIFIANTS_REFUSES` if the member was shut out or changed the password during the comparison.
 *
 * @param isByProvider whether signing out may continue at the provider
 */
export function signIn(
  database: Transaction,
  { request, reply }: Exchange,
  membre: MembreRow,
  isByProvider = false,
): Identity {
  request.answerApart();
  const present = membreById(database, membre.id);
  if (present?.exclu !== 0 || present.motDePasse !== membre.motDePasse)
    throw new Refusal('IDENTIFIANTS_REFUSES');
  const token = drawToken('session');
  const now = Date.now();
  database.run('DELETE FROM Session WHERE vue <= ?', usedAfter());
  renewToken(database, request.deviceToken, token);
  database.run('DELETE FROM Session WHERE jeton = ? AND membreId = ?', hashOf(token), membre.id);
  insertRow(database, 'Session', {
    jeton: hashOf(token),
    membreId: membre.id,
    actif: 1,
    appareil: deviceName(request),
    debut: now,
    vue: now,
    parFournisseur: isByProvider ? 1 : 0,
    sousHttps: isUnderHttps(request) ? 1 : 0,
  });
  if (noteDevice(database, reply, membre.id, token))
    database.run('UPDATE Session SET partagee = 1 WHERE jeton = ?', hashOf(token));
  setToken(database, reply, token);
  noteNetwork(database, membre.id, request);
  return memberIdentity(membre);
}

/** Returns whether another member was ever signed in on the device. */
function noteDevice(
  database: Transaction,
  reply: FastifyReply,
  membreId: number,
  token: string,
): boolean {
  const now = Date.now();
  const [kept] = cookiesOf(reply.request, DEVICE_COOKIE);
  const value = kept !== undefined && isKnownDevice(database, kept) ? kept : drawToken('session');
  database.run('DELETE FROM Appareil WHERE vue < ?', now - DEVICE_MS);
  const partage = database.value<0 | 1>(
    `INSERT INTO Appareil (jeton, vue, membreId, partage)
     VALUES (?, ?, ?, (SELECT count(*) > 1 FROM Session WHERE jeton = ?))
     ON CONFLICT (jeton) DO UPDATE SET vue = excluded.vue,
       partage = max(partage, excluded.partage, membreId IS NOT excluded.membreId)
     RETURNING partage`,
    hashOf(value),
    now,
    membreId,
    hashOf(token),
  );
  setCookie(reply, DEVICE_COOKIE, { value, lifeMs: DEVICE_MS });
  return partage === 1;
}

const visagesOn = (database: Reader, token: string | null): Visage[] =>
  sessionsOn(database, token).map(({ membreId, nom, identifiant, code, portrait, actif }) => ({
    id: membreId,
    nom,
    identifiant,
    portrait,
    avecCode: code !== null,
    actif: actif === 1,
  }));

/** Wrong codes after which a member has to sign in anew on that device. */
const MAX_CODES = 5;

/**
 * Throws `CODE_REFUSE`. A code is short, and anybody may hold the device: the fifth wrong one ends the session.
 * Attempts are counted before the comparison, so that nothing is compared if nothing can be written.
 */
async function requireCode(
  database: Database,
  call: Exchange,
  row: SessionRow,
  code: string,
): Promise<void> {
  if (row.code === null) return;
  const write = <T>(work: (tx: Transaction) => T) =>
    database.writeLock.whenFree(() => database.write(work), MAX_WAIT_MS);
  const tries = await write((tx) => {
    tx.run('UPDATE Session SET codesFaux = codesFaux + 1 WHERE id = ?', row.id);
    return tx.value<number>('SELECT codesFaux FROM Session WHERE id = ?', row.id) ?? Infinity;
  });
  const isRight =
    tries <= MAX_CODES && (await isPassword(code, row.code, senderOf(database, call)));
  if (isRight) return;
  if (tries >= MAX_CODES) await write((tx) => tx.run('DELETE FROM Session WHERE id = ?', row.id));
  throw new Refusal('CODE_REFUSE');
}

/** `null` for no reader. Throws `INTROUVABLE` where the session has ended meanwhile. */
function changeReader(
  database: Transaction,
  { request, reply }: Exchange,
  row: SessionRow | null,
): Identity {
  request.answerApart();
  const token = drawToken('session');
  renewToken(database, request.deviceToken, token);
  const sql = 'UPDATE Session SET actif = 1, vue = ?, codesFaux = 0 WHERE id = ?';
  if (row !== null && database.run(sql, Date.now(), row.id).changes === 0)
    throw new Refusal('INTROUVABLE');
  setToken(database, reply, token);
  return row === null ? UNKNOWN : memberIdentity(row);
}

/** Last used first. */
const listSessions = (database: Reader, { membreId, id: hereId }: SessionRow): Session[] =>
  database
    .all<SessionRow>(`${SESSIONS} AND s.membreId = :membreId ORDER BY s.vue DESC, s.id DESC`, {
      membreId,
      usedAfter: usedAfter(),
    })
    .map(({ id, appareil, debut, vue }) => ({
      id,
      appareil,
      estIci: id === hereId,
      debut: new Date(debut).toISOString(),
      vue: new Date(vue).toISOString(),
    }));

/** Ends the sessions opened by the former password, and with `endsKeys` the keys of the member's scripts. */
function changePassword(
  database: Transaction,
  { id, membreId, identifiant }: SessionRow,
  motDePasse: string,
  endsKeys: boolean,
): void {
  database.run('UPDATE Membre SET motDePasse = ? WHERE id = ?', motDePasse, membreId);
  endSessionsOf(database, membreId, id);
  if (endsKeys) database.run('DELETE FROM Cle WHERE utilisateur = ?', identifiant);
}

/** @param code the hash of the code for shared devices; `null` for none */
function changeCode(database: Transaction, membreId: number, code: string | null): void {
  database.run('UPDATE Membre SET code = ? WHERE id = ?', code, membreId);
  database.run('UPDATE Session SET codesFaux = 0 WHERE membreId = ?', membreId);
}

/**
 * docs/rules.md § 53
 *
 * @param endAddress where a session opened by the provider is ended at the provider, too
 */
export function connexionRoutes(
  scope: FastifyInstance,
  parts: SignInParts,
  endAddress: () => Promise<string | null>,
): void {
  const { database } = parts;

  mount(scope, [
    operation(connexion.seConnecter, {
      may: 'visitor',
      prepare: async (call) => {
        const { identifiant, motDePasse } = call.body;
        const named = { membre: membreNamed(database, identifiant), typed: identifiant };
        const membre = await requirePassword(parts, call, named, motDePasse);
        return { call, membre };
      },
      run: (tx, { prepared: { call, membre } }) => answer(signIn(tx, call, membre)),
    }),
    operation(connexion.seDeconnecter, {
      may: 'inPerson',
      prepare: async ({ request, reply }) => {
        const session = sessionOf(request);
        const adresse = session.parFournisseur === 1 ? await endAddress() : null;
        return { request, reply, session, adresse };
      },
      run: (tx, { prepared: { request, reply, session, adresse } }) => {
        request.answerApart();
        endSession(tx, session.id, session.membreId);
        if (!hasSessions(tx, request.deviceToken)) clearToken(reply);
        return answer({ adresse });
      },
    }),
    operation(connexion.changerLecteur, {
      may: 'visitor',
      prepare: async (call) => {
        const { membreId, code } = call.body;
        const there = sessionsOn(database, call.request.deviceToken);
        const row =
          membreId === null ? null : found(there.find((each) => each.membreId === membreId));
        if (row !== null) await requireCode(database, call, row, code ?? '');
        return { call, row };
      },
      run: (tx, { prepared: { call, row } }) => answer(changeReader(tx, call, row)),
    }),
    operation(connexion.modifierMotDePasse, {
      may: 'inPerson',
      prepare: async (call) => {
        const { body } = call;
        const session = await requireProof(parts, call, body.ancien);
        const motDePasse = await hashPassword(body.nouveau, senderOf(database, call));
        return { session, motDePasse };
      },
      run: (tx, { body, prepared: { session, motDePasse } }) => {
        changePassword(tx, session, motDePasse, body.terminerCles ?? true);
        return answer();
      },
    }),
    operation(connexion.modifierCode, {
      may: 'inPerson',
      prepare: async (call) => {
        const { body } = call;
        const session = sessionOf(call.request);
        if (typeof body.ancien === 'string')
          await requireCode(database, call, session, body.ancien);
        else if (session.code !== null || (body.code !== null && isShared(session)))
          await requireProof(parts, call, body.motDePasse);
        const sender = senderOf(database, call);
        const code = body.code === null ? null : await hashPassword(body.code, sender);
        return { session, code };
      },
      run: (tx, { prepared: { session, code } }) => {
        changeCode(tx, session.membreId, code);
        return answer();
      },
    }),
    read(connexion.listerSessions, {
      may: 'inPerson',
      run: ({ request }) => listSessions(database, sessionOf(request)),
    }),
    operation(connexion.terminerSession, {
      may: 'inPerson',
      prepare: ({ params, request }) => {
        const { membreId, id } = sessionOf(request);
        if (params.id === id) request.answerApart();
        return membreId;
      },
      run: (tx, { params, prepared: membreId }) => {
        endSession(tx, params.id, membreId);
        return answer();
      },
    }),
  ]);
}

export function lireConnexionRoute(
  app: FastifyInstance,
  { config, database }: Pick<SignInParts, 'config' | 'database'>,
): void {
  mount(app, [
    read(connexion.lireConnexion, {
      may: 'visitor',
      run: ({ request }) => ({
        comptes: config.accounts,
        fournisseur: config.provider?.nom ?? null,
        visages: config.accounts ? visagesOn(database, request.deviceToken) : [],
        venue: {
          https: request.protocol === 'https',
          adresse: request.ip,
          date: new Date().toISOString(),
        },
      }),
    }),
  ]);
}
