import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as clesAcces from '#shared/cles-acces';
import {
  TRANSPORTS,
  type CleAcces,
  type CleAccesFaite,
  type Entrees,
  type OptionsCreation,
  type Signature,
  type Transport,
} from '#shared/cles-acces';
import { demanderSignature, seConnecterParCle } from '#shared/connexion';
import type { Answer } from '#shared/endpoint';
import { found, Refusal } from '#shared/refusals';
import { takesPasskeys } from '#shared/site';
import { insertRow } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { hostOf, namesHost } from '#server/plumbing/http/identity';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read, type Exchange } from '#server/plumbing/writes/operations';
import type { Provider } from '#server/config';
import { hashOf, SealedSecrets } from './secrets.ts';
import {
  senderOf,
  membreById,
  requireProof,
  isShared,
  sessionOf,
  signIn,
  signsInFrom,
  type SignInParts,
} from './sessions.ts';

interface CleAccesRow {
  readonly id: number;
  readonly membreId: number;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  /** The id under which authenticators store the member, in base64url. */
  readonly userHandle: string;
  readonly hote: string;
  readonly signCount: number;
  readonly transports: string;
  readonly nom: string;
  readonly debut: number;
  readonly vue: number | null;
  /** When the counter first failed to increase; the owner was warned then. */
  readonly recul: number | null;
}

type NewCleAcces = Pick<
  CleAccesRow,
  'credentialId' | 'publicKey' | 'userHandle' | 'hote' | 'signCount' | 'transports'
>;

const byId = (database: Reader, id: number): CleAccesRow | undefined =>
  database.get<CleAccesRow>('SELECT * FROM CleAcces WHERE id = ?', id);

const byCredentialId = (database: Reader, credentialId: string): CleAccesRow | undefined =>
  database.get<CleAccesRow>('SELECT * FROM CleAcces WHERE credentialId = ?', credentialId);

export const clesAccesOf = (database: Reader, membreId: number): CleAccesRow[] =>
  database.all<CleAccesRow>('SELECT * FROM CleAcces WHERE membreId = ? ORDER BY id', membreId);

function ownCleAcces(database: Reader, id: number, membreId: number): CleAccesRow {
  const row = byId(database, id);
  return found(row?.membreId === membreId ? row : undefined);
}

const instant = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

const toCleAcces = ({ id, nom, hote, debut, vue, recul }: CleAccesRow): CleAcces => ({
  id,
  nom,
  hote,
  debut: new Date(debut).toISOString(),
  vue: instant(vue),
  recul: instant(recul),
});

/** Whether a member signs in by a provider. Reads the provider's table, since that module imports this one. */
export const isBound = (database: Reader, { issuer }: Provider, membreId: number): boolean =>
  database.value(
    'SELECT 1 FROM CompteFournisseur WHERE issuer = ? AND membreId = ?',
    issuer.href,
    membreId,
  ) !== undefined;

type WaysIn = Omit<Entrees, 'partage'>;

function entreesOf(database: Reader, membreId: number, provider: Provider | null): WaysIn {
  const { motDePasse, code } = found(membreById(database, membreId));
  return {
    avecMotDePasse: motDePasse !== null,
    avecCode: code !== null,
    cles: clesAccesOf(database, membreId).map(toCleAcces),
    fournisseur: provider && { nom: provider.nom, relie: isBound(database, provider, membreId) },
  };
}

/** Throws `CLE_ACCES_EXISTANTE` where somebody has the passkey already. */
export function addCleAcces(
  database: Transaction,
  membreId: number,
  { made, nom }: { readonly made: NewCleAcces; readonly nom: string },
): CleAcces {
  if (byCredentialId(database, made.credentialId) !== undefined)
    throw new Refusal('CLE_ACCES_EXISTANTE');
  const id = insertRow(database, 'CleAcces', { ...made, membreId, nom, debut: Date.now() });
  return toCleAcces(ownCleAcces(database, id, membreId));
}

function removeCleAcces(
  database: Transaction,
  id: number,
  { membreId, provider }: { readonly membreId: number; readonly provider: Provider | null },
): void {
  ownCleAcces(database, id, membreId);
  const { avecMotDePasse, cles, fournisseur } = entreesOf(database, membreId, provider);
  if (!avecMotDePasse && cles.length === 1 && fournisseur?.relie !== true)
    throw new Refusal('DERNIERE_CLE_ACCES');
  database.run('DELETE FROM CleAcces WHERE id = ?', id);
}

/** Ed25519, ECDSA on P-256 and RSA, as COSE numbers them; an authenticator takes the first that it knows. */
const ALGORITHMS = [-8, -7, -257];

const CHALLENGE_MS = 5 * 60_000;

/** A challenge serves nothing else. */
type Purpose = 'connexion' | `session ${number}` | `invitation ${string}`;

/** Challenges for authenticators to sign: random, single-use, for one purpose, which is sealed in them. */
export class Challenges {
  readonly #drawn = new SealedSecrets<{ readonly purpose: Purpose; readonly userHandle: string }>({
    lifeMs: CHALLENGE_MS,
  });

  /** @param userHandle the member's id for the authenticator of a new passkey */
  draw(purpose: Purpose, userHandle = ''): string {
    return this.#drawn.seal({ purpose, userHandle });
  }

  /** Uses up a signed challenge; `undefined` where it was drawn for another purpose, or never. */
  take(purpose: Purpose, { response }: CleAccesFaite | Signature) {
    const challenge = challengeIn(response.clientDataJSON);
    const drawn = this.#drawn.take(challenge);
    return drawn?.purpose === purpose ? { ...drawn, challenge } : undefined;
  }
}

/** The challenge that the browser claims was signed; « undefined » or empty without one. */
function challengeIn(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return String(Reflect.get(Object(data), 'challenge'));
  } catch {
    return '';
  }
}

/** A passkey belongs to one host. */
interface Site {
  readonly origin: string;
  readonly hote: string;
}

/**
 * The site where a browser offers passkeys: this service's own origin, under HTTPS or on this machine, with a host
 * name. `null` elsewhere, and for a script, which sends no origin.
 */
export function siteOf(headers: IncomingHttpHeaders): Site | null {
  const { origin } = headers;
  if (origin === undefined || !namesHost(origin, hostOf(headers))) return null;
  const named = URL.parse(origin);
  return named !== null && takesPasskeys(named)
    ? { origin: named.origin, hote: named.hostname }
    : null;
}

/** Throws `CLES_ACCES_IMPOSSIBLES`. */
function requireSite({ headers }: FastifyRequest): Site {
  const site = siteOf(headers);
  if (site === null) throw new Refusal('CLES_ACCES_IMPOSSIBLES');
  return site;
}

/** The authenticator has to verify the person, since a passkey alone opens an account. */
export function creationOptions(
  challenges: Challenges,
  request: FastifyRequest,
  asked: {
    readonly purpose: Purpose;
    readonly libraryName: string;
    readonly membre: { readonly identifiant: string; readonly nom: string };
    readonly known: readonly CleAccesRow[];
    /** True after an invitation: otherwise no authenticator creates a second passkey. */
    readonly replaces: boolean;
  },
): OptionsCreation {
  const { purpose, libraryName, membre, known, replaces } = asked;
  const { hote } = requireSite(request);
  const here = known.filter((cle) => cle.hote === hote);
  const userHandle = here[0]?.userHandle ?? randomBytes(32).toString('base64url');
  return {
    challenge: challenges.draw(purpose, userHandle),
    rp: { id: hote, name: libraryName },
    user: { id: userHandle, name: membre.identifiant, displayName: membre.nom },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_MS,
    excludeCredentials: (replaces ? [] : here).map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports: transportsIn(transports.split(',')),
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** Uses up the challenge. Throws `CLE_ACCES_REFUSEE`. */
export async function requireCreated(
  challenges: Challenges,
  request: FastifyRequest,
  purpose: Purpose,
  made: CleAccesFaite,
): Promise<NewCleAcces> {
  const site = requireSite(request);
  const drawn = challenges.take(purpose, made);
  if (drawn === undefined) throw new Refusal('CLE_ACCES_REFUSEE');
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const transports = transportsIn(made.response.transports ?? []);
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...made, clientExtensionResults: {}, response: { ...made.response, transports } },
    expectedChallenge: drawn.challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.hote,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (registrationInfo === undefined) throw new Refusal('CLE_ACCES_REFUSEE');
  const { id: credentialId, publicKey, counter } = registrationInfo.credential;
  return {
    credentialId,
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    userHandle: drawn.userHandle,
    hote: site.hote,
    transports: transports.join(','),
  };
}

const transportsIn = (names: readonly string[]): Transport[] =>
  TRANSPORTS.filter((known) => names.includes(known));

interface Signer {
  readonly row: CleAccesRow;
  readonly signCount: number;
}

/**
 * Uses up the challenge. Throws `TROP_DE_TENTATIVES`, and `CLE_ACCES_REFUSEE` whatever is wrong: challenge, host,
 * member, verification or signature.
 */
async function requireSigned(
  { database, attempts }: SignInParts,
  challenges: Challenges,
  call: Exchange,
  signature: Signature,
): Promise<Signer> {
  const { request } = call;
  const site = requireSite(request);
  const row = byCredentialId(database, signature.id);
  // Use a hash of the id, since anybody may send many long ones.
  const account = `cle ${hashOf(signature.id).toString('base64url')}`;
  const isFamiliar = signsInFrom(database, row?.membreId, request);
  const sender = senderOf(database, call);
  const signer = await attempts.try(sender, { account, isFamiliar }, async () => {
    const drawn = challenges.take('connexion', signature);
    if (drawn === undefined || row?.hote !== site.hote) return null;
    if (signature.response.userHandle !== row.userHandle) return null;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { credentialId: id, publicKey } = row;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...signature, clientExtensionResults: {} },
      expectedChallenge: drawn.challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.hote,
      // The library refuses a count that does not advance: synchronised and restored authenticators have such counts.
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
    }).catch(() => ({ verified: false, authenticationInfo: undefined }));
    return verified && authenticationInfo
      ? { row, signCount: authenticationInfo.newCounter }
      : null;
  });
  if (signer === null) throw new Refusal('CLE_ACCES_REFUSEE');
  return signer;
}

/** Throws `CLE_ACCES_REFUSEE` where the passkey was removed meanwhile, or its member is shut out. */
function signInBySignature(
  database: Transaction,
  call: Exchange,
  { row: { id, membreId }, signCount }: Signer,
): Answer<typeof seConnecterParCle> {
  const cle = byId(database, id);
  const membre = membreById(database, membreId);
  if (cle === undefined || membre?.exclu !== 0) throw new Refusal('CLE_ACCES_REFUSEE');
  const hasAdvanced = signCount > cle.signCount || (signCount === 0 && cle.signCount === 0);
  const isFirst = !hasAdvanced && cle.recul === null;
  const now = Date.now();
  database.run(
    'UPDATE CleAcces SET signCount = ?, vue = ?, recul = ? WHERE id = ?',
    signCount,
    now,
    isFirst ? now : cle.recul,
    id,
  );
  if (isFirst)
    call.request.log.warn(
      { cleAcces: id, before: cle.signCount, count: signCount },
      'the count of a passkey did not advance: it may have a copy',
    );
  return { ...signIn(database, call, membre), ...(isFirst && { cleReculee: cle.nom }) };
}

export function clesAccesRoutes(
  scope: FastifyInstance,
  parts: SignInParts,
  challenges: Challenges,
): void {
  const { database } = parts;
  const { libraryName, provider } = parts.config;

  mount(scope, [
    operation(demanderSignature, {
      may: 'visitor',
      prepare: ({ request }) => requireSite(request),
      run: (_, { prepared: site }) =>
        answer({
          rpId: site.hote,
          challenge: challenges.draw('connexion'),
          timeout: CHALLENGE_MS,
          userVerification: 'required',
        }),
    }),
    operation(seConnecterParCle, {
      may: 'visitor',
      prepare: async (call) => {
        const signed = await requireSigned(parts, challenges, call, call.body.signature);
        return { call, signed };
      },
      run: (tx, { prepared: { call, signed } }) => answer(signInBySignature(tx, call, signed)),
    }),
    read(clesAcces.listerClesAcces, {
      may: 'inPerson',
      run: ({ request }) => {
        const session = sessionOf(request);
        return { ...entreesOf(database, session.membreId, provider), partage: isShared(session) };
      },
    }),
    operation(clesAcces.demanderCleAcces, {
      may: 'inPerson',
      prepare: async (call) => {
        const { request, body } = call;
        requireSite(request);
        const session = await requireProof(parts, call, body.motDePasse);
        return creationOptions(challenges, request, {
          purpose: `session ${session.id}`,
          libraryName,
          membre: session,
          known: clesAccesOf(database, session.membreId),
          replaces: false,
        });
      },
      run: (_, { prepared: options }) => answer(options),
    }),
    operation(clesAcces.ajouterCleAcces, {
      may: 'inPerson',
      prepare: async ({ request, body }) => {
        const { id, membreId } = sessionOf(request);
        const made = await requireCreated(challenges, request, `session ${id}`, body.cleAcces);
        return { membreId, made };
      },
      run: (tx, { body, prepared: { membreId, made } }) =>
        answer(addCleAcces(tx, membreId, { made, nom: body.nom })),
    }),
    operation(clesAcces.modifierCleAcces, {
      may: 'inPerson',
      prepare: ({ request }) => sessionOf(request),
      run: (tx, { params, body, prepared: { membreId } }) => {
        ownCleAcces(tx, params.id, membreId);
        tx.run('UPDATE CleAcces SET nom = ? WHERE id = ?', body.nom, params.id);
        return answer(toCleAcces(ownCleAcces(tx, params.id, membreId)));
      },
    }),
    operation(clesAcces.supprimerCleAcces, {
      may: 'inPerson',
      prepare: ({ request }) => sessionOf(request),
      run: (tx, { params, prepared: { membreId } }) => {
        removeCleAcces(tx, params.id, { membreId, provider });
        return answer();
      },
    }),
  ]);
}
