import { createSubscriber } from 'svelte/reactivity';
import type { Moi } from '#shared/moi';
import { lireVersion } from '#shared/version';
import { m } from '$lib/paraglide/messages';
import { call } from '../api/call.ts';
import { link, type LinkState } from '../api/link.ts';
import { at } from '../format/address.ts';
import { askAhead } from './browser/page-ahead.ts';
import { askToPersist, watchPage } from './browser/page-signals.ts';
import { loadStorage } from './browser/storage.ts';
import { engine, isFirstVisit, snapshots } from './device.ts';
import { report } from './report.ts';
import { slowWrites } from './slow-writes.svelte.ts';
import type { ConnectionStatus, Phase, State } from './states.ts';
import { hasServiceWorker, takeUpdate, watchForUpdate } from './updates.ts';

/** Marks a navigation that goes past the service worker, to the sign-on. */
const SIGN_IN_MARK = 'connexion';

/** The phases in which no copy is on the screen. */
const BEFORE_A_COPY: readonly Phase[] = ['stopped', 'identifying', 'opening', 'initialSync'];

const follow = createSubscriber((change) => engine.subscribe(change));

/** How this page stands with the server and with its reader, reactive. */
class Connection {
  /** True when a newer version of the application waits for the reader's word. */
  newVersion = $state(false);
  /** Told only where it changes: an effect that asks the server for something reads it. */
  #state = $state.raw<LinkState>(linkState());
  #wasEqual = false;
  #isWatching = false;

  get state(): LinkState {
    return this.#state;
  }

  /** The status for the screen: the link to the server, and where that is well the device's storage. */
  get status(): ConnectionStatus | NonNullable<State['storage']> {
    follow();
    const { connection, storage } = engine.state;
    return connection === 'online' && storage !== null ? storage : connection;
  }

  /** Who is reading; `null` while that is being asked, all its fields `null` when unknown. */
  get moi(): Moi | null {
    follow();
    return engine.moi;
  }

  /** True once the server has said that the reader is unknown: there are no personal records then. */
  get isAnonymous(): boolean {
    return this.moi !== null && this.moi.utilisateur === null;
  }

  /** When this device was last equal to the server. */
  get lastUpdate(): Date | null {
    follow();
    return engine.lastUpdate;
  }

  get isCatchingUp(): boolean {
    follow();
    return engine.state.phase === 'catchingUp';
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
    return this.moi === null ? m.write_identifying() : null;
  }

  get canWrite(): boolean {
    return this.reasonNotToWrite === null;
  }

  /** Called once, when the application starts. */
  start(): void {
    removeMark();
    engine.subscribe(() => this.#follow());
    watchPage((event) => engine.dispatch(event));
    if (hasServiceWorker()) this.#watchForUpdate();
    loadStorage();
    if (isFirstVisit() && navigator.onLine) askAhead();
    engine.start({
      visible: document.visibilityState === 'visible',
      online: navigator.onLine,
      showsBooks: location.pathname === at('/') && location.search === '',
    });
  }

  /** Signs in again: a full navigation past the service worker, back to this address. */
  signIn(): void {
    const url = new URL(location.href);
    url.searchParams.set(SIGN_IN_MARK, '');
    location.assign(url);
  }

  /** Takes the newer version in every tab. */
  reload(): void {
    void takeUpdate();
  }

  /** Called after every change of the copy's state. */
  #follow(): void {
    const { phase, reader } = engine.state;
    this.#state = link.state = linkState();
    if (BEFORE_A_COPY.includes(phase)) return;
    // The kept answers are read once the copy is on the screen.
    void snapshots.open(reader);
    const isEqual = phase === 'current' || phase === 'catchingUp';
    if (isEqual && !this.#wasEqual) {
      askToPersist();
      // Earlier its files would compete with the initial sync.
      this.#watchForUpdate();
      keepVersion();
      keepThumbnails();
    }
    this.#wasEqual = isEqual;
  }

  #watchForUpdate(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    watchForUpdate(() => (this.newVersion = true)).catch((error: unknown) =>
      report(error, 'registering the service worker'),
    );
  }
}

function linkState(): LinkState {
  const { connection } = engine.state;
  return connection === 'offline' || connection === 'sessionExpired' ? connection : 'online';
}

/** Keeps the server's version report, for the about page without a network. */
function keepVersion(): void {
  call(lireVersion, {}).then(
    (version) => snapshots.keep('version', version),
    (error: unknown) => report(error, 'asking for the version'),
  );
}

let isKeeping = false;

/** Begins to keep the covers, once a copy is whole: no earlier screen waits for them. */
function keepThumbnails(): void {
  if (isKeeping) return;
  isKeeping = true;
  import('./thumbnails/browser.ts').then(
    ({ startThumbnails }) => startThumbnails(),
    (error: unknown) => {
      // Asked for again when the copy is next equal to the server.
      isKeeping = false;
      report(error, 'loading the keeper of thumbnails');
    },
  );
}

/** Removes the mark from the address, after the navigation past the service worker. */
function removeMark(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has(SIGN_IN_MARK)) return;
  url.searchParams.delete(SIGN_IN_MARK);
  history.replaceState(history.state, '', url);
}

export const connection = new Connection();
