import type { ReplicationPullHandlerResult } from 'rxdb/plugins/core';
import { replicateRxCollection, type RxReplicationState } from 'rxdb/plugins/replication';
import { filter, firstValueFrom, map, Subject, take, takeUntil, type Observable } from 'rxjs';
import type { Change, Checkpoint } from '#shared/replication';
import { packsOf, REPLICATION, stateOf, writtenPacks, type PackCollection } from './database.ts';
import { Failure, type FailureKind } from './failure.ts';
import type { FirstPages } from './first-pages.ts';
import {
  fold,
  NO_PAGE,
  packIdOf,
  packsWith,
  readState,
  STATE,
  stateDocument,
  type KeptState,
  type Pack,
} from './packs.ts';
import type { ClockPort, ServerPort } from './ports.ts';
import type { Reader } from './status.ts';
import { report } from './report.ts';
import { ServerPages } from './server-pages.ts';
import { after } from './time.ts';

/** A replication that RxDB does not go on with within this time has stopped for good, in milliseconds. */
const DEAD_MS = 60_000;

/** How many revisions before a write's last one its page begins: more than one write touches. */
const NEAR = 100;

/** What becomes known while a collection is replicated. */
export type ReplicationEvent =
  | { readonly type: 'pulling' }
  /** A try failed; the next one follows by itself, unless the kind needs another copy or reader. */
  | { readonly type: 'failed'; readonly kind: FailureKind }
  /** A page has come. */
  | { readonly type: 'page'; readonly changes: number }
  /** The collection is equal to the server. */
  | { readonly type: 'equal'; readonly revision: number }
  /** The storage has refused a page. */
  | { readonly type: 'storage'; readonly error: unknown };

interface ReplicationOptions {
  readonly collection: PackCollection;
  readonly reader: Reader;
  readonly server: ServerPort;
  readonly clock: ClockPort;
  /** False for a first copy, which is whole sooner without acts; they come in the pull after it. */
  readonly modifications: boolean;
  /** Tries that failed just before: the first one waits as long as the next one would. */
  readonly failures: number;
  /** The first pages that are on their way already. */
  readonly first: FirstPages | null;
}

type Page = ReplicationPullHandlerResult<Pack, Checkpoint>;

const NOTHING: Page = { documents: [], checkpoint: undefined };

/**
 * Replicates the server's journal into one collection of packs by `replicateRxCollection`. Its handler
 * folds one page of changes of all kinds into the packs that it touches, and returns these and the state:
 * RxDB writes them in one bulk write, so that a page is there whole or not at all. The state of the
 * collection, not RxDB's own checkpoint, which it writes later, says where the next page begins.
 */
export class Replication {
  readonly #options: ReplicationOptions;
  readonly #replication: RxReplicationState<Pack, Checkpoint>;
  readonly #events = new Subject<ReplicationEvent>();
  readonly events$: Observable<ReplicationEvent> = this.#events.asObservable();
  readonly #resyncs = new Subject<'RESYNC'>();
  readonly stopped$ = new Subject<void>();
  readonly #stopping = new AbortController();
  readonly #written: Observable<KeptState>;
  readonly #pages: ServerPages;
  /** Whether the server is to be asked whatever has been announced. */
  #isDue = true;
  /** Whether the last page has left some for the next one. */
  #isMore = false;
  /** The highest revision announced since the last request. */
  #announced = 0;
  /** The revision of a write whose outcome is wanted ahead of pages that come before it. */
  #wanted = 0;
  /** The state of the page that RxDB is writing; `null` where none is. */
  #writing: KeptState | null = null;
  #reached = 0;
  /** How often RxDB has called the handler, and whether a call is under way. */
  #calls = 0;
  #isAsking = false;

  constructor(options: ReplicationOptions) {
    this.#options = options;
    this.#written = states(options.collection);
    this.#pages = new ServerPages({
      ...options,
      stopped$: this.stopped$,
      signal: this.#stopping.signal,
      onRequest: () => {
        // What was announced before is forgotten: a revision that is not reached belongs to another database.
        this.#announced = 0;
        this.#isDue = false;
      },
      onFailure: (kind) => this.#events.next({ type: 'failed', kind }),
    });
    this.#replication = replicateRxCollection<Pack, Checkpoint>({
      collection: options.collection,
      replicationIdentifier: REPLICATION,
      live: true,
      // The owner stops it while every tab is hidden; RxDB's own switch would see this tab alone.
      toggleOnDocumentVisible: false,
      pull: {
        // RxDB asks for the next page until one has fewer documents than this.
        batchSize: 1,
        stream$: this.#resyncs,
        handler: () => this.#handle(),
      },
    });
    this.#replication.error$
      .pipe(takeUntil(this.stopped$), take(1))
      .subscribe((error) => this.#events.next({ type: 'storage', error }));
    void this.#replication.startPromise.then(() => this.#heed());
  }

  /** What RxDB cannot read of its own it leaves in these promises, and never calls the handler again. */
  #heed(): void {
    const { streamQueue, checkpointQueue } = this.#replication.internalReplicationState ?? {};
    Promise.all([streamQueue?.up, streamQueue?.down, checkpointQueue]).catch((error: unknown) =>
      this.#events.next({ type: 'storage', error }),
    );
  }

  /** Asks the server once more, whatever has been announced. */
  pull(): void {
    this.#isDue = true;
    void this.#resync();
    this.wake();
  }

  /** Asks the server unless the collection has reached this revision. */
  pullUpTo(revision: number): void {
    this.#announced = Math.max(this.#announced, revision);
    if (this.#announced > this.#reached) void this.#resync();
    this.wake();
  }

  /** The same for a write of this device, whose records come first where many pages are missing. */
  pullWrite(revision: number): void {
    this.#wanted = Math.max(this.#wanted, revision);
    this.pullUpTo(revision);
  }

  /** Brings the next try forward. */
  wake(): void {
    this.#pages.wake();
  }

  /** Stops it; what is written stays. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.stopped$.next();
    this.stopped$.complete();
    this.#events.complete();
    // It ends with what RxDB could not read or write, which has been told already.
    await this.#replication
      .cancel()
      .catch((error: unknown) => report(error, 'ending a replication'));
  }

  /** Has RxDB call the handler. A storage that is gone is found here first. */
  async #resync(): Promise<void> {
    const before = this.#calls;
    try {
      await stateOf(this.#options.collection);
    } catch (error) {
      this.#events.next({ type: 'storage', error });
      return;
    }
    this.#resyncs.next('RESYNC');
    setTimeout(() => this.#heed());
    const isDead$ = after(this.#options.clock, DEAD_MS).pipe(
      filter(() => this.#calls === before && !this.#isAsking),
      takeUntil(this.stopped$),
    );
    isDead$.subscribe(() =>
      this.#events.next({ type: 'storage', error: new Error('RxDB does not replicate any more') }),
    );
  }

  /** One call of RxDB: a page and its checkpoint, or nothing where nothing is due. */
  async #handle(): Promise<Page> {
    this.#calls++;
    this.#isAsking = true;
    try {
      return await this.#answer();
    } catch (error) {
      if (this.#stopping.signal.aborted) return NOTHING;
      if (error instanceof Failure) this.#events.next({ type: 'failed', kind: error.kind });
      else this.#events.next({ type: 'storage', error });
      return NOTHING;
    } finally {
      this.#isAsking = false;
    }
  }

  async #answer(): Promise<Page> {
    const state = (await this.#outcome()) ?? (await stateOf(this.#options.collection));
    this.#reached = state?.revision ?? 0;
    if (!this.#isAskedFor(this.#reached)) return NOTHING;
    this.#events.next({ type: 'pulling' });
    const isAhead = state !== null && !state.whole && this.#wanted > state.revision;
    return await (isAhead ? this.#pullAhead(state) : this.#pullNext(state));
  }

  async #pullNext(state: KeptState | null) {
    const modifications = this.#options.modifications || state?.whole === true;
    const page = await this.#pages.ask(state, modifications);
    const { epoque, revision, complet } = page;
    const whole = complet || state?.whole === true;
    if (!complet) this.#pages.prefetch(page, modifications);
    // A first copy is whole without acts, which come next.
    this.#isMore = !complet || !modifications;
    this.#events.next({ type: 'page', changes: page.changements.length });
    const isSame = epoque === state?.epoque && revision === state.revision && whole === state.whole;
    if (!isSame) return this.#write(page.changements, state, { epoque, revision, whole });
    this.#tellEqual(revision);
    // Nothing to write; RxDB would take an empty answer for the end.
    return this.#isAskedFor(revision) ? this.#answer() : NOTHING;
  }

  /** The page that holds a write, from before pages that are still to come. */
  async #pullAhead(state: KeptState) {
    const ahead = this.#wanted;
    this.#wanted = 0;
    const revision = Math.max(state.revision, ahead - NEAR);
    const page = await this.#pages.ask({ epoque: state.epoque, revision }, false);
    this.#isMore = true;
    return this.#write(page.changements, state, { ahead });
  }

  async #write(changes: readonly Change[], before: KeptState | null, news: Partial<KeptState>) {
    const { collection, clock } = this.#options;
    const base = before ?? NO_PAGE;
    const packs = packsWith(base, changes);
    const state = { ...base, ...news, packs, pages: base.pages + 1 };
    // Parsing took its time, and writing and showing will: the browser gets a turn between.
    await clock.pause();
    const held = await packsOf(collection, [...new Set(changes.map(packIdOf))]);
    this.#writing = state;
    const documents = [...fold(held, changes), stateDocument(state)];
    return {
      documents: documents.map((pack) => ({ ...pack, _deleted: false })),
      checkpoint: { epoque: state.epoque, revision: state.revision },
    };
  }

  /**
   * The state after the page that RxDB writes; `null` where it writes none. Where another tab has written
   * meanwhile that is its state: the next page begins there.
   */
  async #outcome(): Promise<KeptState | null> {
    const writing = this.#writing;
    if (writing === null) return null;
    const { collection } = this.#options;
    const arrived = firstValueFrom(this.#written.pipe(takeUntil(this.stopped$)));
    // Either it was written before this is looked at, or its event is still to come.
    arrived.catch(() => undefined);
    let state = await stateOf(collection);
    if (state?.pages !== writing.pages) state = await arrived;
    this.#writing = null;
    if (state.revision === writing.revision) this.#tellEqual(state.revision);
    return state;
  }

  /** Whether there is a reason to ask the server, where the collection has come so far. */
  #isAskedFor(revision: number): boolean {
    return this.#isDue || this.#isMore || this.#announced > revision;
  }

  #tellEqual(revision: number): void {
    this.#reached = revision;
    if (this.#isAskedFor(revision)) return;
    this.#events.next({ type: 'equal', revision });
  }
}

/** The states of a collection as pages are written to it, by any tab. */
const states = (collection: PackCollection): Observable<KeptState> =>
  writtenPacks(collection).pipe(
    map((packs) => packs.find(({ id }) => id === STATE)),
    filter((pack) => pack !== undefined),
    map(readState),
  );
