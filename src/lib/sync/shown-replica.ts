import type { CollectionName } from '#shared/collection-names';
import type { OtherDatabase } from '#shared/refusal-details';
import { epochOf, type Change } from '#shared/replication';
import { isSameState, NO_PAGE, readAll, type PackSource, type State } from './packs.ts';
import { isLoss } from './other-household.ts';
import type { ClockPort } from './ports.ts';
import { keyOf, type Records } from './records.ts';
import type { SetStatus } from './status.ts';

/**
 * How long pages of a first replica are collected before drawing, in milliseconds: drawing each would take as long as
 * writing it.
 */
const DRAW_MS = 500;

/** Records of a first replica processed in one task: ten milliseconds on a slow phone. */
const PORTION = 200;

interface ShownReplicaOptions {
  readonly records: Records;
  readonly clock: ClockPort;
  /** Aborted once another reader's records are on the screen. */
  readonly signal: AbortSignal;
  readonly set: SetStatus;
}

/** The shown part of a replica and its progress, independent of the database. */
export class ShownReplica {
  /** `null` while no replica is shown; its epoch is empty if the records are outdated. */
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

  /** How many records are shown, without the history. */
  get documents(): number {
    const { records } = this.#options;
    return records.size - records.count('modifications');
  }

  /** Whether a person is asked before another database replaces the shown one. */
  isLostTo(other: OtherDatabase): boolean {
    const { bibliotheque = '' } = this.state ?? {};
    const livres = this.#options.records.count('livres');
    const writtenAfter = (revision: number) => this.#options.records.writtenAfter(revision);
    return isLoss({ bibliotheque, documents: this.documents, livres, writtenAfter }, other);
  }

  /** Whether a replica belongs to the shown database and is behind the screen. */
  isAhead(state: State): boolean {
    const shown = this.state;
    return shown !== null && epochOf(shown) === epochOf(state) && state.revision < shown.revision;
  }

  /**
   * Shows all records of a replica and removes all others, which may be another database's or deleted; but not for a
   * replica that is behind the screen.
   *
   * @param isAnew true if revisions are not comparable, even within one database that may have lost some
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
      // An empty screen is filled progressively, another replica is replaced at once.
      if (before === null) this.#draw(kinds);
    });
    if (signal.aborted) return;
    if (replaces) for (const kind of records.keepOnly(read)) kinds.add(kind);
    this.#draw(kinds);
    this.#come(state);
  }

  /** Shows a written page completely; one of a first replica in portions. */
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

  /** Called once it is known whether the device has a replica. */
  open(): void {
    this.#options.records.setReplica({ isOpening: false });
    this.#options.set({ isOpen: true });
  }

  /** Shows the first page for a reader without a replica. */
  showFirst(changes: readonly Change[]): void {
    const { records } = this.#options;
    records.show(changes);
    records.setReplica({ progress: { received: records.size } });
  }

  /** Marks the shown replica as outdated; its records stay until another one is complete. */
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
