import { send } from './send.ts';
import { href, base } from '$lib/format/address';
import { device } from '$lib/sync/this-device';
import { changerLecteur } from '#shared/connexion';
import type { Moi } from '#shared/moi';

/** Nobody comes back to these. */
const doors = () => [href('/connexion'), href('/connexion/retour'), href('/invitation')];

/** Nobody reads on this device. */
export const NOBODY: Moi = { utilisateur: null, email: null, nomComplet: null };

/**
 * Begins anew for who reads now, by a full navigation: nothing of whoever read before stays in memory.
 *
 * @param address one of `returnAddress`, or where the provider ends its own sign-in
 */
export function enter(moi: Moi, address: string): void {
  device.noteReader(moi);
  location.assign(address);
}

/** Where one came from, which the address of the sign-in says; the catalogue for anything that is not of this application. */
export function returnAddress({ origin, searchParams }: URL): string {
  const given = searchParams.get('retour') ?? '';
  const to = new URL(URL.canParse(given, origin) ? given : href('/'), origin);
  // Looked at as it is read: `/.//elsewhere` has a path that would be another host's address.
  const isOurs = to.origin === origin && to.pathname.startsWith(`${base}/`);
  return !isOurs || to.pathname.startsWith('//') || doors().includes(to.pathname)
    ? href('/')
    : to.pathname + to.search + to.hash;
}

/** Has a member who is signed in on this device read; `null` for nobody. */
export const turnTo = (membreId: number | null, code?: string): Promise<Moi> =>
  send(changerLecteur, { body: { membreId, ...(code !== undefined && { code }) } });
