import { randomBytes } from 'node:crypto';
import {
  TRANSPORTS,
  type CleAccesFaite,
  type OptionsCreation,
  type OptionsSignature,
  type Signature,
  type Transport,
} from '#shared/cles-acces';
import { Refusal } from '#shared/refusals';
import type { Site } from '#server/plumbing/http/origin';
import type { CleAccesRow } from '../store/cles-acces.ts';
import { CHALLENGE_MS, type Challenges, type Purpose } from './challenges.ts';

/** Ed25519, ECDSA on P-256 and RSA, as COSE numbers them; the first that an authenticator knows is taken. */
const ALGORITHMS = [-8, -7, -257];

/** A passkey that was made, before it has a name. */
export type NewCleAcces = Pick<
  CleAccesRow,
  'credentialId' | 'publicKey' | 'userHandle' | 'hote' | 'signCount' | 'transports'
>;

/** What an authenticator is asked for a new passkey. The member verifies themselves at it: alone it opens the house. */
export function creationOptions(
  challenges: Challenges,
  asked: {
    readonly site: Site;
    readonly purpose: Purpose;
    readonly libraryName: string;
    readonly membre: { readonly identifiant: string; readonly nom: string };
    /** Those that the member has. */
    readonly known: readonly CleAccesRow[];
    /** Whether the new one is for all of them, as by an invitation; else no authenticator makes a second one. */
    readonly replaces: boolean;
  },
): OptionsCreation {
  const { site, purpose, libraryName, membre, known, replaces } = asked;
  const here = known.filter(({ hote }) => hote === site.hote);
  const userHandle = here[0]?.userHandle ?? randomBytes(32).toString('base64url');
  return {
    challenge: challenges.draw(purpose, userHandle),
    rp: { id: site.hote, name: libraryName },
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

/** What an authenticator is asked to sign for a sign-in. */
export const signatureOptions = (challenges: Challenges, { hote }: Site): OptionsSignature => ({
  challenge: challenges.draw('connexion'),
  rpId: hote,
  timeout: CHALLENGE_MS,
  userVerification: 'required',
});

/** Reads a passkey that was made for a challenge, which is used up by it. Throws `CLE_ACCES_REFUSEE`. */
export async function readCreated(
  challenges: Challenges,
  { site, purpose }: { readonly site: Site; readonly purpose: Purpose },
  made: CleAccesFaite,
): Promise<NewCleAcces> {
  const { challenge, drawn } = takeChallenge(challenges, purpose, made);
  if (drawn === null) throw new Refusal('CLE_ACCES_REFUSEE');
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...made, clientExtensionResults: {}, response: responseOf(made) },
    ...{ expectedChallenge: challenge, expectedOrigin: site.origin, expectedRPID: site.hote },
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (registrationInfo === undefined) throw new Refusal('CLE_ACCES_REFUSEE');
  const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
  return {
    ...{ credentialId, publicKey: Buffer.from(publicKey), signCount: counter },
    ...{ userHandle: drawn.userHandle, hote: site.hote, transports: transports.join(',') },
  };
}

/**
 * The count of a passkey that has signed a challenge of the sign-in, which is used up by it; `null` where the signature
 * is not right in any point: challenge, origin, host, member, verification, count.
 */
export async function readSigned(
  challenges: Challenges,
  site: Site,
  row: CleAccesRow | undefined,
  signature: Signature,
): Promise<number | null> {
  const { challenge, drawn } = takeChallenge(challenges, 'connexion', signature);
  const { userHandle } = signature.response;
  if (drawn === null || row === undefined || row.hote !== site.hote) return null;
  if (userHandle !== row.userHandle) return null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...signature, clientExtensionResults: {} },
    ...{ expectedChallenge: challenge, expectedOrigin: site.origin, expectedRPID: site.hote },
    credential: {
      ...{ id: row.credentialId, publicKey: new Uint8Array(row.publicKey), counter: row.signCount },
    },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  return verified ? (authenticationInfo?.newCounter ?? null) : null;
}

const responseOf = ({ response }: CleAccesFaite) => ({
  ...response,
  transports: transportsIn(response.transports ?? []),
});

const transportsIn = (names: readonly string[]): Transport[] =>
  TRANSPORTS.filter((known) => names.includes(known));

function takeChallenge(
  challenges: Challenges,
  purpose: Purpose,
  { response }: CleAccesFaite | Signature,
) {
  const challenge = challengeIn(response.clientDataJSON);
  return { challenge, drawn: challenges.take(challenge, purpose) };
}

/** The challenge that a browser says was signed; empty where it says none. */
function challengeIn(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return String(Reflect.get(Object(data), 'challenge'));
  } catch {
    return '';
  }
}
