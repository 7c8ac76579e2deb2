import type { CollectionName } from '#shared/collections';
import { epochOf, type Change } from '#shared/replication';
import { inTodaysShapes, NO_PAGE, readAll, type PackSource, type State } from './packs.ts';
import type { ClockPort } from './ports.ts';
import { keyOf, type Records } from './records.ts';

/** How long pages of a first copy wait to be drawn together, in milliseconds: each would cost as much as it takes to write. */
const DRAW_MS = 500;

interface ScreenOptions {
  readonly records: Records;
  readonly clock: ClockPort;
  /** False once another reader's records are on the screen. */
  readonly isOpen: () => boolean;
}

/** What of a copy is on the screen, and how far that has come, whatever becomes of the database. */
export class Screen {
  /** `null` while no copy is shown. */
  state: State | null = null;
  /** True where all that is shown is looked through once a copy is complete. */
  isUnproven = false;
  /** Called with each state that the screen has come to. */
  onState: (state: State) => void = () => undefined;
  readonly #options: ScreenOptions;
  #undrawn = new Set<CollectionName>();

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  /** Whether a copy is of the database that the screen shows, and has not come as far. */
  isAhead(state: State): boolean {
    const shown = this.state;
    return shown !== null && epochOf(shown) === epochOf(state) && state.revision < shown.revision;
  }

  /**
   * Shows all records of a copy. What else is shown gives way, as it may be another database's or deleted since, but
   * for a copy that has not come as far as the screen.
   *
   * @param isAnew true where revisions say nothing, even of one database: what it held may have been lost
   */
  async show(packs: PackSource, state: State, isAnew = false): Promise<void> {
    const { records, clock, isOpen } = this.#options;
    const before = this.state;
    const isComparable = !isAnew && (before === null || epochOf(before) === epochOf(state));
    const isAhead = !isAnew && this.isAhead(state);
    const rest = state.isComplete && !isAhead ? records.keys() : new Set<string>();
    if (!isComparable) records.forgetRevisions();
    const kinds = new Set<CollectionName>();
    await readAll(packs, async (portions) => {
      for (const portion of portions) {
        if (!isOpen()) return;
        if (rest.size > 0)
          for (const change of portion) if (change.document !== null) rest.delete(keyOf(change));
        for (const kind of records.take(portion)) kinds.add(kind);
        await clock.pause();
      }
      // What is read onto an empty screen is drawn as it comes, what replaces another copy at once.
      if (before === null) this.#draw(kinds);
    });
    if (!isOpen()) return;
    for (const kind of records.drop(rest)) kinds.add(kind);
    this.#draw(kinds);
    if (state.isComplete) this.isUnproven = false;
    this.#come(state);
  }

  /** Shows a page that has been written, whole. */
  add(changes: readonly Change[], state: State | null): void {
    const { records, clock } = this.#options;
    const kinds = new Set(records.take(changes));
    if (state?.isComplete !== false) this.#draw(kinds);
    else {
      if (this.#undrawn.size === 0) clock.after(DRAW_MS, () => this.#draw(new Set()));
      for (const kind of kinds) this.#undrawn.add(kind);
    }
    if (state !== null) this.#come(state);
  }

  /** Shows what version 0.1 or 1.0 has kept. */
  showEarlier(changes: readonly Change[]): void {
    this.#options.records.show(inTodaysShapes(changes));
    this.#come({ ...NO_PAGE, isComplete: true });
  }

  /** What is shown is of a copy that is given up: whatever comes is newer. */
  giveUp(): void {
    this.#options.records.forgetRevisions();
    this.isUnproven = true;
    this.state = null;
  }

  #come(state: State): void {
    if (this.isAhead(state)) return;
    this.state = state;
    const { records } = this.#options;
    records.setEpoch(epochOf(state));
    if (state.isComplete) records.setCopy({ isOpening: false, isReady: true, progress: null });
    this.onState(state);
  }

  #draw(kinds: Set<CollectionName>): void {
    const drawn = new Set([...kinds, ...this.#undrawn]);
    kinds.clear();
    this.#undrawn.clear();
    if (this.#options.isOpen()) this.#options.records.notify(drawn);
  }
}
