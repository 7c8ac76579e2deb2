import type { Change } from '#shared/replication';
import { readAll, type PackCollection } from './database.ts';
import { keyOf } from './keys.ts';
import type { KeptState } from './packs.ts';
import type { ClockPort } from './ports.ts';
import type { Records } from './records.ts';

/** How many changes are taken at one go where they do not come by packs: a few milliseconds on a slow phone. */
const PORTION = 250;

/** What is on the screen when a copy is opened, of the same reader. */
export interface OnScreen {
  readonly shown: KeptState | null;
  readonly whole: boolean;
  /** What an earlier visit has noted for the first screen. */
  readonly noted: readonly Change[];
}

/** Puts whole collections on the screen, in portions so that it stays alive. */
export class CopyScreen {
  readonly #records: Records;
  readonly #clock: ClockPort;
  readonly #isWanted: () => boolean;

  /** @param isWanted false once another copy is on the screen: the rest is left out */
  constructor(records: Records, clock: ClockPort, isWanted: () => boolean) {
    this.#records = records;
    this.#clock = clock;
    this.#isWanted = isWanted;
  }

  take(changes: readonly Change[]): Promise<void> {
    return this.#takePortions(portionsOf(changes));
  }

  #takePortions(portions: Iterable<readonly Change[]>): Promise<void> {
    return this.#records.showSlowly(portions, () => this.#clock.pause(), this.#isWanted);
  }

  /** Shows all records of a collection beside those that are there. */
  read(collection: PackCollection): Promise<void> {
    return readAll(collection, (portions) => this.#takePortions(portions));
  }

  /** The same, where some were noted by an earlier visit and are on the screen already. */
  async readNoted(collection: PackCollection, noted: readonly Change[]): Promise<void> {
    const lacking = new Map(noted.map((change) => [keyOf(change), change]));
    await readAll(collection, (portions) => this.#takePortions(withoutThem(portions, lacking)));
    // Their page was shown and never written.
    this.#records.forget([...lacking.values()]);
  }

  /** Shows all records of a collection in place of those that are there. */
  async replaceBy(collection: PackCollection): Promise<void> {
    const all: Change[] = [];
    await readAll(collection, (portions) => {
      for (const portion of portions) all.push(...portion);
      return Promise.resolve();
    });
    await this.take(this.#records.replacedBy(all));
  }
}

function* portionsOf(changes: readonly Change[]): Generator<readonly Change[]> {
  for (let from = 0; from < changes.length; from += PORTION)
    yield changes.slice(from, from + PORTION);
}

/** The same portions; what they hold is taken out of `lacking`. */
function* withoutThem(
  portions: Iterable<readonly Change[]>,
  lacking: Map<string, Change>,
): Generator<readonly Change[]> {
  for (const portion of portions) {
    if (lacking.size > 0)
      for (const change of portion) if (change.document !== null) lacking.delete(keyOf(change));
    yield portion;
  }
}
