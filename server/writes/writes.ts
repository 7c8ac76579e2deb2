import type { Endpoint } from '#shared/endpoint';
import type { Refusal } from '#shared/refusals';
import { errorBody, isRefusal } from '#server/domain/error-body';
import type { Journal } from '#server/records/journal';
import type { Records } from '#server/records/records';
import { KeptAnswers, type KeptAnswer, type KeyOwner } from './keys.ts';
import { recording } from './recording.ts';
import { idOf, Tags } from './tags.ts';

/** One request that writes. */
export interface Write {
  readonly endpoint: Endpoint;
  readonly utilisateur: string | null;
  /** The record that `ifMatch` speaks of; `null` where there is none. */
  readonly recordId: number | null;
  readonly ifMatch: string | undefined;
  /** The key of the request, and what tells it from another one with the same; `null` without one. */
  readonly key: { readonly owner: KeyOwner; readonly fingerprint: string } | null;
}

/** What an operation answers with; `headers` are those that it sets itself. */
interface Outcome {
  readonly answer: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** An outcome with all its headers; `body` is the answer as it is kept, `null` without a key. */
interface Written extends Outcome {
  readonly body: string | null;
}

/**
 * Runs the operations that write: each in one transaction, which also checks `If-Match`, keeps what was
 * changed as a modification and the answer of a request with a key (docs/rules.md § 29).
 */
export class Writes {
  readonly tags: Tags;
  readonly keys: KeptAnswers;
  readonly #records: Records;

  constructor(records: Records, journal: Journal) {
    this.#records = records;
    this.tags = new Tags(records, journal);
    this.keys = new KeptAnswers(records.database);
  }

  /** Runs an operation. A refusal that a person has to answer is kept for its key, too. */
  run(write: Write, work: () => Outcome): Written {
    try {
      return this.#records.database.write(() => {
        this.requireUnchanged(write);
        return this.#keep(write, this.#record(write, work));
      });
    } catch (error) {
      if (write.key !== null && isRefusal(error) && error.code === 'DOUBLON')
        this.keys.keep(write.key.owner, keptRefusal(write.key.fingerprint, error));
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

  /** Runs the operation, keeps what it changes and says so in the headers. */
  #record(write: Write, work: () => Outcome): Outcome {
    const { outcome, modification } = recording(this.#records, write, work);
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
        'X-Modification-Resume': encodeURIComponent(modification.resume),
      }),
      ...(tag !== undefined && { ETag: tag }),
    };
    return { ...outcome, headers };
  }

  #keep({ key }: Write, outcome: Outcome): Written {
    if (key === null) return { ...outcome, body: null };
    const { answer, status, headers } = outcome;
    const body = answer === undefined ? '' : JSON.stringify(answer);
    this.keys.keep(key.owner, { fingerprint: key.fingerprint, status, headers, body });
    return { ...outcome, body };
  }
}

const keptRefusal = (fingerprint: string, refusal: Refusal): KeptAnswer => ({
  fingerprint,
  status: refusal.status,
  headers: {},
  body: JSON.stringify(errorBody(refusal)),
});
