import type { Moi } from '#shared/moi';
import type { Change } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { ReplicaManager } from './replica-manager.ts';
import { isSameDatabase } from './other-household.ts';
import { stateOf, type State } from './packs.ts';
import { SHAPES } from './shapes.ts';
import { Pages } from './pages.ts';
import {
  answeredInTime,
  replicaKey,
  replicaNoteOf,
  databaseName,
  databasePrefix,
  syncedKey,
  firstNote,
  IDENTITY_MS,
  type Ports,
  type TabMessage,
} from './ports.ts';
import type { Records } from './records.ts';
import { report, unawaited } from './report.ts';
import { ShownReplica } from './shown-replica.ts';
import {
  backOff,
  CLOSED,
  connectionAfter,
  Failure,
  type DeviceStatus,
  type Reader,
} from './status.ts';
import type { ReplicaManagerOptions } from './store.ts';
import type { StoredPacks } from './stored.ts';

/** The longest wait for the screen to show a write, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** The same during a first replica, which may receive thousands of records before the write. */
const FIRST_COPY_WAIT_MS = 2_000;

/** The first books of the list of all books. */
interface FirstNote {
  readonly shapes: string;
  readonly records: readonly Change[];
}

/** This device: its reader and their replica. In the application's first chunk; RxDB is loaded later. */
export class Device {
  status = CLOSED;
  /** The reader; `null` while unknown, or while the replica is being opened. */
  moi: Moi | null = null;
  /** The replica of who reads; `null` until it is loaded. */
  replicas: ReplicaManager | null = null;

  readonly #ports: Ports;
  readonly #records: Records;
  readonly #installation: string;
  readonly #loadReplicaManager: () => Promise<{ readonly ReplicaManager: typeof ReplicaManager }>;
  readonly #listeners = new Set<() => void>();
  /** Aborted when the replica of this reader closes. */
  #session = new AbortController();
  #identifying: Promise<void> | null = null;
  /** Failed steps that will be retried. */
  readonly #waiting = new Map<'identify' | 'load', () => void>();
  #failures = 0;
  #closing: Promise<void> = Promise.resolve();
  #showsBooks = false;

  /** @param installation distinguishes this application from others of its origin */
  constructor(
    ports: Ports,
    records: Records,
    installation: string,
    loadReplicaManager: () => Promise<{ readonly ReplicaManager: typeof ReplicaManager }>,
  ) {
    this.#ports = ports;
    this.#records = records;
    this.#installation = installation;
    this.#loadReplicaManager = loadReplicaManager;
    ports.channel.onMessage((message) => this.#onMessage(message));
  }

  /** @param showsBooks true if the page begins with the list of all books: the first page of changes is shown there */
  start({ visible, showsBooks }: { visible: boolean; showsBooks: boolean }): void {
    this.#showsBooks = showsBooks;
    this.#session = new AbortController();
    this.#set({ visible });
    // In parallel: an empty device would otherwise wait for the identity, RxDB and the first page
    // in turn.
    unawaited(
      this.identify(this.lastReader === null ? new Pages(this.#ports) : null),
      'asking who reads',
    );
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The last reader of this device, `null` before the first one. */
  get lastReader(): Moi | null {
    // `lecteur` is the key of the application's first version.
    return unsafeCast<Moi | null>(
      this.#ports.notes.get('reader') ?? this.#ports.notes.get('lecteur'),
    );
  }

  /** When the replica was last in sync with the server, in this visit or an earlier one. */
  get lastUpdate(): Date | null {
    const { reader, syncedAt } = this.status;
    if (reader === undefined) return null;
    const ms = syncedAt ?? unsafeCast<number | null>(this.#ports.notes.get(syncedKey(reader)));
    return ms === null ? null : new Date(ms);
  }

  setVisible(visible: boolean): void {
    this.#set({ visible });
    this.replicas?.setVisible(visible);
    const { reader } = this.status;
    if (visible && reader !== undefined && this.#isForgotten(reader))
      unawaited(this.#heedForget(reader), 'forgetting a reader');
    else if (visible) this.refresh();
  }

  /** Whether another tab has deleted this reader's replica: a page in the back-forward cache receives no message. */
  #isForgotten(reader: Reader): boolean {
    const { isComplete, storage } = this.status;
    const wasKept = isComplete && storage === null;
    const isOther = (this.lastReader?.utilisateur ?? null) !== reader;
    return wasKept && isOther && this.#ports.notes.get(replicaKey(reader)) === null;
  }

  /** Called when the page is shown or the network returns: retries failed steps, and pulls a stale replica. */
  refresh(): void {
    for (const retry of [...this.#waiting.values()]) retry();
    this.replicas?.refresh();
  }

  /** Pulls up to the revision of a write; resolves once it is shown, the attempt fails or takes too long. */
  waitForRevision(revision: number): Promise<void> {
    const { visible, isComplete } = this.status;
    if (!visible) return Promise.resolve();
    this.replicas?.pull(revision);
    return this.#until(
      (status) => status.revision >= revision,
      isComplete ? MAX_WAIT_MS : FIRST_COPY_WAIT_MS,
    );
  }

  /** Pulls once, even if the replica is fresh; resolves when that succeeds, fails or takes too long. */
  catchUp(): Promise<void> {
    const begun = this.#ports.clock.now();
    this.replicas?.pull(Infinity);
    return this.#until(({ syncedAtTick }) => syncedAtTick >= begun, MAX_WAIT_MS);
  }

  /** Stores the beginning of the list of all books, which the next start shows before the replica is read. */
  noteFirst(livreIds: readonly number[]): void {
    const { reader, isComplete, storage } = this.status;
    if (reader === undefined || !isComplete || storage !== null) return;
    const note: FirstNote = { shapes: SHAPES, records: this.#records.unversioned(livreIds) };
    this.#ports.notes.set(firstNote(reader), note);
  }

  identify(pages: Pages | null = null): Promise<void> {
    if (this.#identifying !== null) return this.#identifying;
    const identifying = this.#identify(pages).finally(() => {
      if (this.#identifying === identifying) this.#identifying = null;
    });
    this.#identifying = identifying;
    return identifying;
  }

  /** Sets the reader after a sign-in: until the server is asked again nobody else's replica is opened. */
  noteReader(moi: Moi): void {
    this.#ports.notes.set('reader', moi);
    this.#ports.channel.post({ type: 'reads', reader: moi.utilisateur });
  }

  /** Closes everything; nothing is deleted. */
  async stop(): Promise<void> {
    this.#close();
    this.status = { ...CLOSED, visible: this.status.visible };
    await this.#closing;
  }

  /** Closes everything and deletes the reader's replica, in all tabs. */
  async forget(reader: Reader): Promise<void> {
    this.#ports.channel.post({ type: 'forget', reader });
    await this.stop();
    await this.#delete(reader);
  }

  /** Deletes a reader's data; data that a frozen tab has open is deleted at a later start. */
  async #delete(reader: Reader): Promise<void> {
    const { notes, storage } = this.#ports;
    notes.set('leaving', [...this.#leavingBut(reader), reader]);
    if (await storage.forget(reader)) notes.set('leaving', this.#leavingBut(reader));
  }

  /** Other readers whose data may not be deleted completely. */
  #leavingBut(reader: Reader): readonly Reader[] {
    const leaving = unsafeCast<readonly Reader[] | null>(this.#ports.notes.get('leaving')) ?? [];
    return leaving.filter((one) => one !== reader);
  }

  async #identify(pages: Pages | null): Promise<void> {
    this.#waiting.delete('identify');
    const { signal } = this.#session;
    // The consumer of the page handles its failure.
    pages?.begin(null, false)?.catch(() => null);
    try {
      const moi = await this.#ports.server.identify(signal);
      const { utilisateur } = moi;
      const stays = await this.#stays(utilisateur, signal);
      if (signal.aborted) return;
      if (stays !== undefined) {
        this.#failures = 0;
        if (stays !== this.status.reader) this.#open(stays, { connection: 'otherHousehold' });
        return;
      }
      // This application stores the reader of each session it begins: without it, the browser has
      // deleted the data.
      const isForgotten = this.lastReader === null && moi.compte === true;
      const hasChanged = utilisateur !== (this.lastReader?.utilisateur ?? null);
      this.#ports.notes.set('reader', moi);
      this.#failures = 0;
      if (hasChanged) this.#ports.channel.post({ type: 'reads', reader: utilisateur });
      if (utilisateur !== this.status.reader)
        this.#open(utilisateur, { connection: 'online', isForgotten }, pages);
      else if (this.status.isOpen) {
        this.moi = moi;
        this.#set({});
      }
    } catch (error) {
      if (!signal.aborted) this.#failIdentifying(error);
    }
  }

  /**
   * The reader whose replica stays visible when another household names the reader: the last one, until the person
   * confirms. `undefined` if nobody's does, or if it is unknown: another reader's data must not be shown. A reader
   * with a replica on this device is asked about that one.
   */
  async #stays(named: Reader, signal: AbortSignal): Promise<Reader | undefined> {
    const { lastReader } = this;
    if (lastReader === null || lastReader.utilisateur === named) return undefined;
    const { notes, server } = this.#ports;
    const { inUse, other } = replicaNoteOf(notes, lastReader.utilisateur);
    if (inUse === null || replicaNoteOf(notes, named).inUse !== null) return undefined;
    const checkpoint = await this.#checkpointOf(lastReader.utilisateur, inUse);
    if (checkpoint === null) return undefined;
    try {
      const page = { limit: 1, modifications: false, timeoutMs: IDENTITY_MS };
      await server.pull(checkpoint, page, signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'foreignEpoch') {
        if (!signal.aborted) report(error, 'asking whose household answers');
        return undefined;
      }
      const { other: found } = error;
      // A restored database is still of the same household, in which each reader has a replica of their own.
      if (found === null || found.suite || found.bibliotheque === checkpoint.bibliotheque)
        return undefined;
      const isTaken = other?.answer === 'take' && isSameDatabase(other, found);
      return isTaken ? undefined : lastReader.utilisateur;
    }
  }

  /** The checkpoint of a complete replica; `null` if unreadable. */
  async #checkpointOf(reader: Reader, replica: number): Promise<State | null> {
    const prefix = databasePrefix(this.#installation, reader);
    let stored: StoredPacks | null = null;
    try {
      stored = await this.#stored(databaseName(prefix, replica));
      const state = stored && (await stateOf(stored));
      return state?.isComplete === true ? state : null;
    } catch (error) {
      report(error, 'reading how far the replica has come');
      return null;
    } finally {
      stored?.close();
    }
  }

  /**
   * Without a response the last reader's replica is opened; a page will name another reader if needed. On a device
   * without a reader a page without one proves nothing, so that the server is asked again.
   */
  #failIdentifying(error: unknown): void {
    report(error, 'asking who reads');
    const kind = error instanceof Failure ? error.kind : 'serverFailing';
    const { lastReader } = this;
    const isFirst = this.status.reader === undefined;
    if (isFirst) this.#open(lastReader?.utilisateur ?? null, { connection: connectionAfter(kind) });
    if (!isFirst || lastReader === null)
      this.#retry('identify', kind === 'offline', () => void this.identify());
  }

  /** Tries again by itself later, or at once where the page is used. */
  #retry(what: 'identify' | 'load', isOffline: boolean, run: () => void): void {
    const { clock } = this.#ports;
    const once = () => {
      if (this.#waiting.get(what) !== once) return;
      this.#waiting.delete(what);
      run();
    };
    this.#waiting.set(what, once);
    clock.after(backOff(++this.#failures, isOffline, clock), once);
  }

  #open(reader: Reader, known: Partial<DeviceStatus>, pages: Pages | null = null): void {
    this.#close();
    this.#session = new AbortController();
    const { signal } = this.#session;
    this.status = { ...CLOSED, reader, visible: this.status.visible };
    this.#records.clear();
    // A returning reader's data is no longer to be deleted.
    const others = this.#leavingBut(reader);
    this.#ports.notes.set('leaving', others);
    for (const left of others)
      this.#delete(left).catch((error: unknown) => report(error, 'forgetting a reader'));
    const set = (next: Partial<DeviceStatus>) => {
      if (!signal.aborted) this.#set(next);
    };
    const screen = new ShownReplica({
      records: this.#records,
      clock: this.#ports.clock,
      signal,
      set,
    });
    const prefix = databasePrefix(this.#installation, reader);
    const showing = this.#showStored(reader, prefix, screen).catch((error: unknown) => {
      report(error, 'showing the replica before RxDB is loaded');
    });
    unawaited(this.#showFirst(reader, screen, pages), 'showing the first page');
    this.#set(known);
    const options = {
      ports: this.#ports,
      screen,
      reader,
      prefix,
      signal,
      status: () => this.status,
      set,
      pages,
      onOtherReader: () => void this.identify(),
    };
    unawaited(this.#load(options, showing), 'opening the replica');
  }

  /**
   * Shows the active replica from the storage, and before that the stored first books: loading RxDB takes longer, and
   * so does reading all records.
   */
  async #showStored(reader: Reader, prefix: string, screen: ShownReplica): Promise<void> {
    const { notes } = this.#ports;
    const { inUse } = replicaNoteOf(notes, reader);
    if (inUse === null) return;
    const { signal } = this.#session;
    const first = unsafeCast<Partial<FirstNote> | null>(notes.get(firstNote(reader)));
    const shown = this.#showsBooks && first?.shapes === SHAPES ? (first.records ?? []) : [];
    this.#records.show(shown);
    let stored: StoredPacks | null = null;
    try {
      stored = await this.#stored(databaseName(prefix, inUse));
      const state = stored === null ? null : await stateOf(stored);
      if (stored !== null && state?.isComplete === true) await screen.show(stored, state);
    } finally {
      stored?.close();
      // The stored first books belong to an unreadable replica.
      if (screen.state === null && shown.length > 0 && !signal.aborted) screen.giveUp();
    }
  }

  /** The packs of a database; `null` if it does not exist, or another tab prevents opening it. */
  async #stored(database: string): Promise<StoredPacks | null> {
    const { storage, clock } = this.#ports;
    const opening = storage.stored(database);
    const stored = await answeredInTime(opening, clock);
    // A late connection is closed: an open one prevents deletion.
    if (stored === null)
      unawaited(
        opening.then((late) => late?.close()),
        'closing a replica that came late',
      );
    return stored;
  }

  async #showFirst(reader: Reader, screen: ShownReplica, pages: Pages | null): Promise<void> {
    if (!this.#showsBooks) return;
    const { signal } = this.#session;
    // A failure is left to the replication.
    const page = await pages?.first?.catch(() => null);
    if (page?.utilisateur === reader && !signal.aborted && this.replicas === null)
      screen.showFirst(page.changements);
  }

  async #load(options: ReplicaManagerOptions, showing: Promise<void>): Promise<void> {
    const closed = this.#closing;
    const isAborted = (): boolean => options.signal.aborted;
    try {
      const { ReplicaManager } = await this.#loadReplicaManager();
      await showing;
      await closed;
      if (isAborted()) return;
      const replicas = new ReplicaManager(options);
      this.replicas = replicas;
      await replicas.open();
      if (isAborted()) return;
      this.moi = this.lastReader;
      this.#set({});
    } catch (error) {
      report(error, 'opening the replica');
      // The code failed to load, perhaps because the network was lost at that moment.
      if (!isAborted()) this.#retry('load', true, () => void this.#load(options, showing));
    }
  }

  #set(change: Partial<DeviceStatus>): void {
    const status = { ...this.status, ...change };
    const isWell = status.connection === 'online' && status.storage === null;
    const troubleSince = isWell ? null : (status.troubleSince ?? this.#ports.clock.date());
    this.status = { ...status, troubleSince };
    for (const listener of [...this.#listeners]) listener();
  }

  #close(): void {
    this.#session.abort();
    // An aborted request answers no later caller.
    this.#identifying = null;
    const { replicas } = this;
    this.replicas = this.moi = null;
    this.#waiting.clear();
    this.#closing = this.#closing.then(() => replicas?.close());
  }

  #onMessage(message: TabMessage): void {
    const { reader } = this.status;
    if (reader === undefined) return;
    if (message.type === 'reads') {
      if (message.reader !== reader) unawaited(this.identify(), 'asking who reads');
    } else if (message.reader !== reader) return;
    else if (message.type === 'forget') unawaited(this.#heedForget(reader), 'forgetting a reader');
    else this.replicas?.onMessage(message);
  }

  /** Another tab has deleted the reader's data: deletes what this tab has written since. */
  async #heedForget(reader: Reader): Promise<void> {
    await this.stop();
    this.#records.clear();
    // The reader may have signed in again while this tab was frozen.
    if ((this.lastReader?.utilisateur ?? null) !== reader)
      await this.#delete(reader).catch((error: unknown) => report(error, 'forgetting a reader'));
    this.#session = new AbortController();
    await this.identify();
  }

  #until(isReached: (status: DeviceStatus) => boolean, maxMs: number): Promise<void> {
    return new Promise((done) => {
      const end = () => {
        stop();
        unsubscribe();
        done();
      };
      const stop = this.#ports.clock.after(maxMs, end);
      const look = () => {
        if (isReached(this.status) || this.status.connection !== 'online') end();
      };
      const unsubscribe = this.subscribe(look);
      look();
    });
  }
}
