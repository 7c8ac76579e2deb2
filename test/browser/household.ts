import { commands } from 'vitest/browser';
import { expect, vi } from 'vitest';
import type { Answer, Endpoint, Query } from '#shared/endpoint';
import { ajouterLivre, type LivreSaisiEnSerie } from '#shared/livres';
import { preter, rendre } from '#shared/prets';
import { modifierStatut, type StatutOrNull } from '#shared/statuts';
import { addressOf, exchange, type Call } from '$lib/api/call';
import { link } from '$lib/api/link';
import { records } from '$lib/sync/records';
import { device } from '$lib/sync/this-device';

/** Opens a new household behind this page, and clears the browser's storage. */
export async function moveIn(user: string | null = 'alice'): Promise<void> {
  await closeCopy();
  link.state = 'online';
  localStorage.clear();
  await forgetAll();
  await commands.openHouse();
  await commands.signIn(user);
}

export async function moveOut(): Promise<void> {
  await closeCopy();
  await commands.closeHouse();
}

/** Deletes all IndexedDB databases of this origin. */
export async function forgetAll(): Promise<void> {
  await Promise.all((await indexedDB.databases()).map(({ name = '' }) => forget(name)));
}

export const forget = (name: string): Promise<void> =>
  new Promise((done, fail) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => done();
    request.onerror = () => fail(request.error ?? new Error(name));
  });

/** The IndexedDB databases that contain replicas' packs. */
export async function copyNames(): Promise<string[]> {
  const databases = await indexedDB.databases();
  return databases.flatMap(({ name = '' }) => (/--packs$/.test(name) ? name : []));
}

/** Closes this page's replica, as closing the page does. */
export async function closeCopy(): Promise<void> {
  await device.stop();
  records.clear();
}

/** Opens this page's replica, as loading the page does. */
export const openCopy = (): void => device.start({ visible: true, showsBooks: true });

/** Waits until this page's replica is in sync. */
export const untilCurrent = () =>
  vi.waitFor(() => expect(isCurrent(device)).toBe(true), { timeout: 30_000 });

/** Waits until RxDB has stored everything that is on the screen. */
export async function untilWritten(): Promise<void> {
  const { syncedAtTick } = device.status;
  device.replicas?.pull(Infinity);
  await vi.waitFor(() => expect(device.status.syncedAtTick).toBeGreaterThan(syncedAtTick), {
    timeout: 30_000,
  });
}

/** Whether a replica is in sync, as far as it knows. */
export const isCurrent = ({ status }: typeof device): boolean =>
  Number.isFinite(status.syncedAtTick) &&
  !status.isPulling &&
  status.rebuilding === null &&
  status.connection === 'online';

/** Writes as another device: directly to the server, past this device's replica. */
export const elsewhere = async <E extends Endpoint>(
  endpoint: E,
  request: Call<E>,
): Promise<Answer<E>> => (await exchange(endpoint, request)).body;

/**
 * The server's responses to many requests, sent by the test's Node process: from the page, thousands would take long.
 */
export const answersTo = async <E extends Endpoint>(
  endpoint: E,
  queries: readonly Query<E>[],
): Promise<Answer<E>[]> =>
  (await commands.answers(queries.map((query) => addressOf(endpoint, { query })))) as Answer<E>[];

export const addLivre = async (
  titre: string,
  rest: Partial<LivreSaisiEnSerie> = {},
): Promise<number> => {
  const livre = await elsewhere(ajouterLivre, {
    query: { confirmerDoublon: true },
    body: { titre, format: 'Physique', ...rest },
  });
  return livre.id;
};

export const lendTo = async (livreId: number, emprunteur: string): Promise<number> =>
  (await elsewhere(preter, { params: { id: livreId }, body: { emprunteur } })).id;

export const giveBack = (pretId: number) => elsewhere(rendre, { params: { id: pretId } });

export const setStatut = (livreId: number, statut: StatutOrNull) =>
  elsewhere(modifierStatut, { params: { id: livreId }, body: { statut } });
