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

/** Marks a navigation that goes past the service worker, to the sign-on. */
const SIGN_IN_MARK = 'connexion';

const follow = createSubscriber((change) => device.subscribe(change));

/** How this page stands with the server and with its reader, reactive. */
class Connection {
  /** True when a newer version of the application waits for the reader's word. */
  newVersion = $state(false);
  /** Set only when it changes: effects that ask the server read it. */
  state = $state.raw<LinkState>(linkState());
  /** The household that the screen showed last; empty before any is known. */
  #household = '';
  /** Whose replica the screen showed last. */
  #reader: Reader = null;
  /** The revision of the server's database up to which the replica goes, set only where it changes; `null` before the first. */
  revision = $state.raw<number | null>(null);
  /** When the replica was last equal to the server, while that is in reach. */
  #syncedAtTick = -Infinity;
  /** Whether a complete replica is on the screen, and the server in reach. */
  #isWhole = false;

  /** The status for the screen: the link to the server, and where that is well the device's storage. */
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
   * The household that answers in place of the one on the screen; stays while the server is out of reach. `null` if there
   * is none, or if the replica is being replaced.
   */
  get other(): OtherHousehold | null {
    follow();
    const { connection, other } = device.status;
    if (connection === 'online') return null;
    return connection !== 'otherHousehold' && other?.answer === 'take' ? null : other;
  }

  /** Since when the status is not well; `null` while it is. */
  get troubleSince(): Date | null {
    follow();
    const { troubleSince } = device.status;
    return troubleSince === null ? null : new Date(troubleSince);
  }

  /** Who is reading; `null` while that is being asked, all its fields `null` when unknown. */
  get moi(): Moi | null {
    follow();
    return device.moi;
  }

  /** True once the server has said that the reader is unknown: there are no personal records then. */
  get isAnonymous(): boolean {
    return this.moi !== null && this.moi.utilisateur === null;
  }

  /** The full name that the sign-on gives, or else the identifier; `null` where nobody is known. */
  get readerName(): string | null {
    return this.moi?.nomComplet ?? this.moi?.utilisateur ?? null;
  }

  get lastUpdate(): Date | null {
    follow();
    return device.lastUpdate;
  }

  /** How many changes have come of a replica that will replace this one; `null` while none is made. */
  get rebuilding(): number | null {
    follow();
    return device.status.rebuilding;
  }

  /** True where a whole replica is on the device, and not only in memory. */
  get isKept(): boolean {
    follow();
    return device.status.isComplete && device.status.storage === null;
  }

  /** True if a proxy buffers the event stream, so that the server is polled: see `DeviceStatus`. */
  get isStreamBuffered(): boolean {
    follow();
    return device.status.isStreamBuffered;
  }

  /** True while this tab replicates for all tabs of its reader, and does what one of them is to do. */
  get isLeader(): boolean {
    follow();
    return device.status.isLeader;
  }

  get isCatchingUp(): boolean {
    follow();
    return device.status.isPulling;
  }

  /** What is said of a write that has been without an answer for five seconds; `null` where none has. */
  get slowWrite(): string | null {
    const { count, travail } = slowWrites;
    if (count === 0) return null;
    return travail === null ? m.write_slow() : m.write_waits({ travail });
  }

  /** Why nothing can be written at this moment, in a sentence; `null` when it can. */
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
    // After the first requests: a browser has six connections to a host, and RxDB's files would take them all.
    preloadReplicaManager();
  }

  /** True where the service asks to sign in and nobody has read on this device, so that there is nothing to show. */
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

  /** What the person says of the household that answers in place of the replica's. */
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
    // The kept answers are read once the replica is on the screen.
    answers().open(bibliotheque, device.replicas?.answers ?? null);
    const isWhole = isComplete && connection === 'online';
    // Earlier its files would compete with the first replica, which another tab may fill; the acts that follow can wait.
    if (isWhole && !this.#isWhole) watch();
    this.#isWhole = isWhole;
    const isSyncedAgain = this.#syncedAtTick === -Infinity;
    const hasChanged = syncedAtTick !== this.#syncedAtTick;
    this.#syncedAtTick = connection === 'online' ? syncedAtTick : -Infinity;
    if (this.#syncedAtTick === -Infinity || !hasChanged) return;
    if (isSyncedAgain) keepVersion();
    // Tries again what has failed above, at the next change.
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

/** What a browser blocks fails each time: so often it is tried while the page lives. */
const MAX_TRIES = 3;

/** Does something at the first call only, or again at a later one where it has failed, as what loads a file may. */
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

/** What talks to the service worker is loaded behind the first screen. */
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

/** The page on which one signs in, and comes back from to an address of this application. */
export const signInAddress = ({ pathname, search, hash }: URL): string =>
  `${href('/connexion')}?${new URLSearchParams({ retour: pathname + search + hash })}`;

export const connection = new Connection();
