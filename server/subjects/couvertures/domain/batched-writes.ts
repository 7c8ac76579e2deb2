import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Clock } from './clock.ts';

/** Every commit makes all devices ask the server, so writes are collected for this long. */
const WRITE_MS = 1_000;

/** Writes of the database by address, collected and done in one transaction. */
export class BatchedWrites {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onWritten: (error: unknown) => void;
  readonly #writes = new Map<string, (tx: Transaction) => void>();
  #cancelTimer: () => void = () => undefined;

  /** @param onWritten called after each transaction, with its error or `null` */
  constructor(database: Database, clock: Clock, onWritten: (error: unknown) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#onWritten = onWritten;
  }

  /** How many addresses wait to be written. */
  get size(): number {
    return this.#writes.size;
  }

  has(adresse: string): boolean {
    return this.#writes.has(adresse);
  }

  /** Adds the write of an address, in place of an earlier one. */
  add(adresse: string, write: (tx: Transaction) => void): void {
    if (this.#writes.size === 0) this.#flushLater();
    this.#writes.set(adresse, write);
  }

  /** Does all writes at once. Where that fails they are dropped: their addresses are still queued. */
  flush(): void {
    this.#cancelTimer();
    if (this.#writes.size === 0) return;
    const writes = [...this.#writes.values()];
    this.#writes.clear();
    let failure: unknown = null;
    try {
      this.#database.write((tx) => {
        for (const write of writes) write(tx);
      });
    } catch (error) {
      failure = error;
    }
    this.#onWritten(failure);
  }

  #flushLater(): void {
    this.#cancelTimer = this.#clock.after(WRITE_MS, () => {
      if (this.#database.writeLock.isHeld) this.#flushLater();
      else this.flush();
    });
  }
}
