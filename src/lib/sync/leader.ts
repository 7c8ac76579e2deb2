import { exhaustMap, filter, map, merge, Observable, Subject, takeUntil } from 'rxjs';
import type { Copy, Generation } from './copy.ts';
import { announcements } from './event-stream.ts';
import { connectionAfter } from './failure.ts';
import type { FirstPages } from './first-pages.ts';
import type { Ports } from './ports.ts';
import { Replication, type ReplicationEvent } from './replication.ts';
import type { CopyStatus, Reader } from './status.ts';
import { after } from './time.ts';

/** A copy that was equal to the server this recently is fresh, in milliseconds. */
const FRESH_MS = 10_000;

/** The least time between two pulls by `reSync`, in milliseconds. */
const APART_MS = 1_000;

/** A collection that cannot be continued this soon after it has taken over waits longer, in milliseconds. */
const SETTLED_MS = 300_000;

/** What the leader works for: the replica. */
interface LeaderContext {
  readonly ports: Ports;
  readonly reader: Reader;
  /** The first pages that are on their way, for a device that has nothing yet. */
  readonly first: FirstPages | null;
  readonly status: CopyStatus;
  set(change: Partial<CopyStatus>): void;
  onStorageFailure(error: unknown): void;
  /** Called where the server names another reader. */
  onOtherReader(): void;
  /** Called once another collection is on the screen than before. */
  onTakeOver(): void;
  /** Called with each news of how the device stands with the server. */
  onExchange(): void;
}

/** What the tab that leads does: it replicates the copy in use, and beside it the next one. */
export class Leader {
  readonly #context: LeaderContext;
  readonly #refreshes$ = new Subject<void>();
  readonly #reSyncs$ = new Subject<void>();
  /** Told each time the copy is equal to the server. */
  readonly #equal$ = new Subject<void>();
  #copy: Copy | null = null;
  #current: Replication | null = null;
  #filling: Replication | null = null;
  /** Has the next copy take over, which is whole and has not come as far as the one in use. */
  #heldBack: (() => void) | null = null;
  /** Whether another one is to be filled although the copy in use is there. */
  #mustRenew = false;
  #first: FirstPages | null;
  #failures: number;
  #discards = 0;
  #renewals = 0;
  #tookOverAt = -Infinity;
  #pulledAt = -Infinity;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(context: LeaderContext) {
    this.#context = context;
    this.#first = context.first;
    this.#failures = context.status.connection === 'online' ? 0 : 1;
  }

  /** Replicates until it is unsubscribed. */
  replicate(copy: Copy): Observable<unknown> {
    return new Observable((subscriber) => {
      this.#copy = copy;
      void this.#inTurn(async () => {
        if (subscriber.closed) return;
        copy.removeGone(this.#context.reader);
        if (copy.inUse !== null) this.#current = this.#start(copy, copy.inUse, false);
        if (copy.inUse === null || this.#mustRenew || copy.next !== null) await this.#fillNow();
      });
      const listening = merge(
        this.#announcements$(),
        copy.wentOver$.pipe(map(() => this.#goOver(copy))),
        this.#refreshes$.pipe(map(() => this.#refresh())),
        this.#reSyncs$.pipe(exhaustMap(() => this.#pullSoon())),
      ).subscribe();
      return () => {
        this.#copy = null;
        listening.unsubscribe();
        void this.stop();
      };
    });
  }

  /** The page or the network is back: pulls unless the copy is fresh. */
  refresh(): void {
    this.#refreshes$.next();
  }

  /** Pulls soon, however fresh the copy is. */
  reSync(): void {
    this.#reSyncs$.next();
  }

  /** Pulls what a write has done, up to its revision, ahead of all else. */
  pullWrite(revision: number): void {
    for (const replication of this.#replications) replication.pullWrite(revision);
  }

  /** Fills a fresh collection beside the copy in use. */
  renew(): void {
    if (this.#filling === null) void this.#fill();
  }

  /** Stops what replicates; what is written stays. */
  async stop(): Promise<void> {
    const running = this.#replications;
    this.#current = this.#filling = null;
    this.#context.set({ isPulling: false, renewing: null });
    await Promise.all(running.map((replication) => replication.stop()));
  }

  get #replications(): Replication[] {
    return [this.#current, this.#filling].filter((one) => one !== null);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch((error: unknown) => this.#context.onStorageFailure(error));
    return done;
  }

  #start(copy: Copy, { name, collection }: Generation, isFilling: boolean): Replication {
    const { server, clock } = this.#context.ports;
    const replication = new Replication({
      collection,
      reader: this.#context.reader,
      server,
      clock,
      // A copy made anew brings acts along, so that they do not leave the screen.
      modifications: copy.whole$.value,
      failures: this.#failures,
      first: this.#first,
    });
    this.#first = null;
    replication.events$
      .pipe(takeUntil(replication.stopped$))
      .subscribe((event) => this.#handle(copy, replication, event));
    if (isFilling) {
      const filled$ = copy.arrivals$.pipe(filter((one) => one.name === name && one.state.whole));
      filled$
        .pipe(takeUntil(replication.stopped$))
        .subscribe(({ state }) => this.#takeOver(copy, replication, state.revision));
    }
    return replication;
  }

  #handle(copy: Copy, replication: Replication, event: ReplicationEvent): void {
    const isFilling = replication === this.#filling;
    if (event.type === 'pulling') {
      this.#pulledAt = this.#context.ports.clock.now();
      if (!isFilling) this.#context.set({ isPulling: true });
    } else if (event.type === 'page') {
      this.#failures = 0;
      this.#context.set({ connection: 'online' });
      const { renewing, whole } = this.#context.status;
      if (isFilling && whole) this.#context.set({ renewing: (renewing ?? 0) + event.changes });
    } else if (event.type === 'equal') {
      // One that was whole already, as after a crash, is written no more.
      if (isFilling && this.#heldBack === null) this.#takeOver(copy, replication, event.revision);
      void copy.inTurn(() => {
        this.#tellEqual();
        return Promise.resolve();
      });
    } else if (event.type === 'storage') {
      this.#context.onStorageFailure(event.error);
    } else this.#handleFailure(copy, replication, event.kind);
  }

  #handleFailure(
    copy: Copy,
    replication: Replication,
    kind: Extract<ReplicationEvent, { type: 'failed' }>['kind'],
  ): void {
    this.#failures++;
    this.#context.set({ isPulling: false });
    if (kind === 'foreignEpoch' && replication === this.#filling) void this.#beginAnew(copy);
    else if (kind === 'foreignEpoch') {
      this.#failures = this.#earlyRenewals();
      this.#current = null;
      void replication.stop();
      void this.#fill();
      this.#heldBack?.();
    } else if (kind === 'otherReader') this.#askWhoReads(copy);
    else {
      this.#context.set({ connection: connectionAfter(kind) });
      this.#context.onExchange();
    }
  }

  /** Pages name another reader: the server is asked, and where it names the same one pulling goes on. */
  #askWhoReads(copy: Copy): void {
    this.#context.onOtherReader();
    void this.#inTurn(async () => {
      await this.stop();
      if (copy !== this.#copy || !this.#context.status.isLeader) return;
      if (copy.inUse !== null) this.#current = this.#start(copy, copy.inUse, false);
      else await this.#fillNow();
    });
  }

  /** Replicates the collection that another tab has put in use, in place of the one before. */
  #goOver(copy: Copy): void {
    void this.#inTurn(async () => {
      await this.stop();
      if (copy !== this.#copy || copy.inUse === null) return;
      this.#current = this.#start(copy, copy.inUse, false);
    });
  }

  /** How often in a row a copy had to be made anew soon after it had taken over. */
  #earlyRenewals(): number {
    const isEarly = this.#context.ports.clock.now() - this.#tookOverAt < SETTLED_MS;
    return (this.#renewals = isEarly ? this.#renewals + 1 : 0);
  }

  #tellEqual(): void {
    this.#discards = 0;
    const equalAt = this.#context.ports.clock.now();
    this.#context.set({ connection: 'online', equalAt, isPulling: false });
    this.#context.onExchange();
    this.#equal$.next();
  }

  /** Fills a first copy, or one that will replace the copy in use. */
  #fill(): Promise<void> {
    return this.#inTurn(() => this.#fillNow());
  }

  async #fillNow(): Promise<void> {
    const copy = this.#copy;
    if (copy === null || this.#filling !== null) return;
    this.#mustRenew = true;
    if (this.#context.status.whole) this.#context.set({ renewing: 0 });
    const next = await copy.openNext();
    this.#filling = this.#start(copy, next, true);
  }

  /**
   * The collection that was filled is whole: it takes over, and its replication goes on. Where the one in
   * use has been kept equal meanwhile it has to come as far first, or the screen would go back; where that
   * turns out to be of another epoch its revisions say nothing.
   */
  #takeOver(copy: Copy, replication: Replication, revision: number): void {
    if (replication !== this.#filling) return;
    const shown = this.#current === null ? 0 : this.#context.status.revision;
    this.#heldBack = null;
    if (revision < shown) {
      this.#heldBack = () => this.#takeOver(copy, replication, revision);
      replication.pullUpTo(shown);
      return;
    }
    const old = this.#current;
    this.#current = replication;
    this.#filling = null;
    this.#mustRenew = false;
    this.#tookOverAt = this.#context.ports.clock.now();
    copy.promote(this.#context.reader).then(
      () => {
        this.#context.set({ renewing: null });
        this.#context.onTakeOver();
        return old?.stop();
      },
      (error: unknown) => this.#context.onStorageFailure(error),
    );
  }

  /** Begins another collection in place of one that cannot be continued, later each time. */
  #beginAnew(copy: Copy): Promise<void> {
    return this.#inTurn(async () => {
      const replication = this.#filling;
      this.#filling = null;
      await replication?.stop();
      await copy.discardNext();
      this.#failures = ++this.#discards - 1;
      await this.#fillNow();
    });
  }

  #refresh(): void {
    const { equalAt, connection } = this.#context.status;
    const isFresh = this.#context.ports.clock.now() - equalAt < FRESH_MS;
    for (const replication of this.#replications)
      if (connection === 'online' && !isFresh) replication.pull();
      else if (connection !== 'online') replication.wake();
  }

  /** Pulls, but not within `APART_MS` of the last pull. */
  #pullSoon(): Observable<void> {
    const { clock } = this.#context.ports;
    const ms = Math.max(0, this.#pulledAt + APART_MS - clock.now());
    return after(clock, ms).pipe(map(() => this.#current?.pull()));
  }

  /** What the server's event stream announces, while the copy is equal to it. */
  #announcements$(): Observable<unknown> {
    const { server, clock } = this.#context.ports;
    return announcements(server, clock, this.#equal$).pipe(
      map((announced) => {
        if (announced === 'opened') this.#reSyncs$.next();
        else if (announced === 'broke') this.#current?.pull();
        else for (const replication of this.#replications) replication.pullUpTo(announced);
      }),
    );
  }
}
