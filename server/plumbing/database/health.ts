import { statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { Refusal } from '#shared/refusals';
import { schemaOf } from './migrations.ts';
import { diskRefusal, freeBytes, isAlmostFull, MIN_FREE_BYTES } from './disk-errors.ts';

const OF_THE_DISK = ['DISQUE_PLEIN', 'DISQUE_EN_PANNE', 'BASE_EN_LECTURE_SEULE'] as const;

/** Whether a database takes writes and all of it can be read, as the last failures say. */
export class Health {
  readonly #db: Sqlite.Database;
  readonly #folder: string;
  #writeFailed: boolean;
  #isDoubted = false;
  /** What the file was when a page was found to be damaged; to read all of it again would find the same. */
  #damaged = '';

  constructor(db: Sqlite.Database, folder: string, isReadOnly: boolean) {
    this.#db = db;
    this.#folder = folder;
    this.#writeFailed = isReadOnly;
  }

  /** The number of the last migration. */
  get schema(): number {
    return schemaOf(this.#db);
  }

  /** How much more the disk takes, in bytes. */
  get freeBytes(): number {
    return freeBytes(this.#folder);
  }

  /** Has the next `verify` read every page: one was found to be damaged. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** Remembers that a long write of another connection failed for want of a disk. */
  noteLongWrite(error: unknown): void {
    if (!(error instanceof Refusal)) return;
    this.#writeFailed ||= OF_THE_DISK.some((code) => code === error.code);
  }

  /** Remembers whether the disk takes writes, and gives its failure the name of a refusal. */
  commit<T>(transaction: () => T): T {
    try {
      const result = transaction();
      this.#writeFailed = false;
      return result;
    } catch (error) {
      const refusal = diskRefusal(error, this.#folder);
      if (refusal === null) throw error;
      this.#writeFailed = true;
      throw refusal;
    }
  }

  /**
   * Throws what is wrong.
   *
   * @param mayWrite false while the write lock is another's
   */
  verify(mayWrite: boolean): void {
    if (this.#isDoubted) this.#readEveryPage();
    const isDoubtful = this.#writeFailed || isAlmostFull(this.#folder);
    if (isDoubtful && mayWrite) this.#tryToWrite();
  }

  /** From the disk, and not as it was found: it may have been mended since. */
  #readEveryPage(): void {
    const state = this.#state();
    if (state === this.#damaged) throw new Refusal('BASE_ABIMEE');
    this.#db.pragma('shrink_memory');
    this.#damaged = state;
    if (this.#db.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new Refusal('BASE_ABIMEE');
    this.#damaged = '';
    this.#isDoubted = false;
  }

  /** Changes with the file, and with a commit of another connection, which is in the log first. */
  #state(): string {
    const { ino, mtimeNs } = statSync(this.#db.name, { bigint: true });
    return [ino, mtimeNs, this.#db.pragma('data_version', { simple: true })].join(' ');
  }

  /** Tries the disk: writes as many bytes as one write may need, then removes them. */
  #tryToWrite(): void {
    const probe = this.#db.transaction(() => {
      this.#db.exec(`DROP TABLE IF EXISTS WriteProbe;
        CREATE TABLE WriteProbe AS SELECT zeroblob(${String(MIN_FREE_BYTES)}) AS bytes`);
    });
    this.commit(() => probe.immediate());
    this.#db.exec('DROP TABLE WriteProbe');
  }
}
