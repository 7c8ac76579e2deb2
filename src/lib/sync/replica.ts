import {
  BehaviorSubject,
  combineLatest,
  concat,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  from,
  map,
  merge,
  of,
  Subject,
  Subscription,
  switchMap,
  takeUntil,
} from 'rxjs';
import { Copy } from './copy.ts';
import { CopyDatabase } from './database.ts';
import { Leader } from './leader.ts';
import type { KeptState } from './packs.ts';
import type { Ports } from './ports.ts';
import { report } from './report.ts';
import type { ReplicaOptions } from './replica-options.ts';
import { CLOSED, type CopyStatus } from './status.ts';
import { isQuota } from './storage-error.ts';
import type { TabMessage } from './tab-message.ts';
import { after } from './time.ts';

/** A storage that fails within this time of a failure has failed again, in milliseconds. */
const SETTLED_MS = 300_000;

/** One reader's copy on this device, kept equal to the server by the tab that leads. */
export class Replica {
  readonly status$: BehaviorSubject<CopyStatus>;
  readonly #options: ReplicaOptions;
  readonly #closed$ = new Subject<void>();
  readonly #leader: Leader;
  /** Whether someone looks at a page of this reader. */
  readonly #isWatched$: BehaviorSubject<boolean>;
  #copy: Copy | null = null;
  /** How far the records on the screen have come, whatever becomes of the database. */
  #shown: KeptState | null = null;
  #following = new Subscription();
  #storageFailures = 0;
  #storageFailedAt = -Infinity;
  #isClosed = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#isWatched$ = new BehaviorSubject(options.tabs.isWatched);
    const { ports, reader, first, connection, onOtherReader, onTakeOver } = options;
    const status$ = new BehaviorSubject<CopyStatus>({ ...CLOSED, connection });
    this.status$ = status$;
    this.#leader = new Leader({
      ports,
      reader,
      first,
      onOtherReader,
      onTakeOver,
      get status() {
        return status$.value;
      },
      set: (change) => this.#set(change),
      onStorageFailure: (error) => this.#storageFailed(error),
      onExchange: () => this.#tellExchange(),
    });
  }

  /** The database of the copy, for what else a reader keeps; `null` while none is open. */
  get database(): CopyDatabase | null {
    return this.#copy?.database ?? null;
  }

  get #status(): CopyStatus {
    return this.status$.value;
  }

  #set(change: Partial<CopyStatus>): void {
    if (!this.#isClosed) this.status$.next({ ...this.#status, ...change });
  }

  /** Opens what the device holds, shows it, and keeps it equal from here on. */
  async open(): Promise<void> {
    await this.#inTurn(() => this.#openStorage());
  }

  /** Someone looks at a page of this reader, or nobody does any more: then nothing is asked. */
  setWatched(isWatched: boolean): void {
    this.#isWatched$.next(isWatched);
  }

  /** The page or the network is back: pulls unless the copy is fresh. */
  refresh(): void {
    this.#leader.refresh();
  }

  /** Pulls once, however fresh the copy is. */
  reSync(): void {
    if (this.#status.isLeader) this.#leader.reSync();
    else this.#options.tabs.post({ type: 'wanted', revision: null });
  }

  /** Pulls what a write of this device has done, up to its revision. */
  pullWrite(revision: number): void {
    if (!this.#status.isLeader) this.#options.tabs.post({ type: 'wanted', revision });
    else this.#leader.pullWrite(revision);
  }

  /** Fills a fresh collection beside the copy in use, which stays on the screen until that is whole. */
  renew(): void {
    if (!this.#status.isLeader) this.#options.tabs.post({ type: 'renew' });
    else this.#leader.renew();
  }

  /** Heeds another tab of this reader. */
  hear(message: TabMessage): void {
    const { isLeader } = this.#status;
    if (message.type === 'exchange') {
      const { connection, equalAt } = message;
      if (!isLeader) this.#set({ connection, equalAt });
    } else if (!isLeader) return;
    else if (message.type === 'renew') this.renew();
    else if (message.type === 'here') this.#tellExchange();
    else if (message.type === 'wanted' && message.revision === null) this.#leader.reSync();
    else if (message.type === 'wanted') this.pullWrite(message.revision ?? 0);
  }

  /** Tells the other tabs how this one, which leads, stands with the server. */
  #tellExchange(): void {
    const { connection, equalAt, isLeader } = this.#status;
    if (isLeader) this.#options.tabs.post({ type: 'exchange', connection, equalAt });
  }

  /** Closes everything; nothing is deleted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed$.next();
    this.#closed$.complete();
    this.status$.complete();
    this.#following.unsubscribe();
    this.#copy?.leaveScreen();
    await this.#turn;
    await this.#closeCopy();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch((error: unknown) => report(error, 'keeping the copy'));
    return done;
  }

  /** Opens the device's storage, tried twice, else one in memory. */
  async #openStorage(): Promise<void> {
    const { storage } = this.#options.ports;
    for (let attempt = 1; attempt <= 2 && !this.#isClosed; attempt++)
      try {
        const onClosed = (collection: string) => this.#storageClosed(collection);
        await this.#openCopy(await storage.device(onClosed), {
          shared: true,
          isLast: attempt === 2,
        });
        this.#set({ storage: null });
        return;
      } catch (error) {
        report(error, 'opening the copy');
        await this.#closeCopy();
        if (isQuota(error)) return this.#openMemory('storageFull');
      }
    if (!this.#isClosed) await this.#openMemory('storageBlocked');
  }

  /** Keeps the copy in memory, and tries the device's storage again, ever more seldom. */
  async #openMemory(trouble: 'storageFull' | 'storageBlocked'): Promise<void> {
    const { storage } = this.#options.ports;
    this.#set({ storage: trouble });
    await this.#openCopy(await storage.memory(), { shared: false, isLast: true });
    this.#tryAgainLater(() => true);
  }

  /** Opens the device's storage again, ever more seldom, if that is still wanted then. */
  #tryAgainLater(isWanted: () => boolean): void {
    const ms = 60_000 * (this.#status.whole ? Math.min(5, ++this.#storageFailures) : 1);
    after(this.#options.ports.clock, ms)
      .pipe(takeUntil(this.#closed$), filter(isWanted))
      .subscribe(() => void this.#inTurn(() => this.#reopen()));
  }

  async #reopen(): Promise<void> {
    if (this.#isClosed) return;
    await this.#closeCopy();
    await this.#openStorage();
  }

  async #openCopy(
    storage: Awaited<ReturnType<Ports['storage']['device']>>,
    { shared, isLast }: { readonly shared: boolean; readonly isLast: boolean },
  ): Promise<void> {
    const { records, reader, installation } = this.#options;
    const name = ['rayonnage', encodeURIComponent(installation), encodeURIComponent(reader ?? '')];
    const database = await CopyDatabase.open(name.join('|'), storage, { shared });
    const known = { shown: this.#shown, whole: this.#status.whole };
    const copy = new Copy(database, this.#options, known);
    this.#copy = copy;
    if (this.#isClosed) copy.leaveScreen();
    else this.#follow(copy);
    await copy.open(isLast);
    if (copy.inUse === null && !this.#status.whole) await this.#showEarlier(copy);
    if (this.#isClosed) return;
    records.setCopy({ isOpening: false });
    this.#set({ isOpen: true });
    if (copy.unreadable !== null) this.#tryAgainLater(() => !this.#status.whole);
    this.#lead(copy);
  }

  /** Shows what an earlier version of the application has kept, until a copy of today's is whole. */
  async #showEarlier(copy: Copy): Promise<void> {
    const { ports, reader } = this.#options;
    const earlier = await ports.storage.earlier(reader).catch((error: unknown) => {
      report(error, 'reading an earlier copy');
      return null;
    });
    if (earlier !== null) await copy.showEarlier(earlier);
  }

  /** Tells the status what the copy shows. */
  #follow(copy: Copy): void {
    const { records } = this.#options;
    this.#following.unsubscribe();
    this.#following = merge(
      copy.whole$.pipe(
        filter((whole) => whole),
        map(() => {
          records.setCopy({ isOpening: false, isReady: true, progress: null });
          this.#set({ whole: true });
        }),
      ),
      copy.shown$.pipe(
        map((shown) => {
          this.#shown = shown;
          if (shown !== null) this.#set({ revision: shown.revision, ahead: shown.ahead });
          if (shown?.whole === false && !this.#status.whole)
            records.setCopy({ progress: { received: records.size } });
        }),
      ),
      copy.failures$.pipe(map((error) => this.#storageFailed(error))),
    ).subscribe();
  }

  /** A database was closed: where it is not by this replica, the browser has deleted it. */
  #storageClosed(collection: string): void {
    const { inUse, next } = this.#copy ?? {};
    if ([inUse?.name, next?.name].includes(collection) && this.#status.isOpen)
      this.#storageFailed(new Error('the database of the copy is gone'));
  }

  #storageFailed(error: unknown): void {
    report(error, 'keeping the copy');
    const failed = this.#copy;
    void this.#inTurn(async () => {
      // One loss shows in several places: the first to tell it has had the storage opened anew.
      if (this.#isClosed || this.#copy !== failed) return;
      const now = this.#options.ports.clock.now();
      const isAgain = now - this.#storageFailedAt < SETTLED_MS;
      this.#storageFailedAt = now;
      await this.#closeCopy();
      if (isQuota(error)) await this.#openMemory('storageFull');
      else if (isAgain) await this.#openMemory('storageBlocked');
      else await this.#openStorage();
    });
  }

  async #closeCopy(): Promise<void> {
    const copy = this.#copy;
    this.#copy = null;
    this.#following.unsubscribe();
    await this.#leader.stop();
    await copy?.close();
  }

  /** Replicates while this tab leads and someone looks at a page of its reader. */
  #lead(copy: Copy): void {
    const leads$ = concat(
      of(false),
      defer(() => from(copy.database.leadership())).pipe(map(() => true)),
    );
    const active$ = combineLatest([leads$, this.#isWatched$]).pipe(
      map(([leads, watched]) => {
        this.#set({ isLeader: leads });
        return leads && watched;
      }),
      distinctUntilChanged(),
      switchMap((active) => (active ? this.#leader.replicate(copy) : EMPTY)),
    );
    this.#following.add(active$.subscribe());
  }
}
