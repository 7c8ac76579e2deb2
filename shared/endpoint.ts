import type { Static, TSchema } from 'typebox';
import type { NamedFait, Operation, PlainFait, Message } from './history.ts';
import type { ChangeReader, RecordCollection } from './change-reader.ts';
import { IdParams } from './fields.ts';

/** An operation of the API, mounted by the server, called by the client and documented in OpenAPI. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the origin, with parameters as `:name`. */
  readonly path: `/api/${string}`;
  /** One French sentence for the API's documentation. */
  readonly summary: string;
  /** Left out if `:id` is the only one. */
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body is a file of any media type in place of JSON, of at most so many bytes. */
  readonly bytes?: number;
  /** The body may be larger than memory: the operation reads it as a stream. */
  readonly streamed?: true;
  /** Left out where the answer has no JSON body. */
  readonly response?: TSchema;
  /** The status of success; left out, 200 with a body and 204 without. */
  readonly status?: 200 | 201;
  /** The media type of the answer; JSON when left out. */
  readonly type?: string;
  /** How often a person may call it per minute: for outside requests and uploads. */
  readonly perMinute?: number;
  /** Statuses besides its own and the common ones. */
  readonly also?: readonly number[];
  /**
   * Whether the household acts, and no person is named: pages send no reader, and the server ignores one
   * (docs/rules.md § 39). A function of the body if that depends on the request.
   */
  readonly actsAsHousehold?: true | ((body: unknown) => boolean);
  /** Whether a read-only key may be in the address (docs/rules.md § 54). */
  readonly keyInAddress?: true;
  /** Whether a read stores what it fetches: refused to a read-only key. */
  readonly hasSideEffects?: true;
  /** Whether a response may hold a secret, so that none is stored for an idempotency key. */
  readonly isSecret?: true;
  /** Whether the log leaves out the user and the route. */
  readonly isConfidential?: true;
  /** Whether a write is not recorded in the history: it has another way back, or changes nothing of the household. */
  readonly skipsHistory?: true;
  /** How a write is recorded; every write has it, except `skipsHistory` and the undo itself. */
  readonly modification?: ModificationRules;
  /** The record in the response, or the one that a PUT or DELETE changes. */
  readonly record?: EndpointRecord;
}

/** The history entry of an operation (docs/rules.md § 39). */
export interface ModificationRules {
  /** The stored name of the operation; operations that do the same share it, and its sentence once it is undone. */
  readonly operation: Operation;
  /** The message of the entry; a message with a name only has the record's. */
  readonly message: NamedFait | PlainFait | ((changes: ChangeReader) => Message);
}

/** A record with an `ETag`, the revision of its line in the journal (docs/rules.md § 29). */
interface EndpointRecord {
  readonly collection: RecordCollection;
  /** False if the response has more than the ETag covers: it is never 304. */
  readonly tagCoversBody?: false;
}

/**
 * The header with the idempotency key of a write (docs/rules.md § 29). A PUT or DELETE has another one, since
 * `Idempotency-Key` is not defined for them.
 */
export const keyHeaderOf = (method: string): 'Idempotency-Key' | 'X-Write-Key' =>
  method === 'POST' ? 'Idempotency-Key' : 'X-Write-Key';

/** The reader of the page, URL-encoded: a write in another reader's name is refused (docs/rules.md § 33). */
export const READER_HEADER = 'X-Lecteur';

/** The household of the page: a write is refused if another one answers (docs/rules.md § 33). */
export const HOUSEHOLD_HEADER = 'X-Bibliotheque';

export const actsAsHousehold = (
  { actsAsHousehold: rule }: Pick<Endpoint, 'actsAsHousehold'>,
  body: unknown,
): boolean => (typeof rule === 'function' ? rule(body) : rule === true);

/**
 * Keeps the exact types of an operation's declaration.
 *
 * @__NO_SIDE_EFFECTS__
 */
export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration;

/** For credentials, and what they open: not in the history, and the response is not stored for the idempotency key. */
export const notRecorded = { skipsHistory: true, isSecret: true } as const;

export const onRecord = <const C extends RecordCollection>(collection: C) =>
  ({ path: `/api/${collection}/:id`, record: { collection } }) as const;

export const paramsOf = ({ path, params }: Endpoint): TSchema | undefined =>
  params ?? (path.includes('/:id') ? IdParams : undefined);

export const statusOf = ({ status, response }: Endpoint): number =>
  status ?? (response === undefined ? 204 : 200);

type Part<E, K extends string> =
  E extends Readonly<Record<K, infer S>> ? (S extends TSchema ? Static<S> : undefined) : undefined;

export type Params<E extends Endpoint> = E extends { readonly path: `${string}/:id${string}` }
  ? Static<typeof IdParams>
  : Part<E, 'params'>;
export type Query<E extends Endpoint> = Part<E, 'query'>;
export type Body<E extends Endpoint> = Part<E, 'body'>;
export type Answer<E extends Endpoint> = Part<E, 'response'>;
