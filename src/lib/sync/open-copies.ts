import type { Change } from '#shared/replication';
import { Copies } from './copies.ts';
import type { Copy } from './copy.ts';
import type { CopyName, KeptCheckpoint } from './envelope.ts';
import { Failure } from './failure.ts';
import { FirstScreen } from './first-screen.ts';
import type { Ports } from './ports.ts';
import { Puller, type PulledPage } from './puller.ts';
import type { Records } from './records.ts';
import { report } from './report.ts';
import { Display } from './display.ts';
import type { Reader, State } from './states.ts';
import type { HeardPage } from './tab-messages.ts';

/** A pulled page of a copy. */
export interface ArrivedPage extends PulledPage {
  /** True where it is on the screen already. */
  readonly isShown: boolean;
  readonly storage: State['storage'];
}

/** A successor after its swap. */
interface SwappedCopy {
  readonly storage: State['storage'];
  /** All its records, where it is not on the device for other tabs to read; else `null`. */
  readonly changes: readonly Change[] | null;
  readonly checkpoint: KeptCheckpoint | null;
}

interface Pull {
  readonly into: 'inUse' | 'successor';
  readonly reader: Reader;
  readonly signal: AbortSignal;
  readonly arrived: (page: ArrivedPage) => void;
}

interface OpenCopiesOptions {
  readonly reader: Reader;
  /** Aborted when this reader's records may no longer be shown. */
  readonly session: AbortSignal;
  /** The database of a copy has been deleted. */
  readonly onLost: () => void;
  /** A copy that only this tab had is now on the device. */
  readonly onKept: () => void;
}

/** The copies of one reader that this tab has open, and what of them is on the screen. */
export class OpenCopies {
  /** How many records a successor beside the copy in use has received. */
  received = 0;
  readonly #copies: Copies;
  readonly #firstScreen: FirstScreen;
  readonly #records: Records;
  readonly #display: Display;
  readonly #puller: Puller;
  readonly #onLost: () => void;
  readonly #onKept: () => void;
  readonly #session: AbortSignal;
  /** Serialises pulls and reopenings. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The noted changes that are shown before the copy in use is read. */
  #first: readonly Change[] = [];
  #inUse: Copy | null = null;
  #next: Copy | null = null;
  /** True where the screen shows `#next`. */
  #showsNext = false;
  /** False while the register names an older copy, because this one is not all on the device. */
  #isRegistered = true;
  /** True where another tab may have written to the copies. */
  #mustRefresh = false;

  constructor(
    ports: Ports,
    records: Records,
    installation: string,
    { reader, session, onLost, onKept }: OpenCopiesOptions,
  ) {
    this.#copies = new Copies(ports.storage, ports.notes, installation, reader);
    this.#firstScreen = new FirstScreen(ports.notes, installation, reader);
    this.#records = records;
    this.#display = new Display(records, ports.clock);
    this.#puller = new Puller(ports.server, ports.clock);
    this.#onLost = onLost;
    this.#onKept = onKept;
    this.#session = session;
  }

  /** Shows what was noted for the first screen of the copy in use. */
  async showFirstScreen(signal: AbortSignal): Promise<void> {
    this.#first = this.#firstScreen.of(this.#copies.nameInUse);
    await this.show(this.#first, signal);
  }

  /** Opens and shows the copy in use, else the unfinished first one. */
  async open(signal: AbortSignal): Promise<void> {
    const read = (copy: Copy) => copy.read((changes) => this.show(changes, signal));
    const inUse = await this.#copies.openInUse(this.#onLost, read);
    await this.#unlessAborted(inUse, signal);
    this.#inUse = inUse;
    // Noted records that the copy lacks: their page was shown and never written.
    if (inUse !== null)
      await this.show(this.#first.filter((one) => !inUse.holds(one)).map(deleted), signal);
    if (inUse !== null) return;
    const next = await this.#copies.openBegun(this.#onLost, read);
    await this.#unlessAborted(next, signal);
    this.#next = next;
    this.#showsNext = next !== null;
    // The leader has finished the first copy since the register was read.
    if (next === null && this.#copies.nameInUse !== null) await this.open(signal);
  }

  /** Notes the records of some rows, unless the copy is not all on the device. */
  keepFirstScreen(livreIds: readonly number[]): void {
    const copy = this.#inUse;
    if (copy === null || copy.storage !== null || !this.#isRegistered) return;
    this.#firstScreen.keep(copy.name, this.#records.changesOf(livreIds));
  }

  get isWhole(): boolean {
    return this.#inUse !== null;
  }

  /** The copy in use, for other tabs. */
  readonly inUse = (): CopyName | null => this.#copies.inUse;

  /** Another tab was the leader until now and may have written to the copies. */
  mustRefresh(): void {
    this.#mustRefresh = true;
  }

  /**
   * Brings a copy up to the server and returns the revision that it has reached. An aborted pull may
   * still be writing its last page: the next one begins after it.
   */
  pull(call: Pull): Promise<number> {
    return this.#inTurn(() => this.#pull(call));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #pull({ into, reader, signal, arrived }: Pull): Promise<number> {
    signal.throwIfAborted();
    const copy = into === 'inUse' ? this.#inUse : await this.#successor(signal);
    if (copy === null) throw new Failure('unreadable');
    if (this.#mustRefresh)
      await copy.refresh(async (changes) => void (await this.#showOf(copy, changes)));
    this.#mustRefresh = false;
    const revision = await this.#puller.pull({
      copy,
      reader,
      modifications: this.isWhole,
      signal,
      arrived: async (page) => {
        this.received += page.changes.length;
        const isShown = await this.#showOf(copy, page.changes);
        this.#session.throwIfAborted();
        if (!this.isWhole) this.#tellProgress();
        arrived({ ...page, isShown, storage: copy.storage });
      },
    });
    this.#register();
    return revision;
  }

  /**
   * Makes the successor the copy in use, on the screen and, once it is all kept, on the device. `done` is
   * called as soon as it is on the screen; the replaced database is deleted after that.
   */
  async swap(signal: AbortSignal, done: (taken: SwappedCopy) => void): Promise<void> {
    const copy = this.#next;
    if (copy === null) throw new Failure('unreadable');
    const isKept = copy.storage === null;
    const all: Change[] = [];
    if (!this.#showsNext || !isKept) await collect(copy, all);
    if (!this.#showsNext) await this.#display.replace(all, () => !signal.aborted);
    signal.throwIfAborted();
    const old = this.#inUse;
    this.#inUse = copy;
    this.#next = null;
    this.#showsNext = false;
    this.#isRegistered = isKept;
    if (isKept) this.#copies.promote(copy);
    done({ storage: copy.storage, changes: isKept ? null : all, checkpoint: copy.checkpoint });
    await old?.close();
    if (isKept) this.#copies.dropGone();
  }

  /** Names the copy in use in the register once it is all on the device. */
  #register(): void {
    if (this.#isRegistered || this.#inUse === null || this.#inUse.storage !== null) return;
    this.#isRegistered = true;
    this.#copies.promote(this.#inUse);
    this.#copies.dropGone();
    this.#onKept();
  }

  /**
   * The page for a tab that has reached `checkpoint`: the device's checkpoint, or all records where the
   * device has no room for them. `null` where that tab lacks nothing.
   */
  lackedAt(checkpoint: KeptCheckpoint | null): HeardPage | null {
    const copy = this.#shown;
    if (copy === null || copy.checkpoint === null || copy.isAt(checkpoint)) return null;
    const shown = { checkpoint: copy.checkpoint, since: copy.checkpoint };
    const isKept = copy.storage === null && (this.#showsNext || this.#isRegistered);
    if (isKept) return { ...shown, changes: [], isAll: false };
    return { ...shown, changes: this.#records.allChanges(), isAll: true };
  }

  /** The state of the open copy, for the machine. */
  get standing(): Pick<State, 'whole' | 'stale'> & { readonly revision: number } {
    const stale = this.#inUse?.stale ?? false;
    return { whole: this.isWhole, stale, revision: this.checkpoint?.revision ?? 0 };
  }

  /** The checkpoint of the shown copy; `null` where none is. */
  get checkpoint(): KeptCheckpoint | null {
    return this.#shown?.checkpoint ?? null;
  }

  get #shown(): Copy | null {
    return this.#showsNext ? this.#next : this.#inUse;
  }

  /** Opens the copy that another tab has put in use, and shows it once it is read. */
  reopen(signal: AbortSignal, told?: CopyName | null): Promise<void> {
    return this.#inTurn(() => this.#reopen(signal, told));
  }

  async #reopen(signal: AbortSignal, told?: CopyName | null): Promise<void> {
    const all: Change[] = [];
    const copy = await this.#copies.openInUse(this.#onLost, (opened) => collect(opened, all), told);
    await this.#unlessAborted(copy, signal);
    if (copy === null) return;
    await this.#display.replace(all, () => !signal.aborted);
    await this.#unlessAborted(copy, signal);
    const old = [this.#inUse, this.#next];
    this.#inUse = copy;
    this.#next = null;
    this.#showsNext = false;
    await Promise.all(old.map(async (one) => one?.close()));
  }

  /**
   * Shows a page of another tab, or all of a copy that only that tab has. Pages before it that a closed
   * tab did not announce are read from the device.
   */
  async hear({ changes, checkpoint, since, isAll }: HeardPage, signal: AbortSignal): Promise<void> {
    if (isAll) return this.#display.replace(changes, () => !signal.aborted);
    const copy = this.#inUse;
    if (copy !== null && !copy.inMemory && !copy.isAt(since)) await this.#readMissed(copy, signal);
    await this.show(changes, signal);
    if (copy === this.#inUse) copy?.heard(changes, checkpoint);
    if (!this.isWhole && !checkpoint.whole) this.#tellProgress();
  }

  /** Where the copy cannot be read, a swap may have been missed. */
  async #readMissed(copy: Copy, signal: AbortSignal): Promise<void> {
    try {
      await copy.refresh((missed) => this.show(missed, signal));
    } catch (error) {
      report(error, 'reading what was missed');
      await this.reopen(signal);
    }
  }

  show(changes: readonly Change[], signal: AbortSignal): Promise<void> {
    return this.#display.show(changes, () => !signal.aborted);
  }

  /** Gives up the successor; with `forget` the next one is kept in memory. */
  discard(forget: boolean): void {
    const next = this.#next;
    this.#next = null;
    this.#showsNext = false;
    if (forget) this.#copies.forget();
    else this.#copies.discardNext();
    void next?.close();
  }

  async close(): Promise<void> {
    const left = [this.#inUse, this.#next];
    this.#inUse = this.#next = null;
    await Promise.all(left.map(async (copy) => copy?.close()));
  }

  /** The unfinished successor of this or an earlier visit, or a new one. */
  async #successor(signal: AbortSignal): Promise<Copy> {
    if (this.#next !== null) return this.#next;
    this.received = 0;
    const shows = this.#inUse === null && this.#records.size === 0;
    const next = await this.#copies.openNext(this.#onLost, (copy) =>
      copy.read((changes) => (shows ? this.show(changes, signal) : Promise.resolve())),
    );
    await this.#unlessAborted(next, signal);
    this.#next = next;
    this.#showsNext = shows;
    return next;
  }

  /** Shows changes of a copy, if it is the one on the screen. */
  async #showOf(copy: Copy, changes: readonly Change[]): Promise<boolean> {
    const isShown = copy === this.#inUse || this.#showsNext;
    if (isShown) await this.show(changes, this.#session);
    return isShown;
  }

  #tellProgress(): void {
    const received = this.#showsNext ? this.#records.size : this.received;
    this.#records.setCopy({ progress: { received } });
  }

  async #unlessAborted(copy: Copy | null, signal: AbortSignal): Promise<void> {
    if (signal.aborted) await copy?.close();
    signal.throwIfAborted();
  }
}

const deleted = (change: Change): Change => ({ ...change, document: null });

const collect = (copy: Copy, all: Change[]): Promise<void> =>
  copy.read((changes) => {
    all.push(...changes);
    return Promise.resolve();
  });
