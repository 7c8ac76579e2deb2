import { collections } from '#shared/collections';
import type { Endpoint } from '#shared/endpoint';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import type { Records } from '#server/plumbing/records/records';
import { withAct } from './acts.ts';
import type { IdempotencyRecords, KeyOwner } from './keys.ts';
import type { AnyCall, AnyLongOperation, Done } from './operation.ts';
import { idOf, type Tags } from './tags.ts';

/** One request that writes. */
export interface Write {
  readonly endpoint: Endpoint;
  readonly utilisateur: string | null;
  /** Whom the history names; nobody where the household alone acts. */
  readonly actor: string | null;
  /** The record that `ifMatch` speaks of; `null` where there is none. */
  readonly recordId: number | null;
  readonly ifMatch: string | undefined;
  /** The key of the request, and what tells it from another one with the same; `null` without one. */
  readonly key: { readonly owner: KeyOwner; readonly fingerprint: string } | null;
  /** Does what is asked. */
  readonly run: (records: Records<Transaction>) => Done;
  /** The operation that `run` is, where it may touch very many records. */
  readonly long?: { readonly operation: AnyLongOperation; readonly call: AnyCall };
  /** Aborted when nobody waits for it any more: what is read beforehand is then broken off. */
  readonly signal?: AbortSignal;
  /** What is said of the answer besides, once it is there. */
  readonly sent: () => Pick<Written, 'status' | 'headers'>;
}

/** The answer to a write; `body` is its text where it is kept for a key or comes from another thread. */
export interface Written {
  readonly answer: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What a write is performed with. */
interface House {
  readonly records: Records<Database>;
  readonly tags: Tags;
  readonly keys: IdempotencyRecords;
}

/**
 * Performs a write in one transaction: the check of `If-Match`, the operation, the act that it is and the answer kept
 * for its key are there all or not at all (docs/rules.md § 29). A refusal that a person has to answer is
 * kept for its key, too.
 */
export function performWrite(house: House, write: Write): Written {
  const { database } = house.records;
  try {
    return database.write((tx) => {
      requireUnchanged(house.tags, write);
      const { answer, act, location } = withAct(house.records.within(tx), write);
      const { status, headers } = write.sent();
      const told = headersOf(house.tags, write, { answer, act, revision: tx.revision() });
      return kept(house.keys, tx, write, {
        answer,
        status: location === undefined ? status : 201,
        headers: { ...headers, ...told, ...(location !== undefined && { Location: location }) },
      });
    });
  } catch (error) {
    if (write.key !== null && isRefusal(error) && error.code === 'DOUBLON') {
      const { owner, fingerprint } = write.key;
      const body = JSON.stringify(errorBody(error));
      const answer = { fingerprint, status: error.status, headers: {}, body };
      database.write((tx) => house.keys.keep(tx, owner, answer));
    }
    throw error;
  }
}

/** Refuses a write whose record is not in the state that `If-Match` names. */
export function requireUnchanged(
  tags: Tags,
  { endpoint, utilisateur, recordId, ifMatch }: Omit<Write, 'key' | 'run' | 'sent' | 'actor'>,
): void {
  const { method, record } = endpoint;
  if (record === undefined || method === 'POST' || recordId === null || ifMatch === undefined)
    return;
  tags.requireUnchanged(ifMatch, { ...record, utilisateur, id: recordId });
}

/** What the headers of an answer tell: the revision that shows it, its act, and the record with its tag and address. */
function headersOf(
  tags: Tags,
  { endpoint, utilisateur }: Write,
  { answer, act, revision }: Done & { readonly revision: number },
): Record<string, string> {
  const { method, record } = endpoint;
  const id = idOf(answer);
  const tag = record && id !== null ? tags.of({ ...record, utilisateur, id }) : undefined;
  const isMade = method === 'POST' && record !== undefined && id !== null;
  return {
    'X-Revision': String(revision),
    ...(act !== undefined && {
      'X-Modification': String(act.id),
      'X-Modification-Resume': encodeURIComponent(shortened(act.resume)),
    }),
    ...(tag !== undefined && { ETag: tag }),
    ...(isMade &&
      'hasAddress' in collections[record.collection] && {
        Location: `/api/${record.collection}/${String(id)}`,
      }),
  };
}

/** What nginx takes of an answer's headers by default is 4 kB; a character is up to 9 bytes in them. */
const MAX_RESUME = 300;

const shortened = (resume: string): string =>
  resume.length > MAX_RESUME
    ? `${resume.slice(0, MAX_RESUME - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : resume;

/** Keeps an answer for the key of its request, if it has one. */
function kept(
  keys: IdempotencyRecords,
  tx: Transaction,
  { key }: Write,
  written: Omit<Written, 'body'>,
): Written {
  if (key === null) return { ...written, body: null };
  const { answer, status, headers } = written;
  const body = bodyOf(answer);
  keys.keep(tx, key.owner, { fingerprint: key.fingerprint, status, headers, body });
  return { ...written, body };
}

/** An answer as it is sent; '' for none. */
export const bodyOf = (answer: unknown): string =>
  answer === undefined ? '' : JSON.stringify(answer);
