import type { RxStorage } from 'rxdb/plugins/core';
import {
  BehaviorSubject,
  concatMap,
  finalize,
  ignoreElements,
  merge,
  type Observable,
  repeat,
  startWith,
  Subject,
  Subscription,
  switchMap,
  tap,
} from 'rxjs';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { openDatabase, written$, type Answers, type CopyDatabase } from './database.ts';
import { leads } from './lead.ts';
import { changesIn, stateDocument, stateIn, stateOf, type Pack, type State } from './packs.ts';
import { Pages } from './pages.ts';
import {
  copyNote,
  databaseName,
  equalNote,
  type CopyNote,
  type Ports,
  type TabMessage,
  type TabNews,
} from './ports.ts';
import { pull, type PullEvent } from './pull.ts';
import { report } from './report.ts';
import type { Screen } from './screen.ts';
import {
  backOff,
  connectionAfter,
  isQuota,
  type DeviceStatus,
  type FailureKind,
  type Reader,
  type SetStatus,
  type StorageTrouble,
} from './status.ts';
import { after, announcements } from './stream.ts';

/** A copy that was equal to the server this recently is fresh, in milliseconds. */
const FRESH_MS = 10_000;

/** The least time between two tries that events cause, in milliseconds. */
const FLOOR_MS = 3_000;

/** How long a replaced database is kept for tabs that are still reading it, in milliseconds. */
const REPLACED_MS = 60_000;

/** How often a tab that replicates says how it stands, and after how long without a word it is taken for frozen, in milliseconds. */
const WORD_MS = 10_000;
const SILENCE_MS = 30_000;

/** What fails again within this time counts as the same trouble, in milliseconds. */
const SETTLED_MS = 300_000;

/** How long the device's storage is left alone after it failed, in milliseconds. */
const STORAGE_PAUSE_MS = 60_000;

interface Copy {
  readonly number: number;
  readonly database: CopyDatabase;
  /** What follows it, until it is closed. */
  readonly arriving: Subscription;
  /** Its replication, while this tab leads. */
  pulling: Subscription | null;
  readonly announced$: Subject<number>;
  /** True once the server has said that it does not know it. */
  isForeign: boolean;
}

export interface LibraryOptions {
  readonly ports: Ports;
  /** What is shown already, by the copy in use as the storage keeps it. */
  readonly screen: Screen;
  readonly reader: Reader;
  /** How the names of the reader's databases begin. */
  readonly prefix: string;
  /** Aborted when it is to close. */
  readonly signal: AbortSignal;
  readonly status: () => DeviceStatus;
  readonly set: SetStatus;
  /** The first pages that are on their way, for a device that has nothing yet. */
  readonly pages: Pages | null;
  /** Called where the server names another reader. */
  readonly onOtherReader: () => void;
}

/** One reader's copy on this device: which databases hold it, and how it is kept equal to the server. */
export class Library {
  readonly #options: LibraryOptions;
  readonly #visible$: BehaviorSubject<boolean>;
  readonly #used$ = new Subject<void>();
  /** The tab that replicates has said how it stands. */
  readonly #word$ = new Subject<void>();
  readonly #equal$ = new Subject<void>();
  readonly #failures: { count: number };
  #pages: Pages | null;
  #storage: RxStorage<unknown, unknown> | null = null;
  /** The note of copies in memory, which no other tab has. */
  #memoryNote: CopyNote | null = null;
  #inUse: Copy | null = null;
  #next: Copy | null = null;
  /** The number of a copy in use that could not be read: another one is filled. */
  #unreadable: number | null = null;
  #leading = new Subscription();
  #rebuilds = 0;
  #storageFailedAt = -Infinity;
  #storageFailures = 0;
  #triedAt = -Infinity;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LibraryOptions) {
    const { connection, visible } = options.status();
    this.#options = options;
    this.#pages = options.pages;
    this.#visible$ = new BehaviorSubject(visible);
    this.#failures = { count: connection === 'online' ? 0 : 1 };
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
  }

  /** Has the server asked, unless a revision is reached; a try that waits is brought forward. */
  pull(revision: number): void {
    if (!this.#status.isLeader) this.#used$.next();
    else if (this.#failures.count === 0) this.#announce(revision);
    else if (this.#now - this.#triedAt >= FLOOR_MS) {
      this.#triedAt = this.#now;
      this.#stopPulling();
      this.#pullAll();
    }
  }

  /** Fills a fresh copy beside the one in use, which stays on the screen until that is complete. */
  rebuild(): void {
    this.#used$.next();
    void this.#inTurn(() => this.#begin());
  }

  /** Heeds another tab of this reader. */
  hear(message: TabMessage): void {
    if (message.type === 'replaced') void this.#inTurn(() => this.#follow());
    if (message.type !== 'status') return;
    this.#word$.next();
    if (this.#status.isLeader) return;
    const { connection, equalOn } = message;
    const isNews = equalOn !== null && equalOn !== this.#status.equalOn;
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

  /** One thing at a time changes the databases and the screen. */
  #inTurn(work: () => unknown): Promise<unknown> {
    const done = this.#turn.then(work).catch((error: unknown) => {
      if (!this.#isClosed) this.#storageFailed(error);
    });
    this.#turn = done;
    return done;
  }

  #later(ms: number, work: () => unknown): void {
    this.#options.ports.clock.after(ms, () => {
      if (!this.#isClosed) void this.#inTurn(work);
    });
  }

  get #note(): CopyNote {
    const { notes } = this.#options.ports;
    const note = unsafeCast<CopyNote | null>(notes.get(copyNote(this.#options.reader)));
    return this.#memoryNote ?? note ?? { inUse: null, next: null };
  }

  set #note(note: CopyNote) {
    const { ports, reader } = this.#options;
    if (this.#memoryNote !== null) this.#memoryNote = note;
    else ports.notes.set(copyNote(reader), note);
  }

  // The storage

  /** Opens the device's storage, and what it holds. */
  async #openStorage(): Promise<void> {
    await this.#closeAll();
    if (this.#isClosed) return;
    this.#memoryNote = this.#unreadable = null;
    try {
      const opened = await this.#options.ports.storage.device((name) => {
        const isOurs = this.#copies.some(({ database }) => database.name === name);
        // Not closed by this library: the browser has deleted it.
        if (this.#storage === opened && isOurs)
          this.#storageFailed(new Error('the database of the copy is gone'));
      });
      this.#storage = opened;
      await this.#openCopies();
      this.#options.set({ storage: null });
    } catch (error) {
      report(error, 'opening the copy');
      await this.#recover(error);
    }
  }

  #storageFailed(error: unknown): void {
    const failed = this.#storage;
    report(error, 'keeping the copy');
    void this.#inTurn(async () => {
      // One loss shows in several places: the first to tell it has had the storage opened anew.
      if (!this.#isClosed && failed !== null && this.#storage === failed)
        await this.#recover(error);
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
    await this.#closeAll();
    if (this.#isClosed) return;
    this.#options.set({ storage: trouble });
    this.#storage = await this.#options.ports.storage.memory();
    this.#memoryNote = { inUse: null, next: 1 };
    await this.#openCopies();
    this.#openStorageLater(() => true);
  }

  /** Opens the device's storage again, ever more seldom, if that is still wanted then. */
  #openStorageLater(isWanted: () => boolean): void {
    const failures = this.#status.isComplete ? Math.min(5, ++this.#storageFailures) : 1;
    this.#later(STORAGE_PAUSE_MS * failures, async () => {
      if (isWanted()) await this.#openStorage();
    });
  }

  get #copies(): Copy[] {
    return [this.#inUse, this.#next].filter((copy) => copy !== null);
  }

  async #closeAll(): Promise<void> {
    const copies = this.#copies;
    this.#leading.unsubscribe();
    this.#storage = this.#inUse = this.#next = null;
    for (const copy of copies) await this.#closeCopy(copy);
    this.#options.set({ isLeader: false, isPulling: false });
  }

  async #closeCopy(copy: Copy): Promise<void> {
    copy.pulling?.unsubscribe();
    copy.arriving.unsubscribe();
    await copy.database.close().catch((error: unknown) => report(error, 'closing a database'));
  }

  // The copies

  /** The one that the screen follows: the one in use, or the first one while it is filled. */
  get #onScreen(): Copy | null {
    return this.#inUse ?? (this.#options.screen.isFilling ? this.#next : null);
  }

  async #openCopies(): Promise<void> {
    const { inUse } = this.#note;
    if (inUse !== null)
      await this.#openInUse(inUse).catch(async (error: unknown) => {
        // It is read once more, then another one is filled.
        if (!this.#hasFailed || isQuota(error)) throw error;
        report(error, 'reading the copy in use');
        this.#unreadable = inUse;
        await this.#closeInUse();
        this.#openStorageLater(() => !this.#status.isComplete);
      });
    if (this.#inUse === null) await this.#openNext();
    if (this.#isClosed) return;
    this.#options.screen.open();
    this.#lead();
    this.#sweep();
  }

  async #openInUse(number: number): Promise<void> {
    const { screen, set } = this.#options;
    this.#inUse = await this.#openCopy(number);
    const { packs } = this.#inUse.database;
    const state = await stateOf(packs);
    if (state?.isComplete !== true) {
      // The browser has lost it.
      await this.#closeInUse();
      this.#note = { inUse: null, next: number + 1 };
      set({ isForgotten: true });
    } else if (!screen.has(state)) await screen.show(packs, state);
  }

  async #closeInUse(): Promise<void> {
    const copy = this.#inUse;
    this.#inUse = null;
    if (copy !== null) await this.#closeCopy(copy);
  }

  /** Opens the copy that is being filled, or begins one, and shows it where there is nothing else to show. */
  async #openNext(): Promise<void> {
    const { ports, screen } = this.#options;
    const { inUse, next } = this.#note;
    // A first one is like none before: a frozen tab may keep the name of a deleted one from being used again.
    const number = next ?? (inUse ?? ports.clock.date()) + 1;
    this.#note = { inUse, next: number };
    const copy = (this.#next = await this.#openCopy(number));
    const { packs } = copy.database;
    const shown = screen.state;
    const goesOn = this.#memoryNote !== null && number === 1;
    if (goesOn && shown !== null && shown.epoque !== '') {
      // Every record is on the screen: the pages that follow are enough.
      await packs.bulkUpsert([stateDocument({ ...shown, packs: [] })]);
      if (shown.isComplete) await this.#putInUse(copy);
      return;
    }
    const state = await stateOf(packs);
    // As after a crash.
    if (state?.isComplete === true) return this.#replace(copy, state);
    if (this.#inUse !== null) return;
    if (shown === null) await this.#showEarlier();
    if (state !== null && screen.isFilling) await screen.show(packs, state);
  }

  async #openCopy(number: number): Promise<Copy> {
    if (this.#storage === null) throw new Error('no storage is open');
    const name = databaseName(this.#options.prefix, number);
    const database = await openDatabase(name, this.#storage, this.#memoryNote === null);
    const copy: Copy = {
      number,
      database,
      arriving: written$(database.packs)
        .pipe(concatMap((packs) => this.#inTurn(() => this.#arrived(copy, packs))))
        .subscribe(),
      pulling: null,
      announced$: new Subject<number>(),
      isForeign: false,
    };
    return copy;
  }

  /** Shows what version 0.1 or 1.0 has kept, until a copy of today's is complete. */
  async #showEarlier(): Promise<void> {
    const { ports, reader, screen } = this.#options;
    const earlier = await ports.storage.earlier(reader).catch((error: unknown) => {
      report(error, 'reading an earlier copy');
      return null;
    });
    if (earlier !== null && !this.#isClosed) screen.showEarlier(earlier);
  }

  /** Begins another copy beside the one in use; one that is being filled is gone on with. */
  async #begin(): Promise<void> {
    if (this.#isClosed || this.#storage === null) return;
    // Another tab may have been quicker.
    if (await this.#follow()) return;
    if (this.#next === null) await this.#openNext();
    const { isComplete, rebuilding } = this.#status;
    // One that a crash left complete is in use by now.
    const isFilling = this.#next !== null;
    if (isFilling && isComplete && rebuilding === null) this.#options.set({ rebuilding: 0 });
    this.#pullAll();
  }

  /** The server does not know the copy that is being filled: begins another one, later each time. */
  async #beginAnew(copy: Copy): Promise<void> {
    const { ports, screen } = this.#options;
    if (copy === this.#onScreen) screen.giveUp();
    this.#next = null;
    await this.#closeCopy(copy);
    this.#note = { ...this.#note, next: copy.number + 1 };
    this.#later(backOff(++this.#rebuilds, false, ports.clock), () => this.#begin());
  }

  /** Has the screen follow a copy from here on; the others are closed. */
  async #putInUse(copy: Copy): Promise<void> {
    const others = this.#copies.filter((other) => other !== copy);
    this.#inUse = copy;
    this.#next = null;
    if (this.#note.inUse !== copy.number) this.#note = { inUse: copy.number, next: null };
    this.#options.set({ rebuilding: null });
    for (const other of others) await this.#closeCopy(other);
  }

  /**
   * Puts the copy that was filled in use, once it has come as far as the screen, which would go back.
   *
   * @param isShown whether the screen has followed it
   */
  async #replace(copy: Copy, state: State, isShown = false): Promise<void> {
    const { screen } = this.#options;
    const before = this.#inUse;
    if (copy !== this.#next || !state.isComplete || this.#isClosed) return;
    if (screen.isAhead(state) && before?.isForeign !== true) {
      copy.announced$.next(screen.state?.revision ?? 0);
      return;
    }
    if (!isShown) await screen.show(copy.database.packs, state, screen.state !== null);
    const isNews = this.#note.inUse !== copy.number;
    await this.#putInUse(copy);
    if (!isNews) return;
    if (this.#memoryNote === null) this.#post({ type: 'replaced' });
    // Other tabs may still be reading what has been replaced.
    this.#later(before === null ? 0 : REPLACED_MS, () => this.#sweep());
  }

  /** Goes over to a copy that another tab has put in use; false where there is none. */
  async #follow(): Promise<boolean> {
    const { screen } = this.#options;
    const { inUse } = this.#note;
    if (this.#isClosed || this.#storage === null || this.#memoryNote !== null) return false;
    if (inUse === null || inUse === this.#inUse?.number || inUse === this.#unreadable) return false;
    const open = this.#copies.find(({ number }) => number === inUse);
    const copy = open ?? (await this.#openCopy(inUse));
    const state = await stateOf(copy.database.packs);
    if (state === null) throw new Error('a copy in use is empty');
    if (copy !== this.#onScreen || !screen.has(state))
      await screen.show(copy.database.packs, state);
    await this.#putInUse(copy);
    this.#pullAll();
    return true;
  }

  /** Deletes what has been replaced. */
  #sweep(): void {
    const { ports, reader, prefix } = this.#options;
    const { inUse, next } = this.#note;
    if (this.#memoryNote !== null || inUse === null) return;
    const kept = [inUse, next ?? inUse].map((number) => databaseName(prefix, number));
    Promise.all([ports.storage.dropEarlier(reader), ports.storage.drop(prefix, kept)]).catch(
      (error: unknown) => report(error, 'removing replaced copies'),
    );
  }

  /** A page has been written, by this tab or another: shows it, whole. */
  async #arrived(copy: Copy, packs: readonly Pack[]): Promise<void> {
    if (this.#isClosed || !this.#copies.includes(copy)) return;
    const state = stateIn(packs);
    const isShown = copy === this.#onScreen;
    if (isShown) this.#options.screen.add(changesIn(packs), state);
    if (state !== null) await this.#replace(copy, state, isShown);
  }

  // The server

  /** Replicates while this tab leads. */
  #lead(): void {
    const { clock, locks } = this.#options.ports;
    // What is in memory is this tab's own.
    const shared = this.#memoryNote === null ? locks : null;
    // Of two windows side by side the one that replicates may be frozen in view.
    const waiting$ = this.#word$.pipe(
      startWith(undefined),
      switchMap(() => after(clock, SILENCE_MS)),
      tap(() => this.#used$.next()),
      ignoreElements(),
    );
    this.#leading = leads(shared, this.#options.prefix, this.#visible$, this.#used$)
      .pipe(
        tap((isLeader) => this.#options.set({ isLeader, ...(!isLeader && { isPulling: false }) })),
        switchMap((isLeader) => (isLeader ? this.#replicate() : waiting$)),
      )
      .subscribe((revision) => this.#announce(revision));
  }

  /** Emits what the server announces. */
  #replicate(): Observable<number> {
    const { server, clock } = this.#options.ports;
    const words$ = after(clock, WORD_MS).pipe(
      repeat(),
      tap(() => this.#tell()),
      ignoreElements(),
    );
    void this.#inTurn(() => this.#takeUp());
    return merge(words$, announcements(server, clock, this.#equal$)).pipe(
      finalize(() => this.#stopPulling()),
    );
  }

  /** Begins to replicate: from what other tabs have written while this one was frozen, also what one was filling. */
  async #takeUp(): Promise<void> {
    const { screen } = this.#options;
    if (this.#isClosed || this.#storage === null || !this.#status.isLeader) return;
    await this.#follow();
    if (this.#onScreen !== null && this.#memoryNote === null) {
      const { packs } = this.#onScreen.database;
      const state = await stateOf(packs);
      if (state !== null && !screen.has(state)) await screen.show(packs, state);
    }
    const { next } = this.#note;
    if (next !== null && this.#next === null && next !== this.#inUse?.number)
      await this.#openNext();
    this.#pullAll();
  }

  #stopPulling(): void {
    for (const copy of this.#copies) {
      copy.pulling?.unsubscribe();
      copy.pulling = null;
    }
  }

  /** Replicates each copy that is open and is not yet replicated. */
  #pullAll(): void {
    if (!this.#status.isLeader) return;
    for (const copy of this.#copies) if (!copy.isForeign && copy.pulling === null) this.#pull(copy);
  }

  #pull(copy: Copy): void {
    const { ports, reader } = this.#options;
    const pages = this.#pages ?? new Pages(ports);
    this.#pages = null;
    copy.pulling = pull({
      packs: copy.database.packs,
      reader,
      pages,
      clock: ports.clock,
      announced$: copy.announced$,
      // A copy that replaces another one brings acts along, so that they do not leave the screen.
      modifications: this.#status.isComplete,
      failures: this.#failures,
    }).subscribe((event) => this.#pulled(copy, event));
  }

  #announce(revision: number): void {
    for (const { announced$ } of this.#copies) announced$.next(revision);
  }

  #pulled(copy: Copy, event: PullEvent): void {
    const { set } = this.#options;
    const isShown = copy === this.#onScreen;
    if (event.type === 'asked') {
      this.#triedAt = this.#now;
      if (isShown) set({ isPulling: true });
    } else if (event.type === 'page') {
      const { rebuilding } = this.#status;
      const counts = !isShown && rebuilding !== null;
      set({ connection: 'online', ...(counts && { rebuilding: rebuilding + event.changes }) });
    } else if (event.type === 'storage') this.#storageFailed(event.error);
    else if (event.type === 'equal') void this.#inTurn(() => this.#becameEqual(copy));
    else this.#failed(copy, event.kind);
  }

  #becameEqual(copy: Copy): void {
    const { ports, reader, set } = this.#options;
    if (this.#isClosed || !this.#status.isLeader || copy !== this.#inUse) return;
    const equalOn = ports.clock.date();
    ports.notes.set(equalNote(reader), equalOn);
    set({ connection: 'online', equalAt: this.#now, equalOn, isPulling: false });
    this.#tell();
    this.#equal$.next();
  }

  #failed(copy: Copy, kind: FailureKind): void {
    this.#options.set({ isPulling: false });
    if (kind === 'otherReader') this.#options.onOtherReader();
    else if (kind !== 'foreignEpoch') {
      this.#options.set({ connection: connectionAfter(kind) });
      this.#tell();
    } else {
      copy.isForeign = true;
      copy.pulling?.unsubscribe();
      copy.pulling = null;
      void this.#inTurn(async () => {
        if (copy === this.#next) await this.#beginAnew(copy);
        else if (copy === this.#inUse) await this.#begin();
      });
    }
  }

  /** Tells the other tabs how this one, which leads, stands with the server. */
  #tell(): void {
    const { connection, equalOn, isLeader } = this.#status;
    if (isLeader) this.#post({ type: 'status', connection, equalOn });
  }

  #post(news: TabNews): void {
    const { ports, reader } = this.#options;
    ports.channel.post({ ...news, reader });
  }
}
