import type { Change } from '#shared/replication';
import { readAll, type PackCollection } from './database.ts';
import { keyOf } from './keys.ts';
import { changesIn, type KeptState } from './packs.ts';
import type { ClockPort } from './ports.ts';
import type { Records } from './records.ts';

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
    return this.#records.showSlowly(changes, () => this.#clock.pause(), this.#isWanted);
  }

  /** Shows all records of a collection beside those that are there. */
  read(collection: PackCollection): Promise<void> {
    return readAll(collection, (packs) => this.take(changesIn(packs)));
  }

  /** The same, where some were noted by an earlier visit and are on the screen already. */
  async readNoted(collection: PackCollection, noted: readonly Change[]): Promise<void> {
    const lacking = new Map(noted.map((change) => [keyOf(change), change]));
    await readAll(collection, (packs) => {
      const changes = changesIn(packs);
      for (const change of changes) if (change.document !== null) lacking.delete(keyOf(change));
      return this.take(changes);
    });
    // Their page was shown and never written.
    this.#records.forget([...lacking.values()]);
  }

  /** Shows all records of a collection in place of those that are there. */
  async replaceBy(collection: PackCollection): Promise<void> {
    const all: Change[] = [];
    await readAll(collection, (packs) => {
      all.push(...changesIn(packs));
      return Promise.resolve();
    });
    await this.take(this.#records.replacedBy(all));
  }
}
