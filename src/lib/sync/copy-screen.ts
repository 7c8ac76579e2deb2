import type { CollectionName } from '#shared/collections';
import type { Change } from '#shared/replication';
import { readAll, type PackCollection } from './database.ts';
import { keyOf } from './keys.ts';
import type { KeptState } from './packs.ts';
import type { ClockPort } from './ports.ts';
import type { Records } from './records.ts';

/** How many changes are taken at one go where they do not come by packs: a few milliseconds on a slow phone. */
const PORTION = 250;

/** How long pages of a first copy wait to be drawn together, in milliseconds: each would cost as much as it takes to write. */
const DRAW_MS = 500;

/** Puts whole collections on the screen, in portions so that it stays alive. */
export class CopyScreen {
  readonly #records: Records;
  readonly #clock: ClockPort;
  readonly #isWanted: () => boolean;
  /** What was noted and has not been found in a copy, by key. */
  readonly #lacking: Map<string, Change>;
  /** The kinds that have been taken and not drawn. */
  #undrawn = new Set<CollectionName>();
  #stopTimer: (() => void) | null = null;

  /**
   * @param isWanted false once another copy is on the screen: the rest is left out
   * @param noted what is on the screen before a copy is read
   */
  constructor(
    records: Records,
    clock: ClockPort,
    isWanted: () => boolean,
    noted: readonly Change[],
  ) {
    this.#records = records;
    this.#clock = clock;
    this.#isWanted = isWanted;
    const there = noted.filter(({ document }) => document !== null);
    this.#lacking = new Map(there.map((change) => [keyOf(change), change]));
  }

  take(changes: readonly Change[]): Promise<void> {
    return this.#takePortions(portionsOf(changes));
  }

  #takePortions(portions: Iterable<readonly Change[]>): Promise<void> {
    return this.#records.showSlowly(portions, () => this.#clock.pause(), this.#isWanted);
  }

  /**
   * Shows a page of a copy, whole.
   *
   * @param isPart true where more follow that nobody waits for one by one, as in a first copy
   */
  show(changes: readonly Change[], isPart: boolean): void {
    this.#find(changes);
    for (const kind of this.#records.take(changes)) this.#undrawn.add(kind);
    if (!isPart) this.#draw();
    else this.#stopTimer ??= this.#clock.after(DRAW_MS, () => this.#draw());
  }

  #draw(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
    const kinds = this.#undrawn;
    this.#undrawn = new Set();
    if (this.#isWanted()) this.#records.notify(kinds);
  }

  /**
   * Shows a whole collection. What is shown besides what was noted gives way to it, as its records may be another
   * database's or deleted since, but for a collection that has not come as far.
   */
  async open(
    collection: PackCollection,
    { epoque, revision }: KeptState,
    shown: KeptState | null,
  ): Promise<void> {
    const isBehind = shown?.epoque === epoque && revision < shown.revision;
    const isMore = this.#records.size > this.#lacking.size;
    if (isMore && !isBehind) return this.replaceBy(collection);
    this.#records.outdate(this.#lacking.values());
    await this.read(collection);
    this.forgetLacking();
  }

  /** Shows all records of a collection beside those that are there. */
  read(collection: PackCollection): Promise<void> {
    return readAll(collection, (portions) => this.#takePortions(this.#found(portions)));
  }

  /** A whole copy has been shown: what was noted and is not in it was shown and never written. */
  forgetLacking(): void {
    if (this.#lacking.size === 0) return;
    this.#records.forget([...this.#lacking.values()]);
    this.#lacking.clear();
  }

  *#found(portions: Iterable<readonly Change[]>): Generator<readonly Change[]> {
    for (const portion of portions) {
      this.#find(portion);
      yield portion;
    }
  }

  #find(changes: readonly Change[]): void {
    if (this.#lacking.size === 0) return;
    for (const change of changes) if (change.document !== null) this.#lacking.delete(keyOf(change));
  }

  /** Shows all records of a collection in place of those that are there. */
  async replaceBy(collection: PackCollection): Promise<void> {
    const all: Change[] = [];
    await readAll(collection, (portions) => {
      for (const portion of portions) all.push(...portion);
      return Promise.resolve();
    });
    this.#lacking.clear();
    await this.take(this.#records.replacedBy(all));
  }
}

function* portionsOf(changes: readonly Change[]): Generator<readonly Change[]> {
  for (let from = 0; from < changes.length; from += PORTION)
    yield changes.slice(from, from + PORTION);
}
