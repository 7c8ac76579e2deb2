import type { Database } from '#server/plumbing/database/database';
import type { Journal } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';
import { IdempotencyRecords } from './keys.ts';
import { LongWrites } from './long-writes.ts';
import { performWrite, type Write, type Written } from './perform.ts';
import { Tags } from './tags.ts';

/** Operations that touch more records run in a thread of their own: others wait for less than 50 ms. */
const MAX_HERE = 100;

/** How long a write waits for a long one, in milliseconds: a device then says for what. */
const MAX_WAIT_MS = 4_000;

/** The same for a write that nobody can send again, since no answer of it is kept. */
const SECRET_MAX_WAIT_MS = 45_000;

/** The writes of a house, in their turn. */
export class Writes {
  readonly records: Records<Database>;
  readonly tags: Tags;
  readonly keys: IdempotencyRecords;
  readonly #long = new LongWrites();

  constructor(records: Records<Database>, journal: Journal) {
    this.records = records;
    this.tags = new Tags(records, journal);
    this.keys = new IdempotencyRecords(records.database);
  }

  /**
   * Performs a write once no long one is under way, a long one in a thread of its own. Throws
   * `TRAVAIL_EN_COURS` after four seconds, of an account's after 45.
   *
   * @param readmit throws where who asks may not any more
   */
  async inTurn(write: Write, readmit: () => void): Promise<Written> {
    const { database } = this.records;
    if (write.long?.operation.prepare !== undefined)
      return this.#prepared(write, write.long, readmit);
    return database.writeLock.whenFree(
      () => {
        readmit();
        const { long } = write;
        if (long === undefined || long.operation.size(this.records, long.call) <= MAX_HERE)
          return performWrite(this, write);
        const { told } = long.operation;
        return database.handOver(told, () =>
          this.#long.start(database.place, write, long).finish(),
        );
      },
      write.endpoint.isSecret === true ? SECRET_MAX_WAIT_MS : MAX_WAIT_MS,
    );
  }

  /** The same of one that reads before, which holds nobody up: it then waits for its turn as long as that takes. */
  async #prepared(
    write: Write,
    long: NonNullable<Write['long']>,
    readmit: () => void,
  ): Promise<Written> {
    const { database } = this.records;
    const { operation, call } = long;
    if (operation.size(this.records, call) <= MAX_HERE) {
      const prepared = await operation.prepare?.(this.records, call);
      return database.writeLock.whenFree(() => {
        readmit();
        const run: Write['run'] = (records) => operation.run(records, call, prepared);
        return performWrite(this, { ...write, run });
      });
    }
    const started = this.#long.start(database.place, write, long);
    try {
      await started.prepared();
      return await database.writeLock.whenFree(() => {
        readmit();
        return database.handOver(operation.told, () => started.finish());
      });
    } finally {
      await started.end();
    }
  }

  /** Ends a long write under way, which is then not done at all. */
  async close(): Promise<void> {
    await this.#long.close();
  }
}
