import type { CollectionName } from '#shared/collection-names';
import type { OtherDatabase } from '#shared/refusal-details';
import { epochOf, type Change } from '#shared/replication';
import { isSameState, NO_PAGE, readAll, type PackSource, type State } from './packs.ts';
import { isLoss } from './other-household.ts';
import type { ClockPort } from './ports.ts';
import { keyOf, type Records } from './records.ts';
import type { SetStatus } from './status.ts';

/** How long pages of a first replica wait to be drawn together, in milliseconds: each would cost as much as it takes to write. */
const DRAW_MS = 500;

/** Records of a first replica that are taken in one task: a slow phone takes ten milliseconds for them. */
const PORTION = 200;

interface ShownReplicaOptions {
  readonly records: Records;
  readonly clock: ClockPort;
  /** Aborted once another reader's records are on the screen. */
  readonly signal: AbortSignal;
  readonly set: SetStatus;
}

/** What of a replica is on the screen, and how far that has come, whatever becomes of the database. */
export class ShownReplica {
  /** `null` while no replica is shown; its epoch is empty where the records are given up. */
  state: State | null = null;
  readonly #options: ShownReplicaOptions;
  #undrawn = new Set<CollectionName>();

  constructor(options: ShownReplicaOptions) {
    this.#options = options;
  }

  /** Whether a first replica is shown page by page. */
  get isFilling(): boolean {
    return this.state === null || (!this.state.isComplete && this.state.epoque !== '');
  }

  has(state: State): boolean {
    return this.state !== null && isSameState(this.state, state);
  }

  /** Whether it shows the records of a state, though perhaps not that the replica is complete. */
  holds(state: State): boolean {
    return this.state !== null && this.has({ ...state, isComplete: this.state.isComplete });
  }

  /** How many records it shows, acts aside. */
  get documents(): number {
    const { records } = this.#options;
    return records.size - records.count('modifications');
  }

  /** Whether a person is asked before what is shown gives way to another database. */
  isLostTo(other: OtherDatabase): boolean {
    const { bibliotheque = '' } = this.state ?? {};
    const livres = this.#options.records.count('livres');
    const writtenAfter = (revision: number) => this.#options.records.writtenAfter(revision);
    return isLoss({ bibliotheque, documents: this.documents, livres, writtenAfter }, other);
  }

  /** Whether a replica is of the database that the screen shows, and has not come as far. */
  isAhead(state: State): boolean {
    const shown = this.state;
    return shown !== null && epochOf(shown) === epochOf(state) && state.revision < shown.revision;
  }

  /**
   * Shows all records of a replica. What else is shown gives way, as it may be another database's or deleted since, but
   * for a replica that has not come as far as the screen.
   *
   * @param isAnew true where revisions say nothing, even of one database: what it held may have been lost
   */
  async show(packs: PackSource, state: State, isAnew = false): Promise<void> {
    const { records, clock, signal } = this.#options;
    const before = this.state;
    const isComparable = !isAnew && (before === null || epochOf(before) === epochOf(state));
    const isAhead = !isAnew && this.isAhead(state);
    const replaces = state.isComplete && !isAhead && records.size > 0;
    const read = new Set<string>();
    if (!isComparable) records.forgetRevisions();
    const kinds = new Set<CollectionName>();
    await readAll(packs, async (portions) => {
      for (const portion of portions) {
        if (signal.aborted) return;
        if (replaces)
          for (const change of portion) if (change.document !== null) read.add(keyOf(change));
        for (const kind of records.take(portion)) kinds.add(kind);
        await clock.pause();
      }
      await this.#sort();
      // What is read onto an empty screen is drawn as it comes, what replaces another replica at once.
      if (before === null) this.#draw(kinds);
    });
    if (signal.aborted) return;
    if (replaces) for (const kind of records.keepOnly(read)) kinds.add(kind);
    this.#draw(kinds);
    this.#come(state);
  }

  /** Shows a page that has been written, whole; one of a first replica a portion at a time. */
  async add(changes: readonly Change[], state: State | null): Promise<void> {
    const { records, clock, signal } = this.#options;
    const kinds = new Set<CollectionName>();
    const size = this.isFilling ? PORTION : Infinity;
    for (let begin = 0; begin < changes.length; begin += size) {
      if (begin > 0) await clock.pause();
      if (signal.aborted) return;
      for (const kind of records.take(changes.slice(begin, begin + size))) kinds.add(kind);
    }
    if (this.isFilling) await this.#sort();
    if (signal.aborted) return;
    if (state?.isComplete !== false) this.#draw(kinds);
    else {
      if (this.#undrawn.size === 0) clock.after(DRAW_MS, () => this.#draw(new Set()));
      for (const kind of kinds) this.#undrawn.add(kind);
    }
    if (state !== null) this.#come(state);
  }

  /** Called once it is known what the device holds. */
  open(): void {
    this.#options.records.setReplica({ isOpening: false });
    this.#options.set({ isOpen: true });
  }

  /** Shows the first page of a reader of whom the device has nothing yet. */
  showFirst(changes: readonly Change[]): void {
    const { records } = this.#options;
    records.show(changes);
    records.setReplica({ progress: { received: records.size } });
  }

  /** Gives up the replica on the screen, whose records stay until another one is complete. */
  giveUp(): void {
    this.state = NO_PAGE;
  }

  #come(next: State): void {
    const { records, set } = this.#options;
    const isComplete = next.isComplete || this.state?.isComplete === true;
    const shown = this.isAhead(next) ? this.state : null;
    const state = (this.state = { ...(shown ?? next), isComplete });
    const epoch = epochOf(state);
    records.setReplica(
      isComplete
        ? { isOpening: false, isReady: true, progress: null, epoch }
        : { progress: { received: records.size }, epoch },
    );
    set({ revision: state.revision, bibliotheque: state.bibliotheque, isComplete });
  }

  /** Puts many books in order a part at a time, before the list does it at once. */
  async #sort(): Promise<void> {
    const { records, clock, signal } = this.#options;
    while (!signal.aborted && records.catalogue.sortNextChunk({})) await clock.pause();
  }

  #draw(kinds: Set<CollectionName>): void {
    const drawn = new Set([...kinds, ...this.#undrawn]);
    kinds.clear();
    this.#undrawn.clear();
    if (!this.#options.signal.aborted) this.#options.records.notify(drawn);
  }
}
