import { BehaviorSubject, concatMap, Subject, type Subscription } from 'rxjs';
import {
  stateOf,
  writtenPacks,
  type CopyDatabase,
  type Generations,
  type PackCollection,
} from './database.ts';
import { CopyScreen } from './copy-screen.ts';
import {
  changesIn,
  documentsOf,
  inTodaysShapes,
  NO_PAGE,
  readState,
  STATE,
  type KeptState,
  type Pack,
} from './packs.ts';
import type { EarlierCopy, Ports } from './ports.ts';
import type { Reader } from './status.ts';
import type { Records } from './records.ts';
import type { ReplicaOptions } from './replica-options.ts';
import { report } from './report.ts';

/** A collection of the copy: the one in use, or the one that is being filled. */
export interface Generation {
  readonly name: string;
  readonly collection: PackCollection;
}

/** What a collection has taken, once it is on the screen if that shows it. */
interface Arrival {
  readonly name: string;
  readonly state: KeptState;
}

/** How long a replaced collection is kept for tabs that are still reading it, in milliseconds. */
const GONE_MS = 60_000;

/**
 * One reader's copy in one database, and what of it is on the screen. The screen follows what is written
 * to the collection in use, by this tab or another; nothing else ever puts a record there.
 */
export class Copy {
  readonly database: CopyDatabase;
  /** The whole collection that the screen shows. */
  inUse: Generation | null = null;
  /** A first copy, or the collection that will replace `inUse`. */
  next: Generation | null = null;
  /** How far the records on the screen have come; `null` where that is not known. */
  readonly shown$: BehaviorSubject<KeptState | null>;
  readonly arrivals$ = new Subject<Arrival>();
  /** Told with what could not be shown or read: the storage has failed. */
  readonly failures$ = new Subject<unknown>();
  /** Told when another tab has put another collection in use: that one is to be replicated. */
  readonly wentOver$ = new Subject<void>();
  /** True once a whole copy is on the screen. */
  readonly whole$: BehaviorSubject<boolean>;
  /** A collection in use that could not be read; `null` without one. */
  unreadable: string | null = null;
  readonly #ports: Ports;
  readonly #records: Records;
  /** Whether a first copy may be shown although something is on the screen. */
  #isFirst: boolean;
  readonly #screen: CopyScreen;
  readonly #subscriptions = new Map<string, Subscription>();
  #following: Subscription | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #stopTimer: (() => void) | null = null;
  /** Whether the screen shows `next`, because it had nothing else to show. */
  #showsNext = false;

  /** @param known what of this reader is on the screen already, when a copy is opened again */
  constructor(
    database: CopyDatabase,
    { ports, records, firstScreen }: ReplicaOptions,
    known: { readonly shown: KeptState | null; readonly whole: boolean },
  ) {
    this.database = database;
    this.#isFirst = known.shown === null && firstScreen.isFirstPage;
    // What was shown before a copy says nothing where one has been shown since.
    const before = known.shown === null ? firstScreen.shown : [];
    this.#screen = new CopyScreen(records, ports.clock, () => !this.#isClosed, before);
    this.#ports = ports;
    this.#records = records;
    this.shown$ = new BehaviorSubject(known.shown);
    this.whole$ = new BehaviorSubject(known.whole);
  }

  /**
   * Reads the copy in use onto the screen, or what there is of a first one. Throws what the storage throws.
   *
   * @param isLast true where a collection that cannot be read is left, for another to be filled
   */
  async open(isLast: boolean): Promise<void> {
    await this.inTurn(async () => this.#openGenerations(await this.database.generations(), isLast));
    this.#following = this.database.generations$.subscribe((now) => {
      this.inTurn(() => this.#goOver(now)).catch((error: unknown) => this.failures$.next(error));
    });
  }

  async #openGenerations({ inUse, next }: Generations, isLast: boolean): Promise<void> {
    const unreadable = (error: unknown) => {
      if (!isLast) throw error;
      report(error, 'reading the copy in use');
      this.unreadable = inUse;
      return false;
    };
    if (inUse !== null && (await this.#show(inUse).catch(unreadable))) return;
    if (this.whole$.value && this.shown$.value !== null) return this.#seed();
    if (next === null) return;
    const collection = await this.database.packs(next);
    this.next = { name: next, collection };
    this.#showsNext = this.#isEmpty;
    this.#watch(this.next);
    if (!this.#showsNext) return;
    await this.#screen.read(collection);
    this.shown$.next(await stateOf(collection));
  }

  /** Shows a whole collection; false where it is none, as that of a browser that has lost a database. */
  async #show(name: string): Promise<boolean> {
    const collection = await this.database.packs(name);
    const generation = { name, collection };
    this.#watch(generation);
    const state = await stateOf(collection);
    if (state?.whole !== true) return false;
    await this.#screen.open(collection, state, this.shown$.value);
    this.inUse = generation;
    this.shown$.next(state);
    this.whole$.next(true);
    return true;
  }

  /** Keeps what the screen shows in a new collection, and has it be in use. */
  async #seed(): Promise<void> {
    const shown = this.shown$.value;
    if (shown === null) return;
    const next = await this.#generation(await this.database.beginGeneration());
    const packs = documentsOf(this.#records.allChanges(), shown);
    const { error } = await next.collection.bulkUpsert(packs);
    if (error.length > 0) throw new Error('the copy could not be kept', { cause: error[0] });
    this.#watch(next);
    this.inUse = next;
    await this.database.useGeneration(next.name);
  }

  /** Shows what an earlier version of the application has kept, and keeps it where its checkpoint holds. */
  showEarlier({ changes, checkpoint }: EarlierCopy): Promise<void> {
    return this.inTurn(async () => {
      await this.#screen.take(inTodaysShapes(changes));
      if (checkpoint !== null) {
        this.shown$.next({ ...NO_PAGE, ...checkpoint, whole: true });
        await this.#seed();
      }
      this.whole$.next(true);
    });
  }

  /** The collection that is being filled, of this or an earlier visit, or a new one. */
  openNext(): Promise<Generation> {
    return this.inTurn(async () => {
      if (this.next !== null) return this.next;
      const { next } = await this.database.generations();
      this.next = await this.#generation(next ?? (await this.database.beginGeneration()));
      this.#showsNext = this.#isEmpty;
      this.#watch(this.next);
      return this.next;
    });
  }

  async #generation(name: string): Promise<Generation> {
    return { name, collection: await this.database.packs(name) };
  }

  /** Gives up the collection that is being filled: its pull cannot be continued. */
  discardNext(): Promise<void> {
    return this.inTurn(async () => {
      if (this.next === null) return;
      this.#dropNext();
      // What the screen shows of it cannot be compared with what will come.
      this.#isFirst = false;
      await this.database.discardGeneration();
    });
  }

  #dropNext(): void {
    if (this.next !== null) this.#forget(this.next.name);
    this.next = null;
  }

  /** Has the collection that was filled be the one in use, on the screen and on the device. */
  promote(reader: Reader): Promise<void> {
    return this.inTurn(async () => {
      const { next } = this;
      if (next === null) return;
      if (!this.#showsNext) await this.#replaceBy(next);
      this.#use(next);
      await this.database.useGeneration(next.name);
      await this.#ports.storage.dropEarlier(reader);
      this.#stopTimer = this.#ports.clock.after(GONE_MS, () => this.removeGone(reader));
    });
  }

  /** A whole collection is on the screen: it is the one in use. */
  #use(generation: Generation): void {
    if (this.inUse !== null && this.inUse.name !== generation.name) this.#forget(this.inUse.name);
    this.inUse = generation;
    if (this.next?.name === generation.name) this.next = null;
    this.#showsNext = false;
    this.#screen.forgetLacking();
    this.whole$.next(true);
  }

  /** Removes replaced collections, and what an earlier version has kept. */
  removeGone(reader: Reader): void {
    this.inTurn(async () => {
      if (this.#isClosed) return;
      const { inUse } = await this.database.generations();
      if (inUse !== null) await this.#ports.storage.dropEarlier(reader);
      await this.database.removeGone(this.#ports.storage);
    }).catch((error: unknown) => report(error, 'removing replaced collections'));
  }

  /** Another tab has put another collection in use, or has begun a first one. */
  async #goOver({ inUse, next }: Generations): Promise<void> {
    if (this.#isClosed || (inUse !== null && inUse === this.unreadable)) return;
    if (inUse !== null && inUse === this.next?.name && this.#showsNext) {
      this.#use(this.next);
    } else if (inUse !== null && inUse !== this.inUse?.name) {
      const generation = await this.#generation(inUse);
      const state = await stateOf(generation.collection);
      // A browser that has lost a database opens an empty one in its place.
      if (state?.whole !== true) return;
      this.#watch(generation);
      await this.#screen.open(generation.collection, state, this.shown$.value);
      this.shown$.next(state);
      this.#use(generation);
      if (this.next?.name !== next) this.#dropNext(); // what it was filling is named no more
      this.wentOver$.next();
    } else if (next !== null && this.next === null && inUse === null) {
      this.next = await this.#generation(next);
      this.#showsNext = this.#isEmpty;
      this.#watch(this.next);
      if (this.#showsNext) await this.#screen.read(this.next.collection);
    }
  }

  /** Puts all records of a collection on the screen in place of those that are there. */
  async #replaceBy({ collection }: Generation): Promise<void> {
    const state = await stateOf(collection);
    if (state === null) throw new Error('a collection in use is empty');
    await this.#screen.replaceBy(collection);
    this.shown$.next(state);
  }

  /** Follows what is written to a collection, by this tab or another. */
  #watch({ name, collection }: Generation): void {
    if (this.#subscriptions.has(name)) return;
    const subscription = writtenPacks(collection)
      .pipe(concatMap((packs) => this.inTurn(() => this.#arrived(name, packs))))
      .subscribe({ error: (error: unknown) => this.failures$.next(error) });
    this.#subscriptions.set(name, subscription);
  }

  #forget(name: string): void {
    this.#subscriptions.get(name)?.unsubscribe();
    this.#subscriptions.delete(name);
  }

  /** Shows a page that has been written, whole. */
  #arrived(name: string, packs: readonly Pack[]): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    const isShown = name === this.inUse?.name || (this.#showsNext && name === this.next?.name);
    const document = packs.find(({ id }) => id === STATE);
    const state = document && readState(document);
    // A page ahead holds what somebody of this device has just written.
    const isPart = state?.whole === false && state.ahead === (this.shown$.value?.ahead ?? 0);
    if (isShown) this.#screen.show(changesIn(packs), isPart);
    if (state === undefined) return Promise.resolve();
    if (isShown) this.shown$.next(state);
    this.arrivals$.next({ name, state });
    return Promise.resolve();
  }

  /** Whether the screen shows no other copy. */
  get #isEmpty(): boolean {
    return !this.whole$.value && (this.#isFirst || this.#records.size === 0);
  }

  /** Runs after everything that was asked for before: one thing at a time changes the screen. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Shows nothing from now on: the screen is another reader's before this copy has been closed. */
  leaveScreen(): void {
    this.#isClosed = true;
  }

  /** Closes the database; a failure is only reported. */
  async close(): Promise<void> {
    this.leaveScreen();
    this.#following?.unsubscribe();
    this.#stopTimer?.();
    for (const name of [...this.#subscriptions.keys()]) this.#forget(name);
    // A collection that is opened after its database has been closed would stay open.
    await this.#turn;
    await this.database
      .close()
      .catch((error: unknown) => report(error, 'closing the database of a copy'));
  }
}
