import type { ReplicationPullHandlerResult } from 'rxdb/plugins/core';
import { replicateRxCollection, type RxReplicationState } from 'rxdb/plugins/replication';
import { filter, map, merge, mergeMap, Observable, Subject, tap, type Subscriber } from 'rxjs';
import type { OtherDatabase } from '#shared/refusal-details';
import { epochOf, type ChangePage, type Checkpoint } from '#shared/replication';
import type { Packs } from './database.ts';
import { isSameState, packsOf, stateOf, type Pack, type State } from './packs.ts';
import { mergeIntoPacks, packIdOf, stateDocument } from './written-packs.ts';
import type { Pages } from './pages.ts';
import type { ClockPort } from './ports.ts';
import { report, unawaited } from './report.ts';
import { backOff, Failure, type FailureKind, type Reader } from './status.ts';

/** Events of a replication. */
export type PullEvent =
  | { readonly type: 'asked' }
  /** An attempt failed; RxDB retries. */
  | {
      readonly type: 'failed';
      readonly kind: FailureKind;
      readonly other: OtherDatabase | null;
    }
  /** The page after a state was received; RxDB still has to write it. */
  | { readonly type: 'page'; readonly from: State | null; readonly page: ChangePage }
  /** The replica is equal to the server. */
  | { readonly type: 'synced' }
  /** The storage has refused to read or write. */
  | { readonly type: 'storage'; readonly error: unknown };

interface PullOptions {
  readonly packs: Packs;
  readonly reader: Reader;
  readonly pages: Pages;
  readonly clock: ClockPort;
  /** Announced revisions; `Infinity` forces a request. */
  readonly announced$: Observable<number>;
  /** The required epoch of a staging replica; `null` for any. */
  readonly epoch: () => string | null;
  /** False for a first replica, which is complete sooner without the history; that comes in the next pull. */
  readonly modifications: boolean;
  /** The number of consecutive failures, including earlier replications. */
  readonly failures: { count: number };
}

type Result = ReplicationPullHandlerResult<Pack, Checkpoint>;

const NOTHING: Result = { documents: [], checkpoint: undefined };

/** The end of a collection's previous replication: two at a time would request everything twice. */
const endings = new WeakMap<Packs, Promise<unknown>>();

/**
 * Replicates the server's journal into the packs of a replica by `replicateRxCollection`, until it is unsubscribed. A
 * page of changes is merged into its packs, which RxDB writes with the state in one bulk write, so that a page is
 * stored completely or not at all. The state determines the next page, not RxDB's own checkpoint, which is written
 * later.
 */
export const pull = (options: PullOptions): Observable<PullEvent> =>
  new Observable((subscriber) => {
    let replication: Replication | null = null;
    unawaited(
      Promise.resolve(endings.get(options.packs)).then(() => {
        if (!subscriber.closed) replication = new Replication(options, subscriber);
      }),
      'beginning a replication',
    );
    return () => {
      options.pages.stop();
      if (replication !== null) endings.set(options.packs, replication.end());
    };
  });

class Replication {
  readonly #options: PullOptions;
  readonly #subscriber: Subscriber<PullEvent>;
  readonly #more$ = new Subject<void>();
  readonly #replication: RxReplicationState<Pack, Checkpoint>;
  /** The revision to pull up to. */
  #due = 0;
  /** Whether to send another request, even if nothing is due. */
  #asks = true;
  /** The replica's progress, once it is read. */
  #state: State | null = null;

  constructor(options: PullOptions, subscriber: Subscriber<PullEvent>) {
    this.#options = options;
    this.#subscriber = subscriber;
    this.#replication = replicateRxCollection<Pack, Checkpoint>({
      collection: options.packs,
      replicationIdentifier: 'journal',
      waitForLeadership: false,
      pull: {
        // Larger than any page: RxDB writes each before the next request.
        batchSize: Number.MAX_SAFE_INTEGER,
        stream$: merge(
          options.announced$.pipe(mergeMap((revision) => this.#expect(revision))),
          this.#more$.pipe(tap(() => (this.#asks = true))),
        ).pipe(map(() => 'RESYNC' as const)),
        handler: () => this.#handle().catch((error: unknown) => this.#failed(error)),
      },
    });
    const { error$, active$ } = this.#replication;
    // Failed attempts are handled elsewhere; other errors of RxDB concern the storage.
    error$
      .pipe(filter((error) => !('parameters' in error) || error.parameters.direction !== 'pull'))
      .subscribe((error) => subscriber.next({ type: 'storage', error }));
    active$
      .pipe(filter((isActive) => !isActive && this.#isReached))
      .subscribe(() => subscriber.next({ type: 'synced' }));
  }

  async end(): Promise<void> {
    // Rejects with RxDB's storage errors, which are reported already.
    await this.#replication
      .cancel()
      .catch((error: unknown) => report(error, 'ending a replication'));
  }

  get #isReached(): boolean {
    return !this.#asks && this.#state !== null && this.#due <= this.#state.revision;
  }

  /** Announced changes are requested and shown at once: RxDB reads the disk several times before its request. */
  async #expect(revision: number): Promise<void> {
    const from = this.#state;
    const { pages, reader, clock } = this.#options;
    if (revision === Infinity) this.#asks = true;
    else this.#due = Math.max(this.#due, revision);
    if (from?.isComplete !== true || this.#isReached) return;
    // Only pages requested from now on answer a forced request.
    if (revision === Infinity) {
      pages.forget();
      return;
    }
    // The handler gets the failure.
    const page = await pages.begin(from, true)?.catch(() => null);
    if (page?.utilisateur !== reader || this.#subscriber.closed) return;
    this.#subscriber.next({ type: 'page', from, page });
    await clock.pause();
  }

  async #handle(): Promise<Result> {
    const { packs, failures } = this.#options;
    const state = (this.#state = await stateOf(packs));
    if (this.#isReached) return NOTHING;
    const modifications = this.#options.modifications || state?.isComplete === true;
    this.#subscriber.next({ type: 'asked' });
    const page = await this.#ask(state, modifications);
    failures.count = 0;
    // RxDB ignores announcements before it calls the handler, and this page was requested even
    // earlier.
    const isBehind = page.revision < this.#due && page.revision !== state?.revision;
    if (!page.complet || !modifications || isBehind) this.#more$.next();
    this.#subscriber.next({ type: 'page', from: state, page });
    return this.#documentsOf(page, state);
  }

  async #ask(state: State | null, modifications: boolean): Promise<ChangePage> {
    const { pages, reader } = this.#options;
    const asks = this.#asks;
    this.#asks = false;
    try {
      const page = await pages.after(state, modifications);
      if (page.utilisateur !== reader) throw new Failure('otherReader');
      const epoch = this.#options.epoch();
      if (epoch !== null && epoch !== epochOf(page)) throw new Failure('foreignEpoch');
      return page;
    } catch (error) {
      this.#asks ||= asks;
      throw error instanceof Failure ? error : new Failure('serverFailing', error);
    }
  }

  async #documentsOf(page: ChangePage, state: State | null): Promise<Result> {
    const { packs, clock } = this.#options;
    const { epoque, revision, bibliotheque, changements } = page;
    const isComplete = page.complet || state?.isComplete === true;
    const next = { epoque, revision, bibliotheque, isComplete };
    if (state !== null && isSameState(state, next)) return NOTHING;
    // Between the long work of parsing and that of writing the browser gets a turn.
    await clock.pause();
    const touched = new Set(changements.map(packIdOf));
    const existing = await packsOf(packs, [...touched]);
    const ids = [...new Set([...(state?.packs ?? []), ...touched])];
    this.#state = { ...next, packs: ids };
    const documents = [...mergeIntoPacks(existing, changements), stateDocument(this.#state)];
    return {
      documents: documents.map((pack) => ({ ...pack, _deleted: false })),
      checkpoint: { epoque, revision },
    };
  }

  /** Makes RxDB try again, unless the storage has failed. */
  #failed(error: unknown): Result {
    const { failures, clock } = this.#options;
    if (this.#subscriber.closed) return NOTHING;
    if (!(error instanceof Failure)) {
      this.#subscriber.next({ type: 'storage', error });
      return NOTHING;
    }
    report(error, 'pulling');
    const { kind, other } = error;
    // The replica's household may return at any time, like a network.
    const mayComeBack = kind === 'offline' || kind === 'foreignEpoch';
    failures.count++;
    this.#replication.retryTime = backOff(failures.count, mayComeBack, clock);
    this.#subscriber.next({ type: 'failed', kind, other });
    throw error;
  }
}
