import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as Client from 'openid-client';
import * as connexion from '#shared/connexion';
import { found, Refusal } from '#shared/refusals';
import { nfc, oneLine } from '#shared/text';
import { insertRow } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { isUserName } from '#server/plumbing/http/identity';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation } from '#server/plumbing/writes/operations';
import type { Provider } from '#server/config';
import { readBody, userAgent, type Connections } from '#server/plumbing/upstream/http';
import { drawToken, SealedSecrets } from './secrets.ts';
import { addMembre, hasLeft, isFirst, isTaken } from './members.ts';
import { clesAccesOf, isBound } from './passkeys.ts';
import {
  cookiesOf,
  memberIdentity,
  membreById,
  membreByIdentifiant,
  nameKey,
  requireProof,
  setCookie,
  signIn,
  type MembreRow,
  type SignInParts,
} from './sessions.ts';

type Claims = Readonly<Record<string, unknown>>;

type Person = Pick<MembreRow, 'identifiant' | 'nom'>;

type Rules = Pick<Provider, 'claim' | 'letIn'>;

/**
 * `null` where the claims name nobody: no such claim, no possible name, or an e-mail address that the provider has not
 * verified.
 */
export function whoIs(claims: Claims, { claim }: Rules): Person | null {
  const identifiant = nameIn(claims[claim]);
  if (identifiant === null) return null;
  if (claim === 'email' && claims['email_verified'] !== true) return null;
  return { identifiant, nom: nameIn(claims['name']) ?? identifiant };
}

function nameIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = oneLine(nfc(value)).trim();
  return isUserName(name) && nameKey(name) !== '' ? name : null;
}

export function isLetIn(
  claims: Claims,
  { identifiant }: Pick<Person, 'identifiant'>,
  { letIn }: Rules,
  isMember: boolean,
): boolean {
  if (letIn === null) return isMember;
  if ('identifiers' in letIn) return letIn.identifiers.includes(identifiant);
  const message = new Set([claims[letIn.claim]].flat());
  return letIn.values.some((value) => message.has(value));
}

/** The claims that decide who may sign in. */
export const decidingClaims = ({ claim, letIn }: Rules): string[] => [
  claim,
  ...(claim === 'email' ? ['email_verified'] : []),
  ...(letIn !== null && 'claim' in letIn ? [letIn.claim] : []),
];

interface Subject {
  readonly issuer: string;
  readonly sub: string;
}

const subjectOf = ({ sub }: Claims, { issuer }: Provider): Subject => ({
  issuer: issuer.href,
  sub: String(sub),
});

/** A member's id, `null` for a removed member's person, `undefined` for an unknown one. */
const membreIdOf = (database: Reader, subject: Subject): number | null | undefined =>
  database.get<{ membreId: number | null }>(
    'SELECT membreId FROM CompteFournisseur WHERE issuer = :issuer AND sub = :sub',
    subject,
  )?.membreId;

function bindMembre(database: Transaction, membreId: number, subject: Subject): void {
  database.run('DELETE FROM CompteFournisseur WHERE membreId = ?', membreId);
  database.run('DELETE FROM CompteFournisseur WHERE issuer = :issuer AND sub = :sub', subject);
  insertRow(database, 'CompteFournisseur', { ...subject, membreId });
}

/**
 * Finds the member by the provider's permanent id, and the first time by the claim with the identifier
 * (docs/decisions/0025-whom-a-provider-names.md). Throws `ENTREE_REFUSEE`, alike for unknown, unlisted, excluded and
 * removed people, and `FOURNISSEUR_A_RELIER` if the member has a credential of their own.
 */
function requireLetIn(database: Reader, claims: Claims, provider: Provider): MembreRow | Person {
  const bound = membreIdOf(database, subjectOf(claims, provider));
  const person = whoIs(claims, provider);
  if (bound === null || (bound === undefined && person === null))
    throw new Refusal('ENTREE_REFUSEE');
  const membre =
    bound === undefined
      ? membreByIdentifiant(database, person?.identifiant ?? '')
      : membreById(database, bound);
  const who = membre ?? person;
  const comesIn = who && isLetIn(claims, who, provider, membre !== undefined);
  if (!comesIn || membre?.exclu === 1) throw new Refusal('ENTREE_REFUSEE');
  if (membre === undefined) {
    if (hasLeft(database, who.identifiant) || isTaken(database, who.identifiant))
      throw new Refusal('ENTREE_REFUSEE');
  } else if (bound === undefined) requireUnopened(database, membre, provider);
  return who;
}

/** A claim opens only an account that never had a credential: a name alone proves nothing. */
function requireUnopened(database: Reader, membre: MembreRow, provider: Provider): void {
  if (isBound(database, provider, membre.id) || membre.aInviter === 1)
    throw new Refusal('ENTREE_REFUSEE');
  if (membre.motDePasse !== null || clesAccesOf(database, membre.id).length > 0)
    throw new Refusal('FOURNISSEUR_A_RELIER');
}

/**
 * The first sign-in creates the member and uses up their invitation. The household's first member manages it, and the
 * link for the first member ends. Throws like `requireLetIn`.
 */
function memberOfClaims(database: Transaction, claims: Claims, provider: Provider): MembreRow {
  const who = requireLetIn(database, claims, provider);
  const membre = 'id' in who ? who : makeMembre(database, who);
  bindMembre(database, membre.id, subjectOf(claims, provider));
  return membre;
}

function makeMembre(database: Transaction, person: Person): MembreRow {
  const gere = isFirst(database) ? 1 : 0;
  database.run(
    'DELETE FROM Invitation WHERE identifiant = ? OR (? AND identifiant IS NULL)',
    person.identifiant,
    gere,
  );
  // Several people may have the same name at a provider.
  const nom = isTaken(database, person.nom) ? person.identifiant : person.nom;
  return addMembre(database, { ...person, nom, gere, motDePasse: null });
}

/** Throws `ENTREE_REFUSEE` for a person who may not sign in, `COMPTE_FOURNISSEUR_PRIS` for another member. */
function bindOwn(
  database: Transaction,
  membreId: number,
  claims: Claims,
  provider: Provider,
): MembreRow {
  const membre = found(membreById(database, membreId));
  const subject = subjectOf(claims, provider);
  if (!isLetIn(claims, membre, provider, true)) throw new Refusal('ENTREE_REFUSEE');
  if ((membreIdOf(database, subject) ?? membreId) !== membreId)
    throw new Refusal('COMPTE_FOURNISSEUR_PRIS');
  bindMembre(database, membreId, subject);
  return membre;
}

const MAX_BYTES = 1_000_000;
/** Redirects are not followed: openid-client refuses a response with one. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** The refusal that an error is, or that openid-client has wrapped. */
const refusalIn = (error: unknown): Refusal | undefined =>
  [error, error instanceof Error ? error.cause : undefined].find((one) => one instanceof Refusal);

const SIGN_IN_MS = 10 * 60_000;

/** How far ahead the provider's clock may be; openid-client checks a token's expiry, not its issue. */
const MAX_SKEW_MS = 60_000;

interface Visit {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly redirectUri: string;
  readonly retour: string;
  readonly membreId: number | null;
}

/**
 * Sign-in by the code flow with PKCE, state and nonce. A state is valid once, in the browser that began, for ten
 * minutes.
 */
export class ProviderSignIn {
  readonly #provider: Provider;
  readonly #connections: Connections;
  readonly #visits = new SealedSecrets<Visit>({ lifeMs: SIGN_IN_MS });
  #configuration: Promise<Client.Configuration> | null = null;
  /** The last logged cause of an unreachable provider. */
  #lastCause = '';

  constructor(provider: Provider, connections: Connections) {
    this.#provider = provider;
    this.#connections = connections;
  }

  /** `visit` is for the browser alone, which has to bring it back. */
  async begin(
    asked: Pick<Visit, 'redirectUri' | 'retour' | 'membreId'>,
  ): Promise<{ readonly adresse: string; readonly visit: string }> {
    const client = await import('openid-client');
    const configuration = await this.#discovered(client);
    const draw = () => drawToken('session');
    const [state, nonce] = [draw(), draw()];
    const verifier = client.randomPKCECodeVerifier();
    const adresse = client.buildAuthorizationUrl(configuration, {
      redirect_uri: asked.redirectUri,
      scope: this.#provider.scope,
      state,
      nonce,
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      // On a shared device somebody else may still be signed in at the provider, and would be bound
      // by mistake.
      ...(asked.membreId !== null && { prompt: 'login' }),
    });
    return {
      adresse: adresse.href,
      visit: this.#visits.seal({ ...asked, verifier, nonce, state }),
    };
  }

  /**
   * Throws `CONNEXION_INTERROMPUE` if anything does not match, and `FOURNISSEUR_INJOIGNABLE`.
   *
   * @param query the query of the browser's return
   * @param visits the values of its cookies: other pages may have set one of that name
   */
  async finish(
    query: string,
    visits: readonly string[],
  ): Promise<{ readonly claims: Claims } & Pick<Visit, 'retour' | 'membreId'>> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const visit = this.#take(state, visits);
    const client = await import('openid-client');
    const configuration = await this.#discovered(client);
    const url = new URL(visit.redirectUri);
    url.search = query;
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: visit.verifier,
      expectedState: state,
      expectedNonce: visit.nonce,
      idTokenExpected: true,
    });
    const message: Claims = tokens.claims() ?? {};
    if (Number(message['iat']) * 1000 > Date.now() + MAX_SKEW_MS)
      throw Object.assign(new Error('a token of the future'), { code: 'TOKEN_OF_THE_FUTURE' });
    return {
      claims: await this.#complete(client, message, tokens.access_token),
      retour: visit.retour,
      membreId: visit.membreId,
    };
  }

  /** `null` where the provider has no such place, or does not answer. */
  async endAddress(): Promise<string | null> {
    const client = await import('openid-client');
    const configuration = await this.#discovered(client).catch(() => null);
    return configuration?.serverMetadata().end_session_endpoint === undefined
      ? null
      : client.buildEndSessionUrl(configuration).href;
  }

  /** The token's claims, completed from the provider's user info. */
  async #complete(client: typeof Client, message: Claims, accessToken: string): Promise<Claims> {
    const configuration = await this.#discovered(client);
    const isWhole = [...decidingClaims(this.#provider), 'name'].every((claim) => claim in message);
    if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return message;
    const more = await client.fetchUserInfo(configuration, accessToken, String(message['sub']));
    return { ...more, ...message };
  }

  /** Asked for once, and again after a failure. */
  async #discovered(client: typeof Client): Promise<Client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#provider;
    this.#configuration ??= client.discovery(issuer, clientId, clientSecret, undefined, {
      [client.customFetch]: this.#fetch,
      // Signatures are checked although the token comes from the provider itself.
      execute: [
        client.enableNonRepudiationChecks,
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- only ever on this machine, as the settings see to
        ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    });
    try {
      return await this.#configuration;
    } catch (error) {
      this.#configuration = null;
      throw refusalIn(error) ?? this.#unreachable(error);
    }
  }

  /** Requests to the provider have the same timeout as to other sites. Rejects with `FOURNISSEUR_INJOIGNABLE`. */
  readonly #fetch: Client.CustomFetch = async (url, { method, headers, body, signal }) => {
    try {
      const { statusCode, ...answer } = await this.#connections.request(new URL(url), {
        method,
        body: body instanceof URLSearchParams ? body.toString() : null,
        headers: { ...headers, 'user-agent': userAgent() },
        signal: signal ?? new AbortController().signal,
      });
      const bytes = await readBody(answer, MAX_BYTES);
      const type = String(answer.headers['content-type'] ?? '');
      return new Response(WITHOUT_BODY.has(statusCode) ? null : new Uint8Array(bytes), {
        status: statusCode,
        headers: { 'content-type': type },
      });
    } catch (error) {
      throw this.#unreachable(error);
    }
  };

  /** The cause is logged: a name, an address or a certificate may be wrong. Its stack is logged once. */
  #unreachable(cause: unknown): Refusal {
    const code: unknown = Reflect.get(Object(cause), 'code');
    // The code of a timeout is a number.
    const message = typeof code === 'string' ? code : String(cause);
    const refusal = new Refusal('FOURNISSEUR_INJOIGNABLE');
    refusal.cause = message === this.#lastCause ? message : cause;
    this.#lastCause = message;
    return refusal;
  }

  #take(state: string, visits: readonly string[]): Visit {
    const own = visits.find((one) => this.#visits.find(one)?.state === state);
    const visit = own === undefined ? undefined : this.#visits.take(own);
    if (visit === undefined) throw new Refusal('CONNEXION_INTERROMPUE');
    return visit;
  }
}

const COOKIE = 'rayonnage-fournisseur';

/** A longer address does not fit into a cookie; its reader then returns to the catalogue. */
const MAX_RETOUR = 1_000;

/** The origin of the requesting page, if the provider knows it as an address to return to. */
function originOf({ headers }: FastifyRequest): string {
  if (URL.parse(headers.origin ?? '') === null) throw new Refusal('ORIGINE_REFUSEE');
  return headers.origin ?? '';
}

/** Logs a failure by its code alone: messages may contain the provider's data. Throws `CONNEXION_INTERROMPUE`. */
async function loggingFailure<T>({ log }: FastifyRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal !== undefined) throw refusal;
    const message = (name: string) => String(Reflect.get(Object(error), name) ?? '').slice(0, 100);
    log.warn({ code: message('code'), message: message('error') }, 'No sign-in by the provider');
    throw new Refusal('CONNEXION_INTERROMPUE');
  }
}

/** docs/rules.md § 53; without a provider both routes are 404. */
export function providerRoutes(
  scope: FastifyInstance,
  parts: SignInParts,
  visits: ProviderSignIn | null,
): void {
  const { database } = parts;
  const { provider, basePath } = parts.config;

  mount(scope, [
    operation(connexion.allerChezFournisseur, {
      may: 'visitor',
      prepare: async (call) => {
        const { request, body } = call;
        const { retour, relier = false, motDePasse } = body;
        const binder = relier ? await requireProof(parts, call, motDePasse) : null;
        const { adresse, visit } = await found(visits ?? undefined).begin({
          redirectUri: `${originOf(request)}${basePath}/connexion/retour`,
          retour: encodeURI(retour).length > MAX_RETOUR ? '' : retour,
          membreId: binder?.membreId ?? null,
        });
        // The returning browser has to be the one that left: a response given to another one signs
        // nobody in.
        setCookie(call.reply, COOKIE, { value: visit, lifeMs: SIGN_IN_MS });
        return { adresse };
      },
      run: (_, { prepared }) => answer(prepared),
    }),
    operation(connexion.seConnecterParFournisseur, {
      may: 'visitor',
      prepare: async (call) => {
        const { request, body } = call;
        if (provider === null || visits === null) throw new Refusal('INTROUVABLE');
        const { claims, retour, membreId } = await loggingFailure(request, () =>
          visits.finish(body.query, cookiesOf(request, COOKIE)),
        );
        if (membreId === null) requireLetIn(database, claims, provider);
        // The member who began the binding still has to be the reader.
        else if (request.credential?.session?.membreId !== membreId)
          throw new Refusal('CONNEXION_INTERROMPUE');
        return { call, claims, retour, membreId, provider };
      },
      run: (tx, { prepared: { call, claims, retour, membreId, provider: issuer } }) =>
        answer({
          moi:
            membreId === null
              ? signIn(tx, call, memberOfClaims(tx, claims, issuer), true)
              : memberIdentity(bindOwn(tx, membreId, claims, issuer)),
          retour,
        }),
    }),
  ]);
}
