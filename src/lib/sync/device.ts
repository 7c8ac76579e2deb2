import type { Moi } from '#shared/moi';
import { backOff } from './back-off.ts';
import { DeviceNotes } from './device-notes.ts';
import { connectionAfter, Failure } from './failure.ts';
import { askFirstPages, type FirstPages } from './first-pages.ts';
import { FirstScreen } from './first-screen.ts';
import type { Ports } from './ports.ts';
import type { Reader } from './status.ts';
import type { Records } from './records.ts';
import type { Replica } from './replica.ts';
import { report } from './report.ts';
import { CLOSED, type ConnectionStatus, type DeviceStatus } from './status.ts';
import type { TabMessage } from './tab-message.ts';
import { Tabs } from './tabs.ts';

/** The longest wait for the screen to show a write, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** Loads what brings RxDB along. */
type LoadReplica = () => Promise<{ readonly Replica: typeof Replica }>;

/** What is known when a copy is opened. */
interface Opening {
  readonly first: FirstPages | null;
  readonly connection: ConnectionStatus;
}

interface StartingPage {
  readonly visible: boolean;
  /** True where it begins with the list of all books, whose first ones can be shown at once. */
  readonly showsBooks: boolean;
}

/**
 * This device: who reads on it, and that reader's copy. It is in the first file of the application, RxDB
 * and the replica behind it.
 */
export class Device {
  status: DeviceStatus = { ...CLOSED, reader: undefined, visible: true };
  /** Who reads; `null` while that is being asked or their copy is being opened. */
  moi: Moi | null = null;
  /** The copy of who reads; `null` until it is loaded. */
  replica: Replica | null = null;

  readonly #ports: Ports;
  readonly #records: Records;
  readonly #installation: string;
  readonly #loadReplica: LoadReplica;
  readonly #notes: DeviceNotes;
  readonly #tabs: Tabs;
  readonly #listeners = new Set<() => void>();
  #firstScreen: FirstScreen | null = null;
  /** Aborted when the copy of this reader closes. */
  #session = new AbortController();
  #identifying: Promise<void> | null = null;
  #identifyFailures = 0;
  #openFailures = 0;
  #stopTimer: (() => void) | null = null;
  #closing: Promise<void> = Promise.resolve();
  #showsBooks = false;

  /** @param installation tells this application from another one of the same origin */
  constructor(ports: Ports, records: Records, installation: string, loadReplica: LoadReplica) {
    this.#ports = ports;
    this.#records = records;
    this.#installation = installation;
    this.#loadReplica = loadReplica;
    this.#notes = new DeviceNotes(ports.notes);
    this.#tabs = new Tabs(ports.channel, ports.clock.chance());
    this.#tabs.listen((message) => this.#hear(message));
  }

  start({ visible, showsBooks }: StartingPage): void {
    this.#showsBooks = showsBooks;
    this.#session = new AbortController();
    this.#set({ visible });
    void this.identify(this.#notes.lastReader() === null ? askFirstPages(this.#ports) : null);
  }

  /** Calls `listener` after every change of the status until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** When the copy was last equal to the server, in this visit or an earlier one. */
  get lastUpdate(): Date | null {
    const { reader, equalAt } = this.status;
    if (reader === undefined) return null;
    return Number.isFinite(equalAt) ? new Date(equalAt) : this.#notes.lastUpdate(reader);
  }

  /** The page is looked at, or no longer. */
  setVisible(visible: boolean): void {
    this.#set({ visible });
    if (this.status.reader !== undefined) this.#tabs.present(this.status.reader, visible);
    this.replica?.setWatched(this.#tabs.isWatched);
    if (visible) this.refresh();
  }

  /** The page or the network is back: pulls unless the copy is fresh. */
  refresh(): void {
    if (this.#stopTimer !== null) void this.identify();
    this.replica?.refresh();
  }

  /** An exchange failed elsewhere: pulls, however fresh the copy is. */
  reSync(): void {
    this.replica?.reSync();
  }

  /** Fills a fresh copy beside the one on the screen. */
  renew(): void {
    this.replica?.renew();
  }

  /** Has the next start of this reader paint some books before it has opened the copy. */
  keepFirstScreen(livreIds: readonly number[]): void {
    const { whole, storage } = this.status;
    if (whole && storage === null) this.#firstScreen?.keep(this.#records.changesOf(livreIds));
  }

  /** Pulls up to the revision of a write and waits until the screen shows it, a try fails or 10 s are over. */
  reach(revision: number): Promise<void> {
    return this.#until(
      ({ revision: shown, ahead }) => Math.max(shown, ahead) >= revision,
      () => this.replica?.pullWrite(revision),
    );
  }

  /** Pulls once, however fresh the copy is, and waits until that succeeds, fails or takes too long. */
  catchUp(): Promise<void> {
    const begun = this.#ports.clock.now();
    return this.#until(
      ({ equalAt }) => equalAt >= begun,
      () => this.reSync(),
    );
  }

  /** Asks who reads, and opens the copy of who it is. */
  identify(first: FirstPages | null = null): Promise<void> {
    this.#identifying ??= this.#identify(first).finally(() => (this.#identifying = null));
    return this.#identifying;
  }

  /**
   * Notes who reads from now on, as the sign-in has said: until the server is asked again nobody else's copy is
   * opened, with or without a network.
   */
  noteReader(moi: Moi): void {
    this.#notes.setLastReader(moi);
    this.#tabs.post({ type: 'reader', of: moi.utilisateur });
  }

  /** Closes everything; nothing is deleted. */
  async stop(): Promise<void> {
    this.#tabs.leave();
    this.#close();
    this.status = { ...CLOSED, reader: undefined, visible: this.status.visible };
    await this.#closing;
  }

  async #identify(first: FirstPages | null): Promise<void> {
    this.#stopTimer?.();
    this.#stopTimer = null;
    const { signal } = this.#session;
    try {
      const moi = await this.#ports.server.identify(signal);
      if (signal.aborted) return;
      const { utilisateur } = moi;
      const isNews = utilisateur !== (this.#notes.lastReader()?.utilisateur ?? null);
      this.#notes.setLastReader(moi);
      this.#identifyFailures = 0;
      if (isNews) this.#tabs.post({ type: 'reader', of: utilisateur });
      if (utilisateur !== this.status.reader) {
        this.#open(utilisateur, { first, connection: 'online' });
      } else {
        this.moi = moi;
        this.#set({});
      }
    } catch (error) {
      if (!signal.aborted) this.#failIdentifying(error);
    }
  }

  /** Without an answer the copy of the last reader is opened; a page will tell who reads. */
  #failIdentifying(error: unknown): void {
    report(error, 'asking who reads');
    const kind = error instanceof Failure ? error.kind : 'serverFailing';
    this.#identifyFailures++;
    if (this.status.reader === undefined) {
      const last = this.#notes.lastReader()?.utilisateur ?? null;
      this.#open(last, { first: null, connection: connectionAfter(kind) });
      return;
    }
    const { clock } = this.#ports;
    const ms = backOff(this.#identifyFailures, kind === 'offline', () => clock.chance());
    this.#stopTimer = clock.after(ms, () => void this.identify());
  }

  #open(reader: Reader, { first, connection }: Opening): void {
    this.#close();
    const session = new AbortController();
    this.#session = session;
    const { visible } = this.status;
    this.status = { ...CLOSED, reader, visible, connection };
    this.#records.clear();
    this.#tabs.present(reader, visible);
    const [notes, records, installation] = [this.#ports.notes, this.#records, this.#installation];
    const firstScreen = new FirstScreen({ notes, records, installation, reader });
    this.#firstScreen = firstScreen;
    const isWanted = () => this.#session === session && this.replica === null;
    if (this.#showsBooks) firstScreen.show(first?.first ?? null, isWanted);
    this.#set({});
    const closed = this.#closing;
    this.#loadReplica()
      .then(async ({ Replica }) => {
        await closed;
        if (session.signal.aborted) return;
        const replica = new Replica({
          ports: this.#ports,
          records: this.#records,
          reader,
          installation: this.#installation,
          tabs: this.#tabs,
          firstScreen,
          onOtherReader: () => void this.identify(),
          onTakeOver: () => firstScreen.forget(),
          first,
          connection,
        });
        this.replica = replica;
        replica.status$.subscribe((status) => this.#follow(status));
        await replica.open();
        if (this.#session !== session) return;
        this.moi = this.#notes.lastReader();
        this.#set({});
      })
      .catch((error: unknown) => {
        report(error, 'opening the copy');
        if (!session.signal.aborted) this.#openAgain(reader, connection);
      });
  }

  /** Opens a copy again whose code did not load: the network may have gone in that moment. */
  #openAgain(reader: Reader, connection: ConnectionStatus): void {
    const { clock } = this.#ports;
    const ms = backOff(++this.#openFailures, true, () => clock.chance());
    this.#stopTimer = clock.after(ms, () => this.#open(reader, { first: null, connection }));
  }

  #follow(status: Partial<DeviceStatus>): void {
    const { equalAt, reader } = this.status;
    this.#set(status);
    const { isLeader, equalAt: now } = this.status;
    if (isLeader && reader !== undefined && now > equalAt) this.#notes.setLastUpdate(reader, now);
  }

  #set(change: Partial<DeviceStatus>): void {
    this.status = { ...this.status, ...change };
    for (const listener of [...this.#listeners]) listener();
  }

  #close(): void {
    this.#session.abort();
    const { replica } = this;
    this.replica = this.moi = null;
    this.#stopTimer?.();
    this.#stopTimer = null;
    this.#closing = this.#closing.then(() => replica?.close());
  }

  #hear(message: TabMessage): void {
    this.replica?.setWatched(this.#tabs.isWatched);
    const { reader } = this.status;
    if (message.type === 'reader') {
      if (reader !== undefined && message.of !== reader) void this.identify();
    } else if (message.reader === reader) this.replica?.hear(message);
  }

  #until(isReached: (status: DeviceStatus) => boolean, ask: () => void): Promise<void> {
    return new Promise((done) => {
      const end = () => {
        stop();
        unsubscribe();
        done();
      };
      const stop = this.#ports.clock.after(MAX_WAIT_MS, end);
      const look = () => {
        if (isReached(this.status) || this.status.connection !== 'online') end();
      };
      const unsubscribe = this.subscribe(look);
      ask();
      look();
    });
  }
}
