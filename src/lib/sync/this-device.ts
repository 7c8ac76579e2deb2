import { lireMoi } from '#shared/moi';
import { objectKeys } from '#shared/object-keys';
import { pullChanges, type ChangePage } from '#shared/replication';
import { ApiError, call, refusalOf } from '../api/call.ts';
import { link, listen } from '../api/link.ts';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { base, href } from '../format/address.ts';
import { Device } from './device.ts';
import {
  IDENTITY_MS,
  type ChannelPort,
  type ClockPort,
  type ReplicaNote,
  type KeyValuePort,
  type ServerPort,
  type StoragePort,
  type TabMessage,
} from './ports.ts';
import { records } from './records.ts';
import { report } from './report.ts';
import { Failure, type Reader } from './status.ts';
import { openStored } from './stored.ts';

/** A page is aborted after so long without any data, in milliseconds. */
const PAGE_IDLE_MS = 20_000;

const server: ServerPort = {
  async pull(checkpoint, { limit, modifications, timeoutMs }, signal) {
    const query = {
      ...(checkpoint !== null && { epoque: checkpoint.epoque, revision: checkpoint.revision }),
      limite: limit,
      modifications,
    };
    const within = timeoutMs === undefined ? { idleMs: PAGE_IDLE_MS } : { timeoutMs };
    try {
      return unsafeCast<ChangePage>(await call(pullChanges, { query, signal, ...within }));
    } catch (error) {
      signal.throwIfAborted();
      // Without a checkpoint the epoch cannot be another database's: an ordinary failure.
      const refusal = refusalOf(error);
      if (refusal?.code === 'EPOQUE_PERIMEE' && checkpoint !== null)
        throw new Failure('foreignEpoch', error, refusal);
      throw failureOf(error);
    }
  },

  async identify(signal) {
    try {
      return await call(lireMoi, { signal, timeoutMs: IDENTITY_MS });
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    }
  },

  listen,
};

function failureOf(error: unknown): Failure {
  const kind = error instanceof ApiError ? error.kind : 'unexpected';
  const isNamed = kind === 'offline' || kind === 'sessionExpired';
  return new Failure(isNamed ? kind : 'serverFailing', error);
}

export const clock: ClockPort = {
  now: () => performance.now(),
  date: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  pause: () => {
    // Not supported by every browser.
    if ('scheduler' in globalThis && 'yield' in scheduler) return scheduler.yield();
    return new Promise((resume) => void setTimeout(resume));
  },
  chance: () => Math.random(),
};

/** Runs work on `localStorage`; `undefined` if the browser throws, as without room or with site data blocked. */
export function attempt<T>(what: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    report(error, what);
    return undefined;
  }
}

/** A part of the browser; `null` where it has none, as on plain http, or refuses it, as in some private windows. */
export const browserPart = <
  K extends 'clipboard' | 'locks' | 'mediaDevices' | 'serviceWorker' | 'storage',
>(
  name: K,
): Navigator[K] | null => attempt(`asking the browser for ${name}`, () => navigator[name]) ?? null;

export const OURS = `rayonnage.${base && `${base}|`}`;

/** Prefixes of the keys of drafts, scans and waiting wishes in `localStorage`. */
export const ENTRY_KEYS = {
  draft: `rayonnage.draft${base}|`,
  file: `rayonnage.file${base}|`,
  scan: `rayonnage.scan${base}|`,
  wish: `rayonnage.wish|${base}|`,
};

export type EntryKind = keyof typeof ENTRY_KEYS;

/** The prefix of one reader's keys. */
export const entryPrefix = (kind: EntryKind, reader: Reader): string =>
  `${ENTRY_KEYS[kind]}${encodeURIComponent(reader ?? '')}|`;

/** Notes that the browser did not keep; they last as long as the page. */
const unkept = new Map<string, unknown>();

export const notes: KeyValuePort = {
  get(key) {
    if (unkept.has(key)) return unkept.get(key);
    const read = () => {
      const text = localStorage.getItem(OURS + key);
      return text === null ? null : unsafeCast<unknown>(JSON.parse(text));
    };
    return attempt(`reading the note ${key}`, read) ?? null;
  },

  set(key, value) {
    const write = () => {
      localStorage.setItem(OURS + key, JSON.stringify(value));
      return unkept.delete(key);
    };
    if (attempt(`noting ${key}`, write) === undefined) unkept.set(key, value);
  },
};

/** The session key for the scroll positions of lists. */
export const POSITIONS = `${OURS}places`;

/** Deletes a reader's stored entries: drafts, unsent data, a chosen file, aims, and the replica's state. */
function forgetNotes(reader: Reader): void {
  const named = encodeURIComponent(reader ?? '');
  const begins = objectKeys(ENTRY_KEYS).map((kind) => entryPrefix(kind, reader));
  const isTheirs = (key: string) =>
    begins.some((prefix) => key.startsWith(prefix)) ||
    key === `${OURS}equal.${reader ?? ''}` ||
    // The searches of this tab's lists.
    key === POSITIONS ||
    // The reader stored by the application's first version.
    key === `${OURS}lecteur` ||
    (key.startsWith(OURS) && /^[a-z]+\|([^|]*)/.exec(key.slice(OURS.length))?.[1] === named);
  for (const key of [...unkept.keys()]) if (isTheirs(OURS + key)) unkept.delete(key);
  attempt('forgetting a reader', () => {
    for (const kept of [localStorage, sessionStorage])
      for (const key of Object.keys(kept)) if (isTheirs(key)) kept.removeItem(key);
  });
}

/** Whether any reader has a replica in use. */
const hasReplica = (): boolean =>
  attempt('looking for replicas', () =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(`${OURS}copy|`))
      .map((key) => unsafeCast<ReplicaNote | null>(notes.get(key.slice(OURS.length))))
      .some((note) => note !== null && note.inUse !== null),
  ) ?? true;

const loadReplicaManager = () => import('./replica-manager.ts');

/** With blocked site data Dexie throws on import: the application has to work without it. */
const loadStorage = () => import('./storage.ts');

const storage: StoragePort = {
  device: async (onClosed) => (await loadStorage()).openStorage(onClosed),
  memory: async () => ({
    ...(await import('rxdb/plugins/storage-memory')).getRxStorageMemory(),
    // RxDB would keep collections in memory for the page's lifetime.
    collectionStates: new Map(),
  }),
  stored: openStored,
  drop: async (reader, except) => (await loadStorage()).drop(reader, except),
  async forget(reader) {
    forgetNotes(reader);
    const isGone = await (await loadStorage()).drop(reader, []);
    const { ThumbnailStore } = await import('./thumbnails/store.ts');
    const thumbnails = new ThumbnailStore(base);
    await thumbnails.forget(reader, !hasReplica());
    await thumbnails.close();
    return isGone;
  },
};

/** Between the tabs of this installation; none where the browser blocks it, as Firefox with all site data. */
const tabs = attempt(
  'opening the channel between tabs',
  () => new BroadcastChannel(`rayonnage|tabs|${base}`),
);
const channel: ChannelPort = {
  post: (message) => tabs?.postMessage(message),
  onMessage: (listener) =>
    tabs?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      listener(unsafeCast<TabMessage>(data));
    }),
};

/** The device of this page: one replica for each installation on a host. */
export const device = new Device(
  { server, storage, notes, clock, channel, locks: browserPart('locks') },
  records,
  base,
  loadReplicaManager,
);

/** True where somebody who is known by name has read on this device, and has not signed out. */
export const hasReader = (): boolean => (device.lastReader?.utilisateur ?? null) !== null;

export const WORKER = href('/service-worker.js');

/**
 * Whether the service worker is this application's: before its first one, that of an installation at the host's root
 * answers.
 */
export const hasServiceWorker = (): boolean =>
  browserPart('serviceWorker')?.controller?.scriptURL === location.origin + WORKER;

/** Preloads the code with RxDB while the server is asked for the reader. */
export function preloadReplicaManager(): void {
  loadReplicaManager().catch((error: unknown) => report(error, 'loading the replicas'));
  loadStorage().catch((error: unknown) => report(error, 'loading the storage of the device'));
}

// Pulls, however fresh the replica is.
link.failed = () => device.replicas?.pull(Infinity);
link.fault = report;
link.reader = () => device.status.reader;
link.household = () => device.status.bibliotheque || undefined;
link.waitForRevision = (revision) => device.waitForRevision(revision);
link.catchUp = () => device.catchUp();
