import {
  BehaviorSubject,
  combineLatest,
  concatMap,
  EMPTY,
  ignoreElements,
  type Observable,
  Subject,
  Subscription,
  switchMap,
  tap,
} from 'rxjs';
import type { OtherDatabase } from '#shared/refusal-details';
import { epochOf, type ChangePage } from '#shared/replication';
import { written$, type Answers } from './database.ts';
import { isLeader$, silent } from './lead.ts';
import { databaseOf, isSameDatabase, type OtherHousehold } from './other-household.ts';
import { changesIn, checkpointOf, prepareToRead, stateOf, type Pack, type State } from './packs.ts';
import { stateDocument, stateIn } from './written-packs.ts';
import { Pages } from './pages.ts';
import { answeredInTime, databaseName, syncedKey, type TabMessage, type TabNews } from './ports.ts';
import { pull, type PullEvent } from './pull.ts';
import { report, unawaited } from './report.ts';
import {
  DeviceOpening,
  deviceStore,
  dropReplaced,
  memoryStore,
  openIn,
  type Replica,
  type DeviceStorage,
  type ReplicaManagerOptions,
  type Store,
} from './store.ts';
import {
  backOff,
  connectionAfter,
  isQuota,
  type DeviceStatus,
  type FailureKind,
  type StorageTrouble,
} from './status.ts';
import { announcements, type BufferedStream } from './stream.ts';

/** A replica that was equal to the server this recently is fresh, in milliseconds. */
const FRESH_MS = 10_000;

/** The least time between two tries that events cause, in milliseconds. */
const FLOOR_MS = 3_000;

/**
 * How long other tabs have to switch to the new database, in milliseconds; a later read of the old one reopens the
 * storage.
 */
const REPLACED_MS = 3_000;

/** A failure within this time counts as the same problem, in milliseconds. */
const SETTLED_MS = 300_000;

/** The pause after a storage failure, in milliseconds. */
const STORAGE_PAUSE_MS = 60_000;

/** Manages one reader's replicas on this device, and keeps them in sync with the server. */
export class ReplicaManager {
  readonly #options: ReplicaManagerOptions;
  readonly #visible$: BehaviorSubject<boolean>;
  readonly #used$ = new Subject<void>();
  /** Emits at each message of the leader. */
  readonly #heartbeat$ = new Subject<void>();
  readonly #synced$ = new Subject<void>();
  /** Whether this tab replicates; emitted again to start over. */
  readonly #pulls$ = new BehaviorSubject(false);
  readonly #failures: { count: number };
  readonly #bufferedStream: BufferedStream = { until: -Infinity };
  #pages: Pages | null;
  /** The device's storage, or its replacement; `null` while none is open. */
  #opened: Store | null = null;
  readonly #deviceStorage: DeviceOpening;
  readonly #replicas = new Map<number, Replica>();
  #active: Replica | null = null;
  #staging: Replica | null = null;
  /** The number of an unreadable active replica: another one is filled. */
  #unreadable: number | null = null;
  #leading = new Subscription();
  #rebuilds = 0;
  #storageFailedAt = -Infinity;
  #storageFailures = 0;
  #triedAt = -Infinity;
  #stopRetry: () => void = () => undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ReplicaManagerOptions) {
    const { connection, visible } = options.status();
    this.#options = options;
    this.#pages = options.pages;
    this.#visible$ = new BehaviorSubject(visible);
    this.#failures = { count: connection === 'online' ? 0 : 1 };
    this.#deviceStorage = new DeviceOpening(options, (storage, name) => {
      const isOurs = [...this.#replicas.values()].some(({ database }) => database.name === name);
      // If this page did not close it, the browser has deleted it.
      if (this.#opened?.storage === storage && isOurs)
        this.#storageFailed(new Error('the database of the replica is gone'));
    });
  }

  /** Opens and shows the stored replica, and starts replication. */
  async open(): Promise<void> {
    await this.#runExclusive(() => this.#openStorage());
  }

  /** The cached responses beside the records; `null` while no database is open. */
  get answers(): Answers | null {
    return (this.#active ?? this.#staging)?.database.answers ?? null;
  }

  /** Pauses replication while the page is hidden. */
  setVisible(isVisible: boolean): void {
    this.#visible$.next(isVisible);
  }

  /** The page is used again, or the network is back: pulls unless the replica is fresh. */
  refresh(): void {
    const { syncedAtTick, connection, isLeader } = this.#status;
    const isFresh = connection === 'online' && this.#now - syncedAtTick < FRESH_MS;
    if (!isLeader || !isFresh) this.pull(Infinity);
    const canRetry = this.#now - this.#deviceStorage.triedAt >= FLOOR_MS;
    if (this.#status.storage === 'storageBlocked' && canRetry) this.#openStorageBeside();
  }

  /** Pulls unless a revision is reached; a waiting retry is brought forward. */
  pull(revision: number): void {
    if (!this.#status.isLeader) this.#used$.next();
    else if (this.#failures.count === 0) this.#announce(revision);
    else this.#retry();
  }

  /** Brings a waiting retry forward, at the earliest to the end of the minimal pause. */
  #retry(): void {
    this.#stopRetry();
    const waitMs = FLOOR_MS - (this.#now - this.#triedAt);
    if (waitMs > 0) {
      this.#stopRetry = this.#options.ports.clock.after(waitMs, () => {
        if (!this.#isClosed && this.#status.isLeader && this.#failures.count > 0) this.#retry();
      });
      return;
    }
    this.#triedAt = this.#now;
    this.#pulls$.next(true);
  }

  /** Fills a new replica beside the active one, which stays visible until the new one is complete. */
  rebuild(): void {
    this.#whileOpen(async () => {
      if (this.#status.connection === 'otherHousehold') return;
      await this.#begin();
      // The next leader finds it in the note.
      this.#used$.next();
    });
  }

  /** The person's answer about another household: keep the replica, or replace it. */
  answer(answer: 'keep' | 'take'): void {
    this.#whileOpen(async () => {
      const { other } = this.#store.note;
      if (other === null || this.#active === null) return;
      this.#noteOther({ ...other, answer });
      if (answer === 'keep') return;
      this.#active.isSuperseded$.next(true);
      await this.#begin();
      this.#used$.next();
    });
  }

  onMessage(message: TabMessage): void {
    if (message.type === 'waits') {
      this.#postStatus();
      return;
    }
    // Any message counts as a heartbeat, even an unknown type of another version.
    this.#heartbeat$.next();
    if (message.type === 'replaced') this.#whileOpen(() => this.#takeUp());
    if (message.type === 'other') this.#whileOpen(() => this.#showOther());
    if (message.type !== 'status' || this.#status.isLeader) return;
    const { connection, equalOn: syncedAt } = message;
    const hasChanged = syncedAt !== null && syncedAt !== this.#status.syncedAt;
    if (hasChanged || connection !== this.#status.connection)
      this.#options.set({ connection, syncedAt, ...(hasChanged && { syncedAtTick: this.#now }) });
  }

  /** Closes everything, after its signal; nothing is deleted. */
  async close(): Promise<void> {
    await this.#turn;
    await this.#closeAll();
  }

  get #status(): DeviceStatus {
    return this.#options.status();
  }

  get #now(): number {
    return this.#options.ports.clock.now();
  }

  get #isClosed(): boolean {
    return this.#options.signal.aborted;
  }

  /** Changes of databases and screen run one at a time, until this is closed. */
  #runExclusive(work: () => unknown): Promise<unknown> {
    const done = this.#turn
      .then(() => this.#isClosed || work())
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#storageFailed(error);
      });
    this.#turn = done;
    return done;
  }

  #enqueue(work: () => unknown): void {
    unawaited(this.#runExclusive(work), 'keeping the replica');
  }

  #whileOpen(work: () => unknown): void {
    this.#enqueue(() => this.#opened !== null && work());
  }

  #later(ms: number, work: () => unknown): void {
    this.#options.ports.clock.after(ms, () => this.#whileOpen(work));
  }

  get #store(): Store {
    if (this.#opened === null) throw new Error('no storage is open');
    return this.#opened;
  }

  // The storage

  /** Opens the device's storage; if it does not respond, continues in memory until it does. */
  async #openStorage(): Promise<void> {
    await this.#closeAll();
    if (this.#isClosed) return;
    try {
      const opening = this.#deviceStorage.open();
      const opened = await answeredInTime(opening, this.#options.ports.clock);
      if (opened !== null) {
        await this.#useDevice(opened);
        return;
      }
      this.#useOnceOpen(opening);
      report(new Error('the storage does not answer'), 'opening the replica');
      await this.#openMemory('storageBlocked');
    } catch (error) {
      report(error, 'opening the replica');
      await this.#recover(error);
    }
  }

  /** Opens the device's storage while working in memory, then switches. */
  #openStorageBeside(): void {
    const isOpening = this.#deviceStorage.isPending;
    if (this.#isClosed || isOpening || this.#opened?.isShared !== false) return;
    this.#useOnceOpen(this.#deviceStorage.open());
  }

  #useOnceOpen(opening: Promise<DeviceStorage>): void {
    opening.then(
      async (opened) => {
        await this.#runExclusive(() => this.#useDevice(opened));
        if (this.#isClosed) await opened.database?.close();
      },
      (error: unknown) => {
        report(error, 'opening the replica again');
        this.#openStorageLater();
      },
    );
  }

  async #useDevice(device: DeviceStorage): Promise<void> {
    const { ports, reader, set } = this.#options;
    // Two calls may have waited for one opening.
    if (this.#opened?.storage === device.storage) return;
    await this.#closeAll();
    if (this.#isClosed) {
      await device.database?.close();
      return;
    }
    this.#unreadable = null;
    this.#opened = deviceStore(ports, reader, device);
    try {
      await this.#openReplicas();
      set({ storage: null });
    } catch (error) {
      report(error, 'opening the replica');
      await this.#recover(error);
    }
  }

  #storageFailed(error: unknown): void {
    const failed = this.#opened;
    report(error, 'keeping the replica');
    this.#enqueue(async () => {
      // A lost connection fails several operations: the first of them has reopened the storage.
      if (failed !== null && this.#opened === failed) await this.#recover(error);
    });
  }

  /** A failing storage is reopened once; after another failure, or without space, continues in memory. */
  async #recover(error: unknown): Promise<void> {
    const isAgain = this.#hasFailed;
    this.#storageFailedAt = this.#now;
    if (isQuota(error)) await this.#openMemory('storageFull');
    else if (isAgain) await this.#openMemory('storageBlocked');
    else await this.#openStorage();
  }

  get #hasFailed(): boolean {
    return this.#now - this.#storageFailedAt < SETTLED_MS;
  }

  /** Continues in memory with the shown records, and retries the device's storage. */
  async #openMemory(trouble: StorageTrouble): Promise<void> {
    const { ports, screen, set } = this.#options;
    await this.#closeAll();
    if (this.#isClosed) return;
    set({ storage: trouble });
    this.#openStorageLater();
    this.#opened = await memoryStore(ports, this.#status.other);
    const shown = screen.state;
    if (shown !== null && shown.epoque !== '') {
      const replica = await this.#openReplica(1);
      // Every record is on the screen: the pages that follow are enough.
      await replica.database.packs.bulkUpsert([stateDocument({ ...shown, packs: [] })]);
      if (shown.isComplete) {
        // A replica that was being filled is continued once the device's storage is open again.
        const { rebuilding } = this.#status;
        await this.#activate(replica);
        set({ rebuilding });
      }
    }
    await this.#openReplicas();
  }

  /** Retries the device's storage with growing pauses, unless it has everything that is shown. */
  #openStorageLater(): void {
    const failures = this.#status.isComplete ? Math.min(5, ++this.#storageFailures) : 1;
    this.#options.ports.clock.after(STORAGE_PAUSE_MS * failures, () => {
      const isKept = this.#opened?.isShared === true && this.#status.isComplete;
      if (this.#opened?.isShared === false) this.#openStorageBeside();
      else if (!isKept) this.#enqueue(() => this.#openStorage());
    });
  }

  async #closeAll(): Promise<void> {
    this.#leading.unsubscribe();
    this.#pulls$.next(false);
    this.#opened = null;
    await this.#closeReplicas();
    this.#options.set({ isLeader: false, isPulling: false });
  }

  async #closeReplicas(kept: Replica | null = null): Promise<void> {
    const others = [...this.#replicas.values()].filter((replica) => replica !== kept);
    await Promise.all(others.map((replica) => this.#closeReplica(replica)));
  }

  async #closeReplica(replica: Replica): Promise<void> {
    this.#replicas.delete(replica.number);
    if (replica === this.#active) this.#active = null;
    if (replica === this.#staging) this.#staging = null;
    replica.following.unsubscribe();
    await replica.database.close().catch((error: unknown) => report(error, 'closing a database'));
  }

  // The replicas

  /** The replica that the screen follows: the active one, or the first one while it is filled. */
  get #onScreen(): Replica | null {
    return this.#active ?? (this.#options.screen.isFilling ? this.#staging : null);
  }

  async #openReplicas(): Promise<void> {
    await this.#follow().catch(async (error: unknown) => {
      // Read once more, then another one is filled.
      if (!this.#hasFailed || isQuota(error)) throw error;
      report(error, 'reading the replica in use');
      this.#unreadable = this.#store.note.inUse;
      await this.#closeReplicas();
      this.#openStorageLater();
    });
    if (this.#active === null) await this.#openNext();
    if (this.#isClosed) return;
    this.#options.screen.open();
    this.#followLeadership();
    this.#deleteReplaced();
  }

  async #openReplica(number: number): Promise<Replica> {
    const open = this.#replicas.get(number);
    if (open !== undefined) return open;
    const { ports, prefix } = this.#options;
    const database = await openIn(this.#store, databaseName(prefix, number), ports);
    const announced$ = new Subject<number>();
    const following = new Subscription();
    const isSuperseded$ = new BehaviorSubject(false);
    const replica: Replica = { number, database, following, announced$, isSuperseded$ };
    following.add(
      written$(database.packs)
        .pipe(concatMap((packs) => this.#runExclusive(() => this.#onPacks(replica, packs))))
        .subscribe(),
    );
    following.add(
      combineLatest([this.#pulls$, isSuperseded$])
        .pipe(switchMap(([pulls, isOver]) => (pulls && !isOver ? this.#pull(replica) : EMPTY)))
        .subscribe((event) => this.#onPullEvent(replica, event)),
    );
    this.#replicas.set(number, replica);
    return replica;
  }

  /** Switches to the active replica and shows other tabs' changes; false if it was active already. */
  async #follow(): Promise<boolean> {
    const { screen, set } = this.#options;
    const { isShared, note } = this.#store;
    const { inUse } = note;
    const before = this.#active;
    // A replica in memory is only written by this tab.
    if (!isShared || inUse === null || inUse === this.#unreadable) return false;
    const replica = await this.#openReplica(inUse);
    const { packs } = replica.database;
    const state = await stateOf(packs);
    if (state?.isComplete !== true) {
      // The browser has lost it.
      await this.#closeReplica(replica);
      this.#store.note = { inUse: null, next: inUse + 1, other: null };
      set({ isForgotten: true });
      return false;
    }
    const isOther = before !== null && before !== replica;
    if (isOther || !screen.has(state)) await screen.show(packs, state);
    if (before === replica) return false;
    await this.#activate(replica);
    return true;
  }

  /** Opens or creates the staging replica, and shows it if there is nothing else. */
  async #openNext(): Promise<void> {
    const { ports, screen } = this.#options;
    const { note } = this.#store;
    const { inUse, next } = note;
    // The first is numbered by the clock: a frozen tab may still block the name of a deleted replica.
    const number = next ?? (inUse ?? ports.clock.date()) + 1;
    this.#store.note = { ...note, next: number };
    const replica = (this.#staging = await this.#openReplica(number));
    const { packs } = replica.database;
    const state = await stateOf(packs);
    // A crash came between its last page and its being put in use.
    if (state?.isComplete === true) return this.#replace(replica, state);
    const { isComplete, rebuilding } = this.#status;
    if (inUse !== null && isComplete && rebuilding === null) this.#options.set({ rebuilding: 0 });
    if (this.#active !== null) return;
    if (state !== null && screen.isFilling && !screen.has(state)) await screen.show(packs, state);
  }

  /** Starts another replica beside the active one; an existing staging one is continued. */
  async #begin(): Promise<void> {
    // Another tab may have been faster.
    if (await this.#follow()) return;
    if (this.#staging === null) await this.#openNext();
  }

  /**
   * The server does not know the staging replica: starts another one, with growing pauses. If it was to replace
   * another database's replica, the server is asked again which one answers.
   */
  async #beginAnew(replica: Replica): Promise<void> {
    const { ports, screen } = this.#options;
    const pauseMs = backOff(++this.#rebuilds, false, ports.clock);
    const active = this.#active;
    if (active?.isSuperseded$.value === true) {
      await this.#giveUpNext();
      this.#later(pauseMs, () => active.isSuperseded$.next(false));
      return;
    }
    if (replica === this.#onScreen) screen.giveUp();
    await this.#closeReplica(replica);
    this.#store.note = { ...this.#store.note, next: replica.number + 1 };
    active?.announced$.next(Infinity);
    // The replica may be abandoned meanwhile, or another tab may have filled it.
    this.#later(pauseMs, () => this.#store.note.next !== null && this.#begin());
  }

  /** Abandons the staging replica. */
  async #giveUpNext(): Promise<void> {
    if (this.#staging !== null) await this.#closeReplica(this.#staging);
    if (this.#store.note.next === null) return;
    this.#store.note = { ...this.#store.note, next: null };
    this.#options.set({ rebuilding: null });
    this.#deleteReplaced();
  }

  /** Makes the screen follow a replica; the others are closed. */
  async #activate(replica: Replica): Promise<void> {
    this.#active = replica;
    this.#staging = null;
    if (this.#store.note.inUse !== replica.number)
      this.#store.note = { inUse: replica.number, next: null, other: null };
    if (this.#store.note.next === null) this.#options.set({ rebuilding: null });
    this.#showOther();
    await this.#closeReplicas(replica);
  }

  /**
   * Activates the filled replica once it has reached the screen's progress, which must not go back.
   *
   * @param isShown whether the screen has followed it
   */
  async #replace(replica: Replica, state: State, isShown = false): Promise<void> {
    const { screen } = this.#options;
    const before = this.#active;
    if (replica !== this.#staging || !state.isComplete) return;
    const epoch = this.#epochOf(replica);
    if (epoch !== null && epoch !== epochOf(state)) return this.#beginAnew(replica);
    if (screen.isAhead(state) && before?.isSuperseded$.value !== true) {
      replica.announced$.next(screen.state?.revision ?? 0);
      return;
    }
    if (!isShown) await screen.show(replica.database.packs, state, screen.state !== null);
    const hasChanged = this.#store.note.inUse !== replica.number;
    await this.#activate(replica);
    if (!hasChanged) return;
    this.#post({ type: 'replaced' });
    this.#later(before === null ? 0 : REPLACED_MS, () => this.#deleteReplaced());
  }

  #deleteReplaced(): void {
    dropReplaced(this.#store, this.#options.ports, this.#options.reader);
  }

  /**
   * Shows a page before RxDB has stored it, which takes longer than the download. Only if the screen is at the page's
   * own checkpoint: otherwise changes that another tab stored would be skipped.
   */
  async #showNext(from: State, { changements, epoque, revision }: ChangePage): Promise<void> {
    const { screen } = this.#options;
    if (screen.has(from)) await screen.add(changements, { ...from, epoque, revision });
  }

  /** A page was written, by this tab or another: shows it completely unless it is shown already. */
  async #onPacks(replica: Replica, packs: readonly Pack[]): Promise<void> {
    if (this.#opened === null) return;
    await prepareToRead(packs);
    if (this.#replicas.get(replica.number) !== replica) return;
    const { screen } = this.#options;
    const state = stateIn(packs);
    const isShown = replica === this.#onScreen;
    if (isShown && (state === null || !screen.has(state)))
      await screen.add(state !== null && screen.holds(state) ? [] : changesIn(packs), state);
    if (state !== null && !this.#isClosed) await this.#replace(replica, state, isShown);
  }

  // The server

  #followLeadership(): void {
    const { clock, locks } = this.#options.ports;
    // A replica in memory belongs to this tab.
    const shared = this.#store.isShared ? locks : null;
    // Of two windows side by side the leader may be frozen while visible.
    const waiting$ = silent(this.#heartbeat$, clock, () => this.#post({ type: 'waits' })).pipe(
      tap(() => this.#used$.next()),
      ignoreElements(),
    );
    this.#leading = isLeader$(shared, this.#options.prefix, this.#visible$, this.#used$)
      .pipe(
        tap((isLeader) => {
          this.#options.set({ isLeader, ...(!isLeader && { isPulling: false }) });
          if (!isLeader) this.#pulls$.next(false);
        }),
        switchMap((isLeader) => (isLeader ? this.#replicate() : waiting$)),
      )
      .subscribe((revision) => this.#announce(revision));
  }

  /** Emits the server's announcements. */
  #replicate(): Observable<number> {
    const { ports, set } = this.#options;
    const { server, clock } = ports;
    this.#whileOpen(() => this.#takeUp());
    const onBuffered = (isStreamBuffered: boolean) => set({ isStreamBuffered });
    return announcements(
      server,
      clock,
      this.#synced$,
      () => checkpointOf(this.#options.screen.state),
      this.#bufferedStream,
      onBuffered,
    );
  }

  /** Continues from what other tabs have written while this one was frozen, including the staging replica. */
  async #takeUp(): Promise<void> {
    const { isShared } = this.#store;
    await this.#follow();
    // Another tab has abandoned it.
    const staging = this.#active === null ? null : this.#staging;
    if (staging !== null && this.#store.note.next !== staging.number)
      await this.#closeReplica(staging);
    const isFilling = this.#status.isLeader && this.#store.note.next !== null;
    if (isShared && (this.#active === null || isFilling)) await this.#openNext();
    if (this.#status.isLeader && !this.#pulls$.value) this.#pulls$.next(true);
  }

  /** The required epoch of a staging replica; `null` for any. */
  #epochOf(replica: Replica): string | null {
    const { state } = this.#options.screen;
    if (replica === this.#active || this.#active === null || state === null) return null;
    const { other } = this.#store.note;
    return other?.answer === 'take' ? other.epoque : epochOf(state);
  }

  /** Replicates a replica. */
  #pull(replica: Replica): Observable<PullEvent> {
    const { ports, reader } = this.#options;
    const pages = this.#pages ?? new Pages(ports);
    this.#pages = null;
    return pull({
      packs: replica.database.packs,
      reader,
      pages,
      clock: ports.clock,
      announced$: replica.announced$,
      // A replacement includes the history, so that it stays visible.
      modifications: this.#status.isComplete,
      epoch: () => this.#epochOf(replica),
      failures: this.#failures,
    });
  }

  #announce(revision: number): void {
    for (const { announced$ } of this.#replicas.values()) announced$.next(revision);
  }

  #onPullEvent(replica: Replica, event: PullEvent): void {
    const { set } = this.#options;
    const isShown = replica === this.#onScreen;
    if (event.type === 'asked') {
      this.#triedAt = this.#now;
      if (isShown) set({ isPulling: true });
    } else if (event.type === 'page') {
      const { from, page } = event;
      const { rebuilding } = this.#status;
      const counts = !isShown && rebuilding !== null;
      const received = page.changements.length;
      if (replica === this.#active) this.#onReconnect();
      const isAnswering = replica === this.#active || this.#status.other?.isAsked !== true;
      set({
        connection: isAnswering ? 'online' : 'otherHousehold',
        ...(counts && { rebuilding: rebuilding + received }),
      });
      if (from !== null) this.#whileOpen(() => this.#showNext(from, page));
    } else if (event.type === 'storage') this.#storageFailed(event.error);
    else if (event.type === 'synced') this.#whileOpen(() => this.#onSynced(replica));
    else this.#failed(replica, event.kind, event.other);
  }

  #onSynced(replica: Replica): void {
    const { ports, reader, set } = this.#options;
    if (!this.#status.isLeader || replica !== this.#active) return;
    const syncedAt = ports.clock.date();
    ports.notes.set(syncedKey(reader), syncedAt);
    set({ connection: 'online', syncedAtTick: this.#now, syncedAt, isPulling: false });
    this.#postStatus();
    this.#synced$.next();
  }

  #failed(replica: Replica, kind: FailureKind, other: OtherDatabase | null): void {
    this.#options.set({ isPulling: false });
    if (kind === 'otherReader') this.#whileOpen(() => this.#onOtherReader());
    else if (kind === 'foreignEpoch') this.#whileOpen(() => this.#onUnknownEpoch(replica, other));
    else {
      this.#options.set({ connection: connectionAfter(kind) });
      this.#postStatus();
    }
  }

  // Another database at the same address

  /** Replaces the replica if little would be lost; otherwise a person is asked. */
  async #onUnknownEpoch(replica: Replica, other: OtherDatabase | null): Promise<void> {
    const { screen, set } = this.#options;
    if (replica === this.#staging) return this.#beginAnew(replica);
    if (replica !== this.#active || replica.isSuperseded$.value) return;
    const noted = this.#store.note.other;
    const isNoted = noted !== null && other !== null && isSameDatabase(noted, other);
    const isAsked = other !== null && screen.isLostTo(other);
    const hasChanged = !isNoted || noted.documents !== other.documents;
    const answer = isNoted ? noted.answer : isAsked ? null : 'take';
    if (hasChanged) this.#noteOther(other && { ...databaseOf(other), isAsked, answer });
    if (answer === 'take') {
      replica.isSuperseded$.next(true);
      await this.#begin();
      return;
    }
    await this.#giveUpNext();
    set({ connection: 'otherHousehold' });
    this.#postStatus();
  }

  /** The server names another reader, to whom a replica of another household belongs. */
  async #onOtherReader(): Promise<void> {
    if (this.#active?.isSuperseded$.value === true) await this.#giveUpNext();
    this.#options.onOtherReader();
  }

  /** The replica's own household answers again. */
  #onReconnect(): void {
    if (this.#status.other === null) return;
    this.#whileOpen(() => {
      if (this.#active?.isSuperseded$.value === false) this.#noteOther(null);
    });
  }

  #noteOther(other: OtherHousehold | null): void {
    this.#store.note = { ...this.#store.note, other };
    this.#showOther();
    this.#post({ type: 'other' });
  }

  /** Shows the note, whichever tab has written it. */
  #showOther(): void {
    const { other } = this.#store.note;
    const isOver = other === null && this.#status.connection === 'otherHousehold';
    this.#options.set({ other, ...(isOver && { connection: 'online' }) });
  }

  #postStatus(): void {
    const { connection, syncedAt, isLeader } = this.#status;
    if (isLeader) this.#post({ type: 'status', connection, equalOn: syncedAt });
  }

  #post(news: TabNews): void {
    const { ports, reader } = this.#options;
    ports.channel.post({ ...news, reader });
  }
}
