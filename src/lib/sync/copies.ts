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
import { epochOf, type ChangePage, type Checkpoint } from '#shared/replication';
import { written$, type Answers } from './database.ts';
import { leads, silent } from './lead.ts';
import { databaseOf, isSameDatabase, type OtherHousehold } from './other-household.ts';
import { changesIn, prepareToRead, stateOf, type Pack, type State } from './packs.ts';
import { stateDocument, stateIn } from './written-packs.ts';
import { Pages } from './pages.ts';
import { answeredInTime, databaseName, equalNote, type TabMessage, type TabNews } from './ports.ts';
import { pull, type PullEvent } from './pull.ts';
import { report, unawaited } from './report.ts';
import {
  DeviceOpening,
  deviceStore,
  memoryStore,
  openIn,
  type Copy,
  type DeviceStorage,
  type CopiesOptions,
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
import { announcements, type HeldStream } from './stream.ts';

/** A copy that was equal to the server this recently is fresh, in milliseconds. */
const FRESH_MS = 10_000;

/** The least time between two tries that events cause, in milliseconds. */
const FLOOR_MS = 3_000;

/**
 * How long other tabs have to go over to the database that replaces another, in milliseconds; one that still reads the
 * old one by then opens the storage anew.
 */
const REPLACED_MS = 3_000;

/** What fails again within this time counts as the same trouble, in milliseconds. */
const SETTLED_MS = 300_000;

/** How long the device's storage is left alone after it failed, in milliseconds. */
const STORAGE_PAUSE_MS = 60_000;

/** One reader's copy on this device: which databases hold it, and how it is kept equal to the server. */
export class Copies {
  readonly #options: CopiesOptions;
  readonly #visible$: BehaviorSubject<boolean>;
  readonly #used$ = new Subject<void>();
  /** The tab that replicates has said how it stands. */
  readonly #word$ = new Subject<void>();
  readonly #equal$ = new Subject<void>();
  /** Whether this tab replicates; emitted again where that is to begin anew. */
  readonly #pulls$ = new BehaviorSubject(false);
  readonly #failures: { count: number };
  readonly #held: HeldStream = { until: -Infinity };
  #pages: Pages | null;
  /** The device's, or what stands in for it; `null` while none is open. */
  #opened: Store | null = null;
  readonly #deviceStorage: DeviceOpening;
  readonly #copies = new Map<number, Copy>();
  #inUse: Copy | null = null;
  #next: Copy | null = null;
  /** The number of a copy in use that could not be read: another one is filled. */
  #unreadable: number | null = null;
  #leading = new Subscription();
  #rebuilds = 0;
  #storageFailedAt = -Infinity;
  #storageFailures = 0;
  #triedAt = -Infinity;
  #stopRetry: () => void = () => undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: CopiesOptions) {
    const { connection, visible } = options.status();
    this.#options = options;
    this.#pages = options.pages;
    this.#visible$ = new BehaviorSubject(visible);
    this.#failures = { count: connection === 'online' ? 0 : 1 };
    this.#deviceStorage = new DeviceOpening(options, (storage, name) => {
      const isOurs = [...this.#copies.values()].some(({ database }) => database.name === name);
      // Not closed by this page: the browser has deleted it.
      if (this.#opened?.storage === storage && isOurs)
        this.#storageFailed(new Error('the database of the copy is gone'));
    });
  }

  /** Opens what the device holds, shows it, and keeps it equal from here on. */
  async open(): Promise<void> {
    await this.#inTurn(() => this.#openStorage());
  }

  /** What is kept beside the records; `null` while no database is open. */
  get answers(): Answers | null {
    return (this.#inUse ?? this.#next)?.database.answers ?? null;
  }

  /** Someone looks at this page, or nobody does: then it asks for nothing. */
  setVisible(isVisible: boolean): void {
    this.#visible$.next(isVisible);
  }

  /** The page is used again, or the network is back: pulls unless the copy is fresh. */
  refresh(): void {
    const { equalAt, connection, isLeader } = this.#status;
    const isFresh = connection === 'online' && this.#now - equalAt < FRESH_MS;
    if (!isLeader || !isFresh) this.pull(Infinity);
    const canRetry = this.#now - this.#deviceStorage.triedAt >= FLOOR_MS;
    if (this.#status.storage === 'storageBlocked' && canRetry) this.#openStorageBeside();
  }

  /** Has the server asked, unless a revision is reached; a try that waits is brought forward. */
  pull(revision: number): void {
    if (!this.#status.isLeader) this.#used$.next();
    else if (this.#failures.count === 0) this.#announce(revision);
    else this.#retry();
  }

  /** Brings a try that waits forward; soon after the last one, to the end of the floor. */
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

  /** Fills a fresh copy beside the one in use, which stays on the screen until that is complete. */
  rebuild(): void {
    this.#whileOpen(async () => {
      if (this.#status.connection === 'otherHousehold') return;
      await this.#begin();
      // Whoever replicates from here on has it in the note of copies.
      this.#used$.next();
    });
  }

  /** What a person says where another household answers: its copy stays, or gives way to one of the other. */
  answer(answer: 'keep' | 'take'): void {
    this.#whileOpen(async () => {
      const { other } = this.#store.note;
      if (other === null || this.#inUse === null) return;
      this.#noteOther({ ...other, answer });
      if (answer === 'keep') return;
      this.#inUse.isForeign$.next(true);
      await this.#begin();
      this.#used$.next();
    });
  }

  hear(message: TabMessage): void {
    if (message.type === 'waits') {
      this.#postStatus();
      return;
    }
    // Any message counts as its word: a tab of another version may send types that are unknown here.
    this.#word$.next();
    if (message.type === 'replaced') this.#whileOpen(() => this.#takeUp());
    if (message.type === 'other') this.#whileOpen(() => this.#showOther());
    if (message.type !== 'status' || this.#status.isLeader) return;
    const { connection, equalOn } = message;
    const isNews = equalOn !== null && equalOn !== this.#status.equalOn;
    if (isNews || connection !== this.#status.connection)
      this.#options.set({ connection, equalOn, ...(isNews && { equalAt: this.#now }) });
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

  /** One thing at a time changes the databases and the screen, until this closes. */
  #inTurn(work: () => unknown): Promise<unknown> {
    const done = this.#turn
      .then(() => this.#isClosed || work())
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#storageFailed(error);
      });
    this.#turn = done;
    return done;
  }

  #enqueue(work: () => unknown): void {
    unawaited(this.#inTurn(work), 'keeping the copy');
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

  /** Opens the device's storage; where it is silent, all goes on in memory until it answers. */
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
      report(new Error('the storage does not answer'), 'opening the copy');
      await this.#openMemory('storageBlocked');
    } catch (error) {
      report(error, 'opening the copy');
      await this.#recover(error);
    }
  }

  /** Opens the device's storage while all goes on in memory, until it takes over. */
  #openStorageBeside(): void {
    const isOpening = this.#deviceStorage.isPending;
    if (this.#isClosed || isOpening || this.#opened?.isShared !== false) return;
    this.#useOnceOpen(this.#deviceStorage.open());
  }

  #useOnceOpen(opening: Promise<DeviceStorage>): void {
    opening.then(
      async (opened) => {
        await this.#inTurn(() => this.#useDevice(opened));
        if (this.#isClosed) await opened.database?.close();
      },
      (error: unknown) => {
        report(error, 'opening the copy again');
        this.#openStorageLater();
      },
    );
  }

  async #useDevice(device: DeviceStorage): Promise<void> {
    const { ports, reader, set } = this.#options;
    // Two may have waited for one opening.
    if (this.#opened?.storage === device.storage) return;
    await this.#closeAll();
    if (this.#isClosed) {
      await device.database?.close();
      return;
    }
    this.#unreadable = null;
    this.#opened = deviceStore(ports, reader, device);
    try {
      await this.#openCopies();
      set({ storage: null });
    } catch (error) {
      report(error, 'opening the copy');
      await this.#recover(error);
    }
  }

  #storageFailed(error: unknown): void {
    const failed = this.#opened;
    report(error, 'keeping the copy');
    this.#enqueue(async () => {
      // One loss fails several operations: after the first of them the storage has been opened anew.
      if (failed !== null && this.#opened === failed) await this.#recover(error);
    });
  }

  /** A storage that fails is opened once more; where it fails again or has no room, all goes on in memory. */
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

  /** Goes on in memory from what is on the screen, and tries the device's storage again. */
  async #openMemory(trouble: StorageTrouble): Promise<void> {
    const { ports, screen, set } = this.#options;
    await this.#closeAll();
    if (this.#isClosed) return;
    set({ storage: trouble });
    this.#openStorageLater();
    this.#opened = await memoryStore(ports, this.#status.other);
    const shown = screen.state;
    if (shown !== null && shown.epoque !== '') {
      const copy = await this.#openCopy(1);
      // Every record is on the screen: the pages that follow are enough.
      await copy.database.packs.bulkUpsert([stateDocument({ ...shown, packs: [] })]);
      if (shown.isComplete) {
        // A copy that was being filled is continued once the device's storage is open again.
        const { rebuilding } = this.#status;
        await this.#putInUse(copy);
        set({ rebuilding });
      }
    }
    await this.#openCopies();
  }

  /** Opens the device's storage again, ever more seldom, unless it holds all that is shown by then. */
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
    await this.#closeCopies();
    this.#options.set({ isLeader: false, isPulling: false });
  }

  async #closeCopies(kept: Copy | null = null): Promise<void> {
    const others = [...this.#copies.values()].filter((copy) => copy !== kept);
    await Promise.all(others.map((copy) => this.#closeCopy(copy)));
  }

  async #closeCopy(copy: Copy): Promise<void> {
    this.#copies.delete(copy.number);
    if (copy === this.#inUse) this.#inUse = null;
    if (copy === this.#next) this.#next = null;
    copy.following.unsubscribe();
    await copy.database.close().catch((error: unknown) => report(error, 'closing a database'));
  }

  // The copies

  /** The one that the screen follows: the one in use, or the first one while it is filled. */
  get #onScreen(): Copy | null {
    return this.#inUse ?? (this.#options.screen.isFilling ? this.#next : null);
  }

  async #openCopies(): Promise<void> {
    await this.#follow().catch(async (error: unknown) => {
      // It is read once more, then another one is filled.
      if (!this.#hasFailed || isQuota(error)) throw error;
      report(error, 'reading the copy in use');
      this.#unreadable = this.#store.note.inUse;
      await this.#closeCopies();
      this.#openStorageLater();
    });
    if (this.#inUse === null) await this.#openNext();
    if (this.#isClosed) return;
    this.#options.screen.open();
    this.#lead();
    this.#deleteReplaced();
  }

  async #openCopy(number: number): Promise<Copy> {
    const open = this.#copies.get(number);
    if (open !== undefined) return open;
    const { ports, prefix } = this.#options;
    const database = await openIn(this.#store, databaseName(prefix, number), ports);
    const announced$ = new Subject<number>();
    const following = new Subscription();
    const isForeign$ = new BehaviorSubject(false);
    const copy: Copy = { number, database, following, announced$, isForeign$ };
    following.add(
      written$(database.packs)
        .pipe(concatMap((packs) => this.#inTurn(() => this.#arrived(copy, packs))))
        .subscribe(),
    );
    following.add(
      combineLatest([this.#pulls$, isForeign$])
        .pipe(switchMap(([pulls, isForeign]) => (pulls && !isForeign ? this.#pull(copy) : EMPTY)))
        .subscribe((event) => this.#pulled(copy, event)),
    );
    this.#copies.set(number, copy);
    return copy;
  }

  /** Goes over to the copy in use, and shows what other tabs have written in it; false where it was in use already. */
  async #follow(): Promise<boolean> {
    const { screen, set } = this.#options;
    const { isShared, note } = this.#store;
    const { inUse } = note;
    const before = this.#inUse;
    // What is in memory this tab alone has written.
    if (!isShared || inUse === null || inUse === this.#unreadable) return false;
    const copy = await this.#openCopy(inUse);
    const { packs } = copy.database;
    const state = await stateOf(packs);
    if (state?.isComplete !== true) {
      // The browser has lost it.
      await this.#closeCopy(copy);
      this.#store.note = { inUse: null, next: inUse + 1, other: null };
      set({ isForgotten: true });
      return false;
    }
    const isOther = before !== null && before !== copy;
    if (isOther || !screen.has(state)) await screen.show(packs, state);
    if (before === copy) return false;
    await this.#putInUse(copy);
    return true;
  }

  /** Opens the copy that is being filled, or begins one, and shows it where there is nothing else to show. */
  async #openNext(): Promise<void> {
    const { ports, screen } = this.#options;
    const { note } = this.#store;
    const { inUse, next } = note;
    // The first is numbered by the clock: a frozen tab may still block the name of a deleted copy.
    const number = next ?? (inUse ?? ports.clock.date()) + 1;
    this.#store.note = { ...note, next: number };
    const copy = (this.#next = await this.#openCopy(number));
    const { packs } = copy.database;
    const state = await stateOf(packs);
    // A crash came between its last page and its being put in use.
    if (state?.isComplete === true) return this.#replace(copy, state);
    const { isComplete, rebuilding } = this.#status;
    if (inUse !== null && isComplete && rebuilding === null) this.#options.set({ rebuilding: 0 });
    if (this.#inUse !== null) return;
    if (state !== null && screen.isFilling && !screen.has(state)) await screen.show(packs, state);
  }

  /** Begins another copy beside the one in use; one that is being filled is continued. */
  async #begin(): Promise<void> {
    // Another tab may have been quicker.
    if (await this.#follow()) return;
    if (this.#next === null) await this.#openNext();
  }

  /**
   * The server does not know the copy that is being filled: begins another one, later each time. Where that was to
   * replace a copy of another database, it is asked again what answers in its place.
   */
  async #beginAnew(copy: Copy): Promise<void> {
    const { ports, screen } = this.#options;
    const pauseMs = backOff(++this.#rebuilds, false, ports.clock);
    const inUse = this.#inUse;
    if (inUse?.isForeign$.value === true) {
      await this.#giveUpNext();
      this.#later(pauseMs, () => inUse.isForeign$.next(false));
      return;
    }
    if (copy === this.#onScreen) screen.giveUp();
    await this.#closeCopy(copy);
    this.#store.note = { ...this.#store.note, next: copy.number + 1 };
    inUse?.announced$.next(Infinity);
    // It may be given up meanwhile, or another tab may have filled it.
    this.#later(pauseMs, () => this.#store.note.next !== null && this.#begin());
  }

  /** Another copy than the one in use is not filled any more. */
  async #giveUpNext(): Promise<void> {
    if (this.#next !== null) await this.#closeCopy(this.#next);
    if (this.#store.note.next === null) return;
    this.#store.note = { ...this.#store.note, next: null };
    this.#options.set({ rebuilding: null });
    this.#deleteReplaced();
  }

  /** Has the screen follow a copy from here on; the others are closed. */
  async #putInUse(copy: Copy): Promise<void> {
    this.#inUse = copy;
    this.#next = null;
    if (this.#store.note.inUse !== copy.number)
      this.#store.note = { inUse: copy.number, next: null, other: null };
    if (this.#store.note.next === null) this.#options.set({ rebuilding: null });
    this.#showOther();
    await this.#closeCopies(copy);
  }

  /**
   * Puts the copy that was filled in use, once it has come as far as the screen, which would go back.
   *
   * @param isShown whether the screen has followed it
   */
  async #replace(copy: Copy, state: State, isShown = false): Promise<void> {
    const { screen } = this.#options;
    const before = this.#inUse;
    if (copy !== this.#next || !state.isComplete) return;
    const epoch = this.#epochOf(copy);
    if (epoch !== null && epoch !== epochOf(state)) return this.#beginAnew(copy);
    if (screen.isAhead(state) && before?.isForeign$.value !== true) {
      copy.announced$.next(screen.state?.revision ?? 0);
      return;
    }
    if (!isShown) await screen.show(copy.database.packs, state, screen.state !== null);
    const isNews = this.#store.note.inUse !== copy.number;
    await this.#putInUse(copy);
    if (!isNews) return;
    this.#post({ type: 'replaced' });
    this.#later(before === null ? 0 : REPLACED_MS, () => this.#deleteReplaced());
  }

  #deleteReplaced(): void {
    const { ports, reader } = this.#options;
    const { isShared, note } = this.#store;
    if (!isShared || note.inUse === null) return;
    ports.storage
      .drop(reader, [note.inUse, note.next ?? note.inUse])
      .catch((error: unknown) => report(error, 'removing replaced copies'));
  }

  /**
   * Shows the page that follows what is on the screen: RxDB reads and writes for longer than it takes to come. One that
   * follows what another tab has written, and this one has not heard of, would have that passed over as shown.
   */
  async #showNext(from: State, { changements, epoque, revision }: ChangePage): Promise<void> {
    const { screen } = this.#options;
    if (screen.has(from)) await screen.add(changements, { ...from, epoque, revision });
  }

  /** A page has been written, by this tab or another: shows it, whole, unless it is on the screen. */
  async #arrived(copy: Copy, packs: readonly Pack[]): Promise<void> {
    if (this.#opened === null) return;
    await prepareToRead(packs);
    if (this.#copies.get(copy.number) !== copy) return;
    const { screen } = this.#options;
    const state = stateIn(packs);
    const isShown = copy === this.#onScreen;
    if (isShown && (state === null || !screen.has(state)))
      await screen.add(state !== null && screen.holds(state) ? [] : changesIn(packs), state);
    if (state !== null && !this.#isClosed) await this.#replace(copy, state, isShown);
  }

  // The server

  #lead(): void {
    const { clock, locks } = this.#options.ports;
    // What is in memory is this tab's own.
    const shared = this.#store.isShared ? locks : null;
    // Of two windows side by side the one that replicates may be frozen in view.
    const waiting$ = silent(this.#word$, clock, () => this.#post({ type: 'waits' })).pipe(
      tap(() => this.#used$.next()),
      ignoreElements(),
    );
    this.#leading = leads(shared, this.#options.prefix, this.#visible$, this.#used$)
      .pipe(
        tap((isLeader) => {
          this.#options.set({ isLeader, ...(!isLeader && { isPulling: false }) });
          if (!isLeader) this.#pulls$.next(false);
        }),
        switchMap((isLeader) => (isLeader ? this.#replicate() : waiting$)),
      )
      .subscribe((revision) => this.#announce(revision));
  }

  /** Emits what the server announces. */
  #replicate(): Observable<number> {
    const { ports, set } = this.#options;
    const { server, clock } = ports;
    this.#whileOpen(() => this.#takeUp());
    const tell = (isStreamHeld: boolean) => set({ isStreamHeld });
    return announcements(server, clock, this.#equal$, () => this.#checkpoint, this.#held, tell);
  }

  /** How far what is shown of the copy in use has come, `null` before its first page. */
  get #checkpoint(): Checkpoint | null {
    const { state } = this.#options.screen;
    return state?.isComplete === true && state.epoque !== ''
      ? { epoque: state.epoque, revision: state.revision }
      : null;
  }

  /** Goes on from what other tabs have written while this one was frozen, also what one was filling. */
  async #takeUp(): Promise<void> {
    const { isShared } = this.#store;
    await this.#follow();
    // Another tab has given it up.
    if (this.#inUse !== null && this.#next !== null && this.#store.note.next !== this.#next.number)
      await this.#closeCopy(this.#next);
    const isFilling = this.#status.isLeader && this.#store.note.next !== null;
    if (isShared && (this.#inUse === null || isFilling)) await this.#openNext();
    if (this.#status.isLeader && !this.#pulls$.value) this.#pulls$.next(true);
  }

  /** Of which epoch a copy is to be, beside one that is in use; `null` for any. */
  #epochOf(copy: Copy): string | null {
    const { state } = this.#options.screen;
    if (copy === this.#inUse || this.#inUse === null || state === null) return null;
    const { other } = this.#store.note;
    return other?.answer === 'take' ? other.epoque : epochOf(state);
  }

  /** Replicates a copy. */
  #pull(copy: Copy): Observable<PullEvent> {
    const { ports, reader } = this.#options;
    const pages = this.#pages ?? new Pages(ports);
    this.#pages = null;
    return pull({
      packs: copy.database.packs,
      reader,
      pages,
      clock: ports.clock,
      announced$: copy.announced$,
      // A copy that replaces another one brings acts along, so that they do not leave the screen.
      modifications: this.#status.isComplete,
      epoch: () => this.#epochOf(copy),
      failures: this.#failures,
    });
  }

  #announce(revision: number): void {
    for (const { announced$ } of this.#copies.values()) announced$.next(revision);
  }

  #pulled(copy: Copy, event: PullEvent): void {
    const { set } = this.#options;
    const isShown = copy === this.#onScreen;
    if (event.type === 'asked') {
      this.#triedAt = this.#now;
      if (isShown) set({ isPulling: true });
    } else if (event.type === 'page') {
      const { from, page } = event;
      const { rebuilding } = this.#status;
      const counts = !isShown && rebuilding !== null;
      const received = page.changements.length;
      if (copy === this.#inUse) this.#cameBack();
      const isAnswering = copy === this.#inUse || this.#status.other?.isAsked !== true;
      set({
        connection: isAnswering ? 'online' : 'otherHousehold',
        ...(counts && { rebuilding: rebuilding + received }),
      });
      if (from !== null) this.#whileOpen(() => this.#showNext(from, page));
    } else if (event.type === 'storage') this.#storageFailed(event.error);
    else if (event.type === 'equal') this.#whileOpen(() => this.#becameEqual(copy));
    else this.#failed(copy, event.kind, event.other);
  }

  #becameEqual(copy: Copy): void {
    const { ports, reader, set } = this.#options;
    if (!this.#status.isLeader || copy !== this.#inUse) return;
    const equalOn = ports.clock.date();
    ports.notes.set(equalNote(reader), equalOn);
    set({ connection: 'online', equalAt: this.#now, equalOn, isPulling: false });
    this.#postStatus();
    this.#equal$.next();
  }

  #failed(copy: Copy, kind: FailureKind, other: OtherDatabase | null): void {
    this.#options.set({ isPulling: false });
    if (kind === 'otherReader') this.#whileOpen(() => this.#isOthers());
    else if (kind === 'foreignEpoch') this.#whileOpen(() => this.#isNotKnown(copy, other));
    else {
      this.#options.set({ connection: connectionAfter(kind) });
      this.#postStatus();
    }
  }

  // Another database at the same address

  /** Where little would be lost another copy takes its place; else a person is asked. */
  async #isNotKnown(copy: Copy, other: OtherDatabase | null): Promise<void> {
    const { screen, set } = this.#options;
    if (copy === this.#next) return this.#beginAnew(copy);
    if (copy !== this.#inUse || copy.isForeign$.value) return;
    const noted = this.#store.note.other;
    const isNoted = noted !== null && other !== null && isSameDatabase(noted, other);
    const isAsked = other !== null && screen.isLostTo(other);
    const isNews = !isNoted || noted.documents !== other.documents;
    const answer = isNoted ? noted.answer : isAsked ? null : 'take';
    if (isNews) this.#noteOther(other && { ...databaseOf(other), isAsked, answer });
    if (answer === 'take') {
      copy.isForeign$.next(true);
      await this.#begin();
      return;
    }
    await this.#giveUpNext();
    set({ connection: 'otherHousehold' });
    this.#postStatus();
  }

  /** The server names another reader: what was to be copied of another household is theirs. */
  async #isOthers(): Promise<void> {
    if (this.#inUse?.isForeign$.value === true) await this.#giveUpNext();
    this.#options.onOtherReader();
  }

  /** The copy's own household answers again. */
  #cameBack(): void {
    if (this.#status.other === null) return;
    this.#whileOpen(() => {
      if (this.#inUse?.isForeign$.value === false) this.#noteOther(null);
    });
  }

  #noteOther(other: OtherHousehold | null): void {
    this.#store.note = { ...this.#store.note, other };
    this.#showOther();
    this.#post({ type: 'other' });
  }

  /** Shows what is noted, by this tab or another. */
  #showOther(): void {
    const { other } = this.#store.note;
    const isOver = other === null && this.#status.connection === 'otherHousehold';
    this.#options.set({ other, ...(isOver && { connection: 'online' }) });
  }

  #postStatus(): void {
    const { connection, equalOn, isLeader } = this.#status;
    if (isLeader) this.#post({ type: 'status', connection, equalOn });
  }

  #post(news: TabNews): void {
    const { ports, reader } = this.#options;
    ports.channel.post({ ...news, reader });
  }
}
