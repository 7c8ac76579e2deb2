import { ApiError, call, type Call, type PlainEndpoint } from '$lib/api/call';
import { slowWrites } from '$lib/api/write.svelte';
import { base, href } from '$lib/format/address';
import { now, timeAgo } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { locale } from '$lib/format/locale';
import { follow } from '$lib/sync/language';
import { report } from '$lib/sync/report';
import { device } from '$lib/sync/this-device';
import type { FieldWithRefusals } from '$lib/ui/form/refused';
import { changerLecteur } from '#shared/connexion';
import type { Answer } from '#shared/endpoint';
import { lireMoi, type Moi } from '#shared/moi';
import { takesPasskeys } from '#shared/site';

/**
 * Sends a change of an account, once, in the reader's name. Without a response it may have succeeded, as the error
 * says.
 */
export const send = <E extends PlainEndpoint>(endpoint: E, request: Call<E>): Promise<Answer<E>> =>
  sendSignIn(endpoint, { reader: device.status.reader, ...request }).catch((error: unknown) => {
    const isLost = error instanceof ApiError && error.kind === 'offline';
    throw isLost ? new ApiError('offline', m.error_write_unknown()) : error;
  });

/** Sends a sign-in, without a reader. It may wait for others' long writes, which `connection.slowWrite` shows. */
export const sendSignIn = <E extends PlainEndpoint>(
  endpoint: E,
  request: Call<E>,
): Promise<Answer<E>> => slowWrites.watch(call(endpoint, request));

/** The fields that show refusals of an account's form. */
export const COMPTE_FIELDS: readonly FieldWithRefusals[] = [
  { key: 'nom', refusals: ['NOM_EXISTANT'] },
  { key: 'identifiant', refusals: ['IDENTIFIANT_EXISTANT'] },
  { key: 'motDePasse', refusals: ['IDENTIFIANTS_REFUSES'] },
  { key: 'nouveau' },
  { key: 'code' },
  { key: 'ancien', refusals: ['CODE_REFUSE'] },
];

export const NOBODY: Moi = { utilisateur: null, email: null, nomComplet: null };

/**
 * Reloads for a new reader: nothing of the former one stays in memory.
 *
 * @param address from `returnAddress`, or where the provider ends its own sign-in
 */
export async function enter(moi: Moi, address: string): Promise<void> {
  device.noteReader(moi);
  // The next page is in the language of its reader already.
  if (moi.utilisateur !== null)
    await call(lireMoi, {})
      .then((known) => follow(known, locale))
      .catch((error: unknown) => report(error, 'asking for the reader’s language'));
  begin(address);
}

/** Even if the sign-in page was left meanwhile: the screen no longer belongs to its reader. */
const begin = (address: string): void => location.assign(address);

/** The address that the sign-in was opened from; the catalogue for an address that is not of this application. */
export function returnAddress({ origin, searchParams }: URL): string {
  const given = searchParams.get('retour') ?? '';
  const to = new URL(URL.canParse(given, origin) ? given : href('/'), origin);
  // Parsed before it is trusted: `/.//elsewhere` has a path that would be another host's address.
  const isOurs = to.origin === origin && to.pathname.startsWith(`${base}/`);
  const doors = [href('/connexion'), href('/connexion/retour'), href('/invitation')];
  return !isOurs || to.pathname.startsWith('//') || doors.includes(to.pathname)
    ? href('/')
    : to.pathname + to.search + to.hash;
}

/** Makes a member who is signed in on this device the reader; `null` for nobody. */
export const turnTo = (membreId: number | null, code?: string): Promise<Moi> =>
  sendSignIn(changerLecteur, { body: { membreId, ...(code !== undefined && { code }) } });

/** Whether this page can create and use passkeys, without loading their code. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && isSecureContext && takesPasskeys(location);

/** When a credential was last used, in words. */
export const usedAgo = (vue: string): string =>
  m.session_used({ ago: timeAgo(new Date(vue), now()) });
