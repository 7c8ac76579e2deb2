import type { RxStorage } from 'rxdb/plugins/core';
import {
  BehaviorSubject,
  concatMap,
  filter,
  ignoreElements,
  Observable,
  repeat,
  startWith,
  Subject,
  Subscription,
  switchMap,
  takeUntil,
  tap,
} from 'rxjs';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { openDatabase, written$, type Answers, type CopyDatabase } from './database.ts';
import { backOff, connectionAfter, isQuota, type ConnectionStatus } from './failure.ts';
import { leads } from './lead.ts';
import { changesIn, stateDocument, stateIn, stateOf, type Pack, type State } from './packs.ts';
import { Pages } from './pages.ts';
import {
  copyNote,
  databaseName,
  databasePrefix,
  type CopyNote,
  type Ports,
  type TabMessage,
  type TabNews,
} from './ports.ts';
import { pull, type PullEvent } from './pull.ts';
import type { Records } from './records.ts';
import { report } from './report.ts';
import type { Screen } from './screen.ts';
import { CLOSED, type CopyStatus, type Reader, type StorageTrouble } from './status.ts';
import { after, announcements } from './stream.ts';

/** A copy that was equal to the server this recently is fresh, in milliseconds. */
const FRESH_MS = 10_000;

/** The least time between two tries that events cause, in milliseconds. */
const FLOOR_MS = 3_000;

/** How long a replaced database is kept for tabs that are still reading it, in milliseconds. */
const REPLACED_MS = 60_000;

/** How often a tab that replicates says so, and after how long without a word it is taken for frozen, in milliseconds. */
const WORD_MS = 10_000;
const SILENCE_MS = 30_000;

/** What fails or is replaced again within this time counts as the same trouble, in milliseconds. */
const SETTLED_MS = 300_000;

/** How long the device's storage is left alone after it failed, in milliseconds. */
const STORAGE_PAUSE_MS = 60_000;

interface Copy {
  readonly number: number;
  readonly database: CopyDatabase;
  /** What follows it, until it is closed. */
  readonly subscriptions: Subscription;
  /** Its replication, while this tab leads. */
  pulling: Subscription | null;
  readonly announced$: Subject<number>;
}

export interface LibraryOptions {
  readonly ports: Ports;
  readonly records: Records;
  readonly screen: Screen;
  /** The number of the copy that the screen shows already; `null` for none. */
  readonly shown: number | null;
  readonly reader: Reader;
  /** Tells this application from another one of the same origin. */
  readonly installation: string;
  readonly visible: boolean;
  /** The first pages that are on their way, for a device that has nothing yet. */
  readonly pages: Pages | null;
  /** What asking who reads has found. */
  readonly connection: ConnectionStatus;
  readonly isForgotten: boolean;
  /** Called where the server names another reader. */
  readonly onOtherReader: () => void;
}

/** One reader's copy on this device: what of it is on the screen, and how it is kept equal to the server. */
export class Library {
  readonly status$: BehaviorSubject<CopyStatus>;
  readonly #options: LibraryOptions;
  readonly #closed$ = new Subject<void>();
  readonly #visible$: BehaviorSubject<boolean>;
  readonly #used$ = new Subject<void>();
  /** Another tab has said that it replicates. */
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
  /** The one that the screen follows: the one in use, or the first one while it is filled. */
  #onScreen: Copy | null = null;
  readonly #screen: Screen;
  /** True once the server has said that it does not know what is on the screen. */
  #isForeign = false;
  #leading = new Subscription();
  #rebuilds = 0;
  #replacedAt = -Infinity;
  #storageFailedAt = -Infinity;
  #storageFailures = 0;
  #triedAt = -Infinity;
  #isClosed = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: LibraryOptions) {
    const { connection, visible, pages, ports, isForgotten } = options;
    this.#options = options;
    this.#pages = pages;
    this.#screen = options.screen;
    this.#visible$ = new BehaviorSubject(visible);
    this.#failures = { count: connection === 'online' ? 0 : 1 };
    const troubleSince = connection === 'online' ? null : ports.clock.date();
    this.status$ = new BehaviorSubject({ ...CLOSED, connection, troubleSince, isForgotten });
    options.screen.onState = (state) => this.#came(state);
    if (options.screen.state !== null) this.#came(options.screen.state);
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
    const { equalAt, connection } = this.#status;
    const isFresh = this.#now - equalAt < FRESH_MS;
    if (connection !== 'online' || !isFresh) this.#ask(Infinity);
    else this.#used$.next();
  }

  /** Pulls once, however fresh the copy is. */
  reSync(): void {
    this.#ask(Infinity);
  }

  /** Pulls up to the revision of a write of this tab. */
  reach(revision: number): void {
    this.#ask(revision);
  }

  /** Fills a fresh copy beside the one in use, which stays on the screen until that is complete. */
  rebuild(): void {
    this.#used$.next();
    void this.#inTurn(() => this.#begin());
  }

  /** Heeds another tab of this reader. */
  hear(message: TabMessage): void {
    if (message.type === 'leads') this.#word$.next();
    if (message.type === 'replaced') void this.#inTurn(() => this.#follow());
    if (message.type !== 'status' || this.#status.isLeader) return;
    const { connection, equalOn } = message;
    const isEqual = equalOn !== null && connection === 'online';
    this.#set({ connection, equalOn, ...(isEqual && { equalAt: this.#now }) });
  }

  /** Closes everything; nothing is deleted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed$.next();
    this.#closed$.complete();
    this.status$.complete();
    await this.#turn;
    await this.#closeAll();
  }

  get #status(): CopyStatus {
    return this.status$.value;
  }

  get #now(): number {
    return this.#options.ports.clock.now();
  }

  #set(change: Partial<CopyStatus>): void {
    if (this.#isClosed) return;
    const next = { ...this.#status, ...change };
    const isWell = next.connection === 'online' && next.storage === null;
    const troubleSince = isWell ? null : (next.troubleSince ?? this.#options.ports.clock.date());
    this.status$.next({ ...next, troubleSince });
  }

  /** One thing at a time changes the databases and the screen. */
  #inTurn(work: () => Promise<unknown>): Promise<unknown> {
    const done = this.#turn.then(work).catch((error: unknown) => {
      if (!this.#isClosed) this.#storageFailed(error);
    });
    this.#turn = done;
    return done;
  }

  get #prefix(): string {
    const { installation, reader } = this.#options;
    return databasePrefix(installation, reader);
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
        if (this.#storage === opened) this.#databaseClosed(name);
      });
      this.#storage = opened;
      await this.#openCopies();
      this.#set({ storage: null });
    } catch (error) {
      report(error, 'opening the copy');
      await this.#recover(error);
    }
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

  /** Goes on in memory from what is on the screen, and tries the device's storage again, ever more seldom. */
  async #openMemory(trouble: StorageTrouble): Promise<void> {
    await this.#closeAll();
    if (this.#isClosed) return;
    this.#set({ storage: trouble });
    this.#storage = await this.#options.ports.storage.memory();
    this.#memoryNote = { inUse: null, next: 1 };
    await this.#openCopies();
    this.#tryAgainLater(() => true);
  }

  /** Opens the device's storage again, ever more seldom, if that is still wanted then. */
  #tryAgainLater(isWanted: () => boolean): void {
    const failures = this.#status.isComplete ? Math.min(5, ++this.#storageFailures) : 1;
    after(this.#options.ports.clock, STORAGE_PAUSE_MS * failures)
      .pipe(takeUntil(this.#closed$), filter(isWanted))
      .subscribe(() => void this.#inTurn(() => this.#openStorage()));
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

  /** A database was closed: where it is not by this library, the browser has deleted it. */
  #databaseClosed(name: string): void {
    const isOurs = [this.#inUse, this.#next].some((copy) => copy?.database.name === name);
    if (isOurs) this.#storageFailed(new Error('the database of the copy is gone'));
  }

  async #closeAll(): Promise<void> {
    this.#leading.unsubscribe();
    this.#storage = null;
    const open = [this.#inUse, this.#next];
    this.#inUse = this.#next = this.#onScreen = null;
    for (const copy of open) if (copy !== null) await this.#closeCopy(copy);
    this.#set({ isLeader: false, isPulling: false });
  }

  async #closeCopy(copy: Copy): Promise<void> {
    copy.pulling?.unsubscribe();
    copy.subscriptions.unsubscribe();
    await copy.database.close().catch((error: unknown) => report(error, 'closing a database'));
  }

  // The copies

  async #openCopies(): Promise<void> {
    const { inUse, next } = this.#note;
    if (inUse !== null)
      await this.#openInUse(inUse).catch(async (error: unknown) => {
        // It is read once more, then another one is filled.
        if (!this.#hasFailed || isQuota(error)) throw error;
        report(error, 'reading the copy in use');
        this.#unreadable = inUse;
        const unreadable = this.#inUse;
        this.#inUse = this.#onScreen = null;
        if (unreadable !== null) await this.#closeCopy(unreadable);
        this.#tryAgainLater(() => !this.#status.isComplete);
      });
    if (this.#inUse === null) await this.#openNext(next ?? this.#numberAfter(inUse));
    if (this.#isClosed) return;
    this.#options.records.setCopy({ isOpening: false });
    this.#set({ isOpen: true });
    this.#lead();
    this.#sweep();
  }

  async #openInUse(number: number): Promise<void> {
    const copy = await this.#openCopy(number);
    this.#putInUse(copy);
    const state = await stateOf(copy.database.packs);
    const shown = number === this.#options.shown ? this.#screen.state : null;
    if (state?.isComplete === true) {
      const isShown = shown?.epoque === state.epoque && shown.revision === state.revision;
      if (!isShown) await this.#screen.show(copy.database.packs, state);
    } else {
      // The browser has lost it.
      this.#inUse = this.#onScreen = null;
      await this.#closeCopy(copy);
      this.#note = { inUse: null, next: number + 1 };
      this.#set({ isForgotten: true });
    }
  }

  /** Opens the copy that is being filled, and shows it where there is nothing else to show. */
  async #openNext(number: number): Promise<void> {
    this.#note = { ...this.#note, next: number };
    const copy = await this.#openCopy(number);
    const { packs } = copy.database;
    this.#next = copy;
    const state = await stateOf(packs);
    const goesOn = number === 1 && this.#memoryNote !== null && !this.#isForeign;
    const shown = this.#screen.state;
    if (goesOn && shown !== null && shown.epoque !== '') {
      // Every record is on the screen: the pages that follow are enough.
      await packs.bulkUpsert([stateDocument({ ...shown, packs: [] })]);
      this.#screen.isUnproven = false;
      this.#onScreen = copy;
      if (!shown.isComplete) return;
      this.#putInUse(copy);
      this.#note = { inUse: number, next: null };
    } else if (state?.isComplete === true) {
      if (this.#inUse === null) await this.#replace(copy, state);
    } else if (this.#inUse === null) {
      if (shown === null) await this.#showEarlier();
      if (this.#screen.state?.isComplete === true) return;
      this.#onScreen = copy;
      if (state !== null) await this.#screen.show(copy.database.packs, state);
    }
  }

  /** A first one is like none before: a frozen tab may keep the name of a deleted one from being used again. */
  #numberAfter(inUse: number | null): number {
    return (inUse ?? this.#options.ports.clock.date()) + 1;
  }

  #putInUse(copy: Copy): void {
    this.#inUse = this.#onScreen = copy;
    if (this.#next === copy) this.#next = null;
    this.#isForeign = false;
  }

  async #openCopy(number: number): Promise<Copy> {
    if (this.#storage === null) throw new Error('no storage is open');
    const isShared = this.#memoryNote === null;
    const database = await openDatabase(
      databaseName(this.#prefix, number),
      this.#storage,
      isShared,
    );
    const copy = {
      number,
      database,
      subscriptions: new Subscription(),
      pulling: null,
      announced$: new Subject<number>(),
    };
    const arriving = written$(database.packs)
      .pipe(concatMap((packs) => this.#inTurn(() => this.#arrived(copy, packs))))
      .subscribe();
    copy.subscriptions.add(arriving);
    return copy;
  }

  /** Shows what version 0.1 or 1.0 has kept, until a copy of today's is complete. */
  async #showEarlier(): Promise<void> {
    const { ports, reader } = this.#options;
    const earlier = await ports.storage.earlier(reader).catch((error: unknown) => {
      report(error, 'reading an earlier copy');
      return null;
    });
    if (earlier === null || this.#isClosed) return;
    this.#screen.showEarlier(earlier);
  }

  /** Begins another copy beside the one in use; one that is being filled is gone on with. */
  async #begin(): Promise<void> {
    if (this.#isClosed || this.#storage === null) return;
    // Another tab may have been quicker.
    if (await this.#follow()) return;
    const { inUse, next } = this.#note;
    if (this.#next === null) await this.#openNext(next ?? this.#numberAfter(inUse));
    if (this.#status.isComplete && this.#status.rebuilding === null) this.#set({ rebuilding: 0 });
    this.#pullAll();
  }

  /** The copy that is being filled cannot be continued: begins another one, later each time. */
  async #beginAnew(): Promise<void> {
    const { clock } = this.#options.ports;
    if (this.#next === null) return;
    const { number } = this.#next;
    if (this.#next === this.#onScreen) {
      this.#screen.giveUp();
      this.#onScreen = null;
    }
    const given = this.#next;
    this.#next = null;
    await this.#closeCopy(given);
    this.#note = { ...this.#note, next: number + 1 };
    const pause$ = after(
      clock,
      backOff(++this.#rebuilds, false, () => clock.chance()),
    );
    pause$.pipe(takeUntil(this.#closed$)).subscribe(() => void this.#inTurn(() => this.#begin()));
  }

  /** Puts the copy that was filled in use, once it has come as far as the screen, which would go back. */
  async #replace(copy: Copy, state: State): Promise<void> {
    if (copy !== this.#next || !state.isComplete || this.#isClosed) return;
    const { packs } = copy.database;
    const shown = this.#screen.state;
    const isBehind = this.#screen.isAhead(state) && !this.#isForeign;
    if (isBehind && copy !== this.#onScreen) {
      copy.announced$.next(shown?.revision ?? 0);
      return;
    }
    const isOnScreen = copy === this.#onScreen && shown !== null && !this.#screen.isUnproven;
    if (!isOnScreen) await this.#screen.show(packs, state, shown !== null);
    const before = this.#inUse;
    this.#putInUse(copy);
    this.#replacedAt = this.#now;
    this.#set({ rebuilding: null });
    this.#completed();
    if (before !== null) await this.#closeCopy(before);
    if (this.#note.inUse === copy.number) return;
    this.#note = { inUse: copy.number, next: null };
    if (this.#memoryNote === null) this.#post({ type: 'replaced' });
    // Other tabs may still be reading what has been replaced.
    after(this.#options.ports.clock, before === null ? 0 : REPLACED_MS)
      .pipe(takeUntil(this.#closed$))
      .subscribe(() => this.#sweep());
  }

  /** Goes over to a copy that another tab has put in use; false where there is none. */
  async #follow(): Promise<boolean> {
    const { inUse } = this.#note;
    if (this.#isClosed || this.#storage === null || this.#memoryNote !== null) return false;
    if (inUse === null || inUse === this.#inUse?.number || inUse === this.#unreadable) return false;
    const before = [this.#inUse, this.#next].filter((copy) => copy !== null);
    const copy = before.find(({ number }) => number === inUse) ?? (await this.#openCopy(inUse));
    const state = await stateOf(copy.database.packs);
    if (state === null) throw new Error('a copy in use is empty');
    if (copy !== this.#onScreen) await this.#screen.show(copy.database.packs, state);
    this.#next = null;
    this.#putInUse(copy);
    for (const other of before) if (other !== copy) await this.#closeCopy(other);
    this.#set({ rebuilding: null });
    this.#completed();
    this.#pullAll();
    return true;
  }

  /** Deletes what has been replaced. */
  #sweep(): void {
    const { ports, reader } = this.#options;
    const { inUse, next } = this.#note;
    if (this.#memoryNote !== null || inUse === null) return;
    const kept = [inUse, next ?? inUse].map((number) => databaseName(this.#prefix, number));
    Promise.all([ports.storage.dropEarlier(reader), ports.storage.drop(this.#prefix, kept)]).catch(
      (error: unknown) => report(error, 'removing replaced copies'),
    );
  }

  // The screen

  /** A page has been written, by this tab or another: shows it, whole. */
  async #arrived(copy: Copy, packs: readonly Pack[]): Promise<void> {
    const state = stateIn(packs);
    if (this.#isClosed || (copy !== this.#inUse && copy !== this.#next)) return;
    if (copy === this.#onScreen) {
      this.#screen.add(changesIn(packs), state);
    }
    if (state !== null) await this.#replace(copy, state);
  }

  /** The screen has come to a state of a copy. */
  #came(state: State): void {
    const { records } = this.#options;
    this.#set({ revision: state.revision });
    if (state.isComplete) this.#completed();
    else if (!this.#status.isComplete) records.setCopy({ progress: { received: records.size } });
  }

  #completed(): void {
    if (this.#isClosed) return;
    this.#options.records.setCopy({ isOpening: false, isReady: true, progress: null });
    this.#set({ isComplete: true });
  }

  // The server

  /** Replicates while this tab leads. */
  #lead(): void {
    const { ports } = this.#options;
    const { server, clock } = ports;
    this.#leading = leads(
      // What is in memory is this tab's own.
      this.#memoryNote === null ? ports.locks : null,
      this.#prefix,
      this.#visible$,
      this.#used$,
    )
      .pipe(
        switchMap((isLeader) => {
          this.#set({ isLeader, ...(!isLeader && { isPulling: false }) });
          // Of two windows side by side the one that replicates may be frozen in view.
          if (!isLeader)
            return this.#word$.pipe(
              startWith(undefined),
              switchMap(() => after(clock, SILENCE_MS)),
              tap(() => this.#used$.next()),
              ignoreElements(),
            );
          return new Observable<number>((subscriber) => {
            void this.#inTurn(() => this.#takeUp());
            const words = after(clock, WORD_MS).pipe(repeat());
            subscriber.add(words.subscribe(() => this.#post({ type: 'leads' })));
            const stream = announcements(server, clock, this.#equal$).subscribe(subscriber);
            return () => {
              stream.unsubscribe();
              this.#stopPulling();
            };
          });
        }),
      )
      .subscribe((revision) => this.#announce(revision));
  }

  /** Begins to replicate: from what other tabs have written while this one was frozen, also what one was filling. */
  async #takeUp(): Promise<void> {
    if (this.#isClosed || this.#storage === null || !this.#status.isLeader) return;
    await this.#follow();
    if (this.#onScreen !== null) {
      const { packs } = this.#onScreen.database;
      const state = await stateOf(packs);
      const isNews = state !== null && state.revision !== this.#screen.state?.revision;
      if (isNews) await this.#screen.show(packs, state);
    }
    const { next } = this.#note;
    if (next !== null && this.#next === null && next !== this.#inUse?.number)
      await this.#openNext(next);
    this.#pullAll();
  }

  #stopPulling(): void {
    for (const copy of [this.#inUse, this.#next]) {
      copy?.pulling?.unsubscribe();
      if (copy) copy.pulling = null;
    }
  }

  /** Replicates each copy that is open and is not yet replicated. */
  #pullAll(): void {
    if (!this.#status.isLeader) return;
    const inUse = this.#isForeign ? null : this.#inUse;
    for (const copy of [inUse, this.#next]) if (copy !== null) this.#pull(copy);
  }

  #pull(copy: Copy): void {
    if (copy.pulling !== null) return;
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

  /** Has the server asked, unless a revision is reached; a try that waits is brought forward. */
  #ask(revision: number): void {
    if (!this.#status.isLeader) this.#used$.next();
    else if (this.#failures.count === 0) this.#announce(revision);
    else if (this.#now - this.#triedAt >= FLOOR_MS) {
      this.#triedAt = this.#now;
      this.#stopPulling();
      this.#pullAll();
    }
  }

  #announce(revision: number): void {
    for (const copy of [this.#inUse, this.#next]) copy?.announced$.next(revision);
  }

  #pulled(copy: Copy, event: PullEvent): void {
    const isShown = copy === this.#onScreen;
    if (event.type === 'asked') {
      this.#triedAt = this.#now;
      if (isShown) this.#set({ isPulling: true });
    } else if (event.type === 'page') {
      this.#set({ connection: 'online' });
      const { rebuilding } = this.#status;
      if (!isShown && rebuilding !== null) this.#set({ rebuilding: rebuilding + event.changes });
    } else if (event.type === 'storage') this.#storageFailed(event.error);
    else if (event.type === 'equal') void this.#inTurn(() => this.#becameEqual(copy));
    else this.#failed(copy, event.kind);
  }

  async #becameEqual(copy: Copy): Promise<void> {
    if (this.#isClosed || !this.#status.isLeader) return;
    if (copy === this.#next) {
      // One that was complete already, as after a crash, is written no more.
      const state = await stateOf(copy.database.packs);
      if (state !== null) await this.#replace(copy, state);
    }
    if (copy !== this.#inUse) return;
    if (this.#now - this.#replacedAt > SETTLED_MS) this.#rebuilds = 0;
    const { clock } = this.#options.ports;
    this.#set({
      connection: 'online',
      equalAt: clock.now(),
      equalOn: clock.date(),
      isPulling: false,
    });
    this.#tell();
    this.#equal$.next();
  }

  #failed(copy: Copy, kind: Extract<PullEvent, { type: 'failed' }>['kind']): void {
    this.#set({ isPulling: false });
    if (kind === 'otherReader') this.#options.onOtherReader();
    else if (kind !== 'foreignEpoch') {
      this.#set({ connection: connectionAfter(kind) });
      this.#tell();
    } else {
      this.#failures.count = 0;
      copy.pulling?.unsubscribe();
      copy.pulling = null;
      void this.#inTurn(async () => {
        if (copy === this.#next) return this.#beginAnew();
        this.#isForeign = true;
        await this.#begin();
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
