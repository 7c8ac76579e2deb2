import type { CollectionName } from '#shared/collections';
import type { Change } from '#shared/replication';
import { keyOf } from './envelope.ts';
import type { ClockPort } from './ports.ts';
import type { Records } from './records.ts';

/** How many changes are taken at one go: a few milliseconds on a slow phone. */
const PORTION = 250;

/** Puts changes on the screen, in portions so that it stays alive, with one notification. */
export class Display {
  readonly #records: Records;
  readonly #clock: ClockPort;

  constructor(records: Records, clock: ClockPort) {
    this.#records = records;
    this.#clock = clock;
  }

  /** Shows changes and notifies the readers once all of them are there. */
  async show(changes: readonly Change[], isWanted: () => boolean): Promise<void> {
    const kinds = new Set<CollectionName>();
    for (let from = 0; from < changes.length; from += PORTION) {
      if (from > 0) await this.#clock.pause();
      if (!isWanted()) break;
      const portion = changes.slice(from, from + PORTION);
      for (const kind of this.#records.take(portion)) kinds.add(kind);
    }
    this.#records.notify(kinds);
  }

  /** Shows the records of another copy in place of those that are shown. */
  async replace(changes: readonly Change[], isWanted: () => boolean): Promise<void> {
    const kept = new Set(
      changes.flatMap(({ collection, id, document }) =>
        document === null ? [] : [keyOf(collection, id)],
      ),
    );
    this.#records.forgetRevisions();
    const dropped = this.#records.changesToNothing(kept);
    await this.show([...changes, ...dropped], isWanted);
  }
}
