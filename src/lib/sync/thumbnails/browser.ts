import { createSubscriber } from 'svelte/reactivity';
import { MAX_BATCH, lireLignes, readThumbnails } from '#shared/couvertures';
import { base } from '../../format/address.ts';
import { ApiError, call } from '$lib/api/call';
import { unsafeCast } from '../../api/unsafe-cast.ts';
import { Failure } from '../status.ts';
import { records } from '../records.ts';
import { browserPart, clock, device } from '../this-device.ts';
import {
  ThumbnailKeeper,
  wantedKeys,
  type KeeperState,
  type KeeperSubject,
  type Room,
} from './keeper.ts';
import { ThumbnailStore } from './store.ts';

/** The timeout of a batch in milliseconds: it is small, and nobody waits for it. */
const TIMEOUT_MS = 60_000;

/** The browser's information about the connection, if any. */
interface Line extends EventTarget {
  readonly saveData?: boolean;
}

const line = (): Line | null =>
  'connection' in navigator ? unsafeCast<Line>(navigator.connection) : null;

const subject: KeeperSubject = {
  reader: () => device.status.reader,
  wanted: () => wantedKeys(records, () => clock.pause()),
  version: () =>
    (['livres', 'numeros', 'souhaits'] as const).map((kind) => records.version(kind)).join('.'),
  mayFetch() {
    const { syncedAtTick, isPulling, isLeader, visible, connection } = device.status;
    const isSynced = Number.isFinite(syncedAtTick) && !isPulling && connection === 'online';
    return isSynced && isLeader && visible;
  },
  savesData: () => line()?.saveData === true,
};

async function askForThumbnails(
  cles: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ArrayBuffer>> {
  try {
    const query = { cles: cles.join(',') };
    const batch = await call(lireLignes, { query, signal, timeoutMs: TIMEOUT_MS });
    const pictures = readThumbnails(batch).map((bytes, index) => [cles[index], bytes] as const);
    return new Map(
      pictures.flatMap(([cle, bytes]) =>
        cle === undefined || bytes === null ? [] : [[cle, bytes.slice().buffer]],
      ),
    );
  } catch (error) {
    signal.throwIfAborted();
    const isOffline = error instanceof ApiError && error.kind === 'offline';
    throw new Failure(isOffline ? 'offline' : 'serverFailing', error);
  }
}

/** The space granted by the browser; if it does not tell, a write does. */
async function room(): Promise<Room> {
  const storage = browserPart('storage');
  if (storage === null) return { used: 0, granted: Infinity };
  const { usage = 0, quota = Infinity } = await storage.estimate();
  return { used: usage, granted: quota };
}

const thumbnails = new ThumbnailKeeper(subject, {
  store: new ThumbnailStore(base),
  clock,
  ask: askForThumbnails,
  room,
  maxBatch: MAX_BATCH,
});

/** Begins to fill the device, for as long as the page lives; called once. */
export function startThumbnails(): void {
  const wake = () => thumbnails.wake();
  device.subscribe(wake);
  for (const kind of ['livres', 'numeros', 'souhaits'] as const) records.subscribe(kind, wake);
  line()?.addEventListener('change', wake);
  wake();
}

const follow = createSubscriber((change) => thumbnails.subscribe(change));

export function readKeeperState(): KeeperState {
  follow();
  return thumbnails.state;
}

/** Counts the stored covers again, after another tab may have fetched some. */
export const recountCovers = (): void => thumbnails.recount();
