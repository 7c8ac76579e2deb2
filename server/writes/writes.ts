import { collections } from '#shared/collections';
import type { Endpoint } from '#shared/endpoint';
import type { Refusal } from '#shared/refusals';
import { errorBody, isRefusal } from '#server/domain/error-body';
import type { Database } from '#server/database/database';
import type { Transaction } from '#server/database/transaction';
import type { Journal } from '#server/records/journal';
import type { Records } from '#server/records/records';
import { KeptAnswers, type KeptAnswer } from './keys.ts';
import { LongWrites } from './long-writes.ts';
import type { AnyCall, AnyLongOperation } from './operation.ts';
import { bodyOf, type Outcome, type Write, type Written } from './write.ts';
import { recording } from './recording.ts';
import { idOf, Tags } from './tags.ts';

/** A long operation and the call of it. */
export interface LongCall {
  readonly operation: AnyLongOperation;
  readonly call: AnyCall;
}

/** Operations that touch more records run in a thread of their own: others wait for less than 50 ms. */
const MAX_HERE = 100;

/** How long a write waits for a long one, in milliseconds: a device then says for what. */
const MAX_WAIT_MS = 4_000;

/**
 * Runs the operations that write: each in one transaction, which also checks `If-Match`, keeps what was
 * changed as a modification and the answer of a request with a key (docs/rules.md § 29).
 */
export class Writes {
  readonly tags: Tags;
  readonly keys: KeptAnswers;
  readonly #records: Records<Database>;
  readonly #long = new LongWrites();

  constructor(records: Records<Database>, journal: Journal) {
    this.#records = records;
    this.tags = new Tags(records, journal);
    this.keys = new KeptAnswers(records.database);
  }

  /**
   * Runs an operation once no long one is under way, a long one in a thread of its own. Throws
   * `TRAVAIL_EN_COURS` after four seconds.
   *
   * @param sent the status and headers of the answer to a long operation
   * @param readmit throws where who asks may not any more
   */
  async inTurn(
    write: Write,
    work: ((tx: Transaction) => Outcome) | LongCall,
    sent: Pick<Outcome, 'status' | 'headers'>,
    readmit: () => void,
  ): Promise<Written> {
    return this.#records.database.writeLock.whenFree(() => {
      readmit();
      return typeof work === 'function' ? this.run(write, work) : this.#runLong(write, work, sent);
    }, MAX_WAIT_MS);
  }

  /** Runs an operation. A refusal that a person has to answer is kept for its key, too. */
  run(write: Write, work: (tx: Transaction) => Outcome): Written {
    try {
      return this.#records.database.write((tx) => {
        this.requireUnchanged(write);
        return this.#keep(tx, write, this.#record(tx, write, work));
      });
    } catch (error) {
      if (write.key !== null && isRefusal(error) && error.code === 'DOUBLON')
        this.#keepRefusal(write.key, error);
      throw error;
    }
  }

  /** Refuses a write whose record is not in the state that `If-Match` names. */
  requireUnchanged({ endpoint, utilisateur, recordId, ifMatch }: Omit<Write, 'key'>): void {
    const { method, record } = endpoint;
    if (record === undefined || method === 'POST' || recordId === null || ifMatch === undefined)
      return;
    this.tags.requireUnchanged(ifMatch, { ...record, utilisateur, id: recordId });
  }

  async #runLong(
    write: Write,
    { operation, call }: LongCall,
    sent: Pick<Outcome, 'status' | 'headers'>,
  ): Promise<Written> {
    const { database } = this.#records;
    if (operation.size(this.#records, call) <= MAX_HERE)
      return this.run(write, (tx) => {
        const answer = operation.run(this.#records.within(tx), call);
        return { ...sent, answer };
      });
    const { endpoint: _, ...rest } = write;
    const { method, path } = operation.endpoint;
    const { place } = database;
    return database.handOver(operation.told, async () =>
      this.#long.run({ ...rest, ...sent, place, method, path, call }),
    );
  }

  /** Runs the operation, keeps what it changes and says so in the headers. */
  #record(tx: Transaction, write: Write, work: (tx: Transaction) => Outcome): Outcome {
    const { outcome, modification } = recording(this.#records.within(tx), write, () => work(tx));
    const { record } = write.endpoint;
    const id = idOf(outcome.answer);
    const tag =
      record === undefined || id === null
        ? undefined
        : this.tags.of({ ...record, utilisateur: write.utilisateur, id });
    const headers = {
      ...outcome.headers,
      'X-Revision': String(this.#records.database.revision()),
      ...(modification !== null && {
        'X-Modification': String(modification.id),
        'X-Modification-Resume': encodeURIComponent(shortened(modification.resume)),
      }),
      ...(tag !== undefined && { ETag: tag }),
      ...locationOf(write.endpoint, id),
    };
    return { ...outcome, headers };
  }

  /** Ends a long write under way, which is then not done at all. */
  async close(): Promise<void> {
    await this.#long.close();
  }

  #keep(tx: Transaction, { key }: Write, outcome: Outcome): Written {
    if (key === null) return { ...outcome, body: null };
    const { answer, status, headers } = outcome;
    const body = bodyOf(answer);
    this.keys.keep(tx, key.owner, { fingerprint: key.fingerprint, status, headers, body });
    return { ...outcome, body };
  }

  #keepRefusal({ owner, fingerprint }: NonNullable<Write['key']>, refusal: Refusal): void {
    const kept = keptRefusal(fingerprint, refusal);
    this.#records.database.write((tx) => this.keys.keep(tx, owner, kept));
  }
}

/** What nginx takes of an answer's headers by default is 4 kB; a character is up to 9 bytes in them. */
const MAX_RESUME = 300;

const shortened = (resume: string): string =>
  resume.length > MAX_RESUME
    ? `${resume.slice(0, MAX_RESUME - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : resume;

/** Where the record that an operation has made can be read. */
function locationOf({ method, record }: Endpoint, id: number | null): { Location?: string } {
  if (method !== 'POST' || record === undefined || id === null) return {};
  const { collection } = record;
  return 'hasAddress' in collections[collection]
    ? { Location: `/api/${collection}/${String(id)}` }
    : {};
}

const keptRefusal = (fingerprint: string, refusal: Refusal): KeptAnswer => ({
  fingerprint,
  status: refusal.status,
  headers: {},
  body: JSON.stringify(errorBody(refusal)),
});
