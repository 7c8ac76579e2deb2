import { createSubscriber } from 'svelte/reactivity';
import type { Moi } from '#shared/moi';
import { lireVersion } from '#shared/version';
import { m } from '$lib/paraglide/messages';
import type * as WorkersPage from '../../service-worker/page.ts';
import { call } from '../api/call.ts';
import { link, type LinkState } from '../api/link.ts';
import { href } from '../format/address.ts';
import { writable } from '../api/writable.svelte.ts';
import { slowWrites } from '../api/write.svelte.ts';
import { answers } from './answers.svelte.ts';
import { nameOrphans } from './orphans.ts';
import type { OtherHousehold } from './other-household.ts';
import { report } from './report.ts';
import type { ConnectionStatus, DeviceStatus, Reader, StorageTrouble } from './status.ts';
import {
  browserPart,
  device,
  hasReader,
  hasServiceWorker,
  preloadReplicaManager,
} from './this-device.ts';

/** Marks a navigation to the sign-on, which the service worker must not answer. */
const SIGN_IN_MARK = 'connexion';

const follow = createSubscriber((change) => device.subscribe(change));

/** The page's connection to the server and its reader, reactive. */
class Connection {
  /** True if a newer version of the application waits for the reader's confirmation. */
  newVersion = $state(false);
  /** Assigned only on a change, since effects that query the server depend on it. */
  state = $state.raw<LinkState>(linkState());
  /** The household that the screen showed last; empty before any is known. */
  #household = '';
  /** The reader of the replica last shown. */
  #reader: Reader = null;
  /** The revision that the replica has reached, assigned only on a change; `null` before the first. */
  revision = $state.raw<number | null>(null);
  /** When the replica was last equal to the server, while that is in reach. */
  #syncedAtTick = -Infinity;
  /** Whether a complete replica is on the screen, and the server in reach. */
  #isWhole = false;

  /** The status for the screen: the link to the server, or if that is up, the device's storage. */
  get status(): ConnectionStatus | StorageTrouble | 'forgotten' {
    follow();
    const { connection, storage, isForgotten } = device.status;
    if (connection !== 'online') return connection;
    return storage ?? (isForgotten ? 'forgotten' : 'online');
  }

  /** The identifier of the household that is on the screen; empty before it is known. */
  get household(): string {
    follow();
    return device.status.bibliotheque;
  }

  /**
   * The household that answers instead of the shown one; unchanged while the server is unreachable. `null` if there
   * is none, or the replica is being replaced.
   */
  get other(): OtherHousehold | null {
    follow();
    const { connection, other } = device.status;
    if (connection === 'online') return null;
    return connection !== 'otherHousehold' && other?.answer === 'take' ? null : other;
  }

  /** The beginning of the present trouble; `null` without any. */
  get troubleSince(): Date | null {
    follow();
    const { troubleSince } = device.status;
    return troubleSince === null ? null : new Date(troubleSince);
  }

  /** The reader; `null` while it is unknown, all its fields `null` for an anonymous one. */
  get moi(): Moi | null {
    follow();
    return device.moi;
  }

  /** True once the server has said that the reader is anonymous: there are no personal records then. */
  get isAnonymous(): boolean {
    return this.moi !== null && this.moi.utilisateur === null;
  }

  /** The full name given by the sign-on, else the identifier; `null` for an unknown reader. */
  get readerName(): string | null {
    return this.moi?.nomComplet ?? this.moi?.utilisateur ?? null;
  }

  get lastUpdate(): Date | null {
    follow();
    return device.lastUpdate;
  }

  /** The changes received so far by a replica that will replace this one; `null` without any. */
  get rebuilding(): number | null {
    follow();
    return device.status.rebuilding;
  }

  /** True if a complete replica is stored on the device, not only in memory. */
  get isKept(): boolean {
    follow();
    return device.status.isComplete && device.status.storage === null;
  }

  /** True if a proxy buffers the event stream, so that the server is polled: see `DeviceStatus`. */
  get isStreamBuffered(): boolean {
    follow();
    return device.status.isStreamBuffered;
  }

  /** True while this tab replicates for all tabs of its reader, and runs work for all of them. */
  get isLeader(): boolean {
    follow();
    return device.status.isLeader;
  }

  get isCatchingUp(): boolean {
    follow();
    return device.status.isPulling;
  }

  /** The warning about a write without a response for five seconds; `null` without one. */
  get slowWrite(): string | null {
    const { count, travail } = slowWrites;
    if (count === 0) return null;
    return travail === null ? m.write_slow() : m.write_waits({ travail });
  }

  /** A sentence with the reason why nothing can be written now; `null` if writing is possible. */
  get reasonNotToWrite(): string | null {
    if (this.state === 'offline') return m.write_offline();
    if (this.state === 'sessionExpired') return m.write_session_expired();
    if (this.state === 'otherHousehold') return m.write_other_household();
    return this.moi === null ? m.write_identifying() : null;
  }

  get canWrite(): boolean {
    return this.reasonNotToWrite === null;
  }

  start(): void {
    removeMark();
    device.subscribe(() => this.#follow());
    watchPage();
    if (hasServiceWorker()) watch();
    device.start({
      visible: document.visibilityState === 'visible',
      showsBooks: location.pathname === href('/') && location.search === '',
    });
    // After the first requests: RxDB's files would occupy all six connections to the host.
    preloadReplicaManager();
  }

  /** True if the service requires a sign-in and the device has nothing to show. */
  get mustSignIn(): boolean {
    follow();
    const isStranger = device.status.connection === 'sessionExpired' && link.hasOwnSignIn;
    return isStranger && !hasReader();
  }

  /** Signs in again: at the service's own page, or by a full navigation past the service worker, back to this address. */
  signIn(): void {
    const url = new URL(location.href);
    if (link.hasOwnSignIn) {
      location.assign(signInAddress(url));
      return;
    }
    url.searchParams.set(SIGN_IN_MARK, '');
    location.assign(url);
  }

  /** The person's answer about the household that answers instead of the replica's. */
  answerOther(answer: 'keep' | 'take'): void {
    device.replicas?.answer(answer);
  }

  reload(): void {
    withWorker(({ takeUpdate }) => takeUpdate()).catch(() => location.reload());
  }

  #follow(): void {
    const { isOpen, isComplete, revision, syncedAtTick, connection, bibliotheque } = device.status;
    this.state = link.state = linkState();
    writable.isPossible = this.canWrite;
    this.revision = isComplete ? revision : null;
    this.#followHousehold(device.status);
    if (!isOpen) return;
    // Cached responses are read once the replica is shown.
    answers().open(bibliotheque, device.replicas?.answers ?? null);
    const isWhole = isComplete && connection === 'online';
    // Earlier its files would compete with the first replica, possibly in another tab; later
    // history entries can wait.
    if (isWhole && !this.#isWhole) watch();
    this.#isWhole = isWhole;
    const isSyncedAgain = this.#syncedAtTick === -Infinity;
    const hasChanged = syncedAtTick !== this.#syncedAtTick;
    this.#syncedAtTick = connection === 'online' ? syncedAtTick : -Infinity;
    if (this.#syncedAtTick === -Infinity || !hasChanged) return;
    if (isSyncedAgain) keepVersion();
    // Retries a failed `watch` at the next change.
    else watch();
    askToPersist();
    keepFiles();
    keepThumbnails();
  }

  #followHousehold({ reader = null, bibliotheque }: DeviceStatus): void {
    const hasChanged = bibliotheque !== '' && bibliotheque !== this.#household;
    if (hasChanged) this.#household = bibliotheque;
    // Entries of another reader are named when they read.
    if (hasChanged || (bibliotheque !== '' && reader !== this.#reader))
      nameOrphans(reader, bibliotheque);
    this.#reader = reader;
  }
}

function linkState(): LinkState {
  const { connection } = device.status;
  return connection === 'serverFailing' ? 'online' : connection;
}

function keepVersion(): void {
  const kept = answers();
  call(lireVersion, {}).then(
    (version) => kept.keep('version', version),
    (error: unknown) => report(error, 'asking for the version'),
  );
}

/** Passes the browser's events about this page and its network to the device, for as long as the page lives. */
function watchPage(): void {
  for (const name of ['online', 'focus']) addEventListener(name, () => device.refresh());
  addEventListener('offline', () => device.replicas?.pull(Infinity));
  const look = () => device.setVisible(document.visibilityState === 'visible');
  document.addEventListener('visibilitychange', look);
  // A page that is put aside, or frozen, can do nothing: another tab replicates.
  addEventListener('pagehide', () => device.setVisible(false));
  document.addEventListener('freeze', () => device.setVisible(false));
  addEventListener('pageshow', look);
  document.addEventListener('resume', look);
}

/** A blocked feature fails every time: limits the attempts per page. */
const MAX_TRIES = 3;

/** Runs work once; a later call retries it after a failure, such as a file that did not load. */
function once(what: string, work: () => Promise<unknown>): () => void {
  let isBegun = false;
  let failures = 0;
  return () => {
    if (isBegun || failures === MAX_TRIES) return;
    isBegun = true;
    work().catch((error: unknown) => {
      isBegun = false;
      failures++;
      report(error, what);
    });
  };
}

const askToPersist = once('asking to persist', async () => {
  const storage = browserPart('storage');
  if (storage !== null && 'persist' in storage) await storage.persist();
});

/** The code that talks to the service worker is loaded after the first screen. */
const withWorker = async <T>(ask: (page: typeof WorkersPage) => Promise<T>): Promise<T> =>
  ask(await import('../../service-worker/page.ts'));

const keepFiles = once('keeping the files of the application', () =>
  withWorker(({ keepMissingFiles }) => keepMissingFiles()),
);

const keepThumbnails = once('loading the keeper of thumbnails', async () => {
  const { startThumbnails } = await import('./thumbnails/browser.ts');
  startThumbnails();
});

const watch = once('registering the service worker', () =>
  withWorker(({ watchForUpdate }) => watchForUpdate(() => (connection.newVersion = true))),
);

function removeMark(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has(SIGN_IN_MARK)) return;
  url.searchParams.delete(SIGN_IN_MARK);
  history.replaceState(history.state, '', url);
}

/** The address of the sign-in page, which returns to an address of this application. */
export const signInAddress = ({ pathname, search, hash }: URL): string =>
  `${href('/connexion')}?${new URLSearchParams({ retour: pathname + search + hash })}`;

export const connection = new Connection();
