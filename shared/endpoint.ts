import type { Static, TSchema } from 'typebox';
import type { NamedFait, Operation, PlainFait, Message } from './history.ts';
import type { ChangeReader, RecordCollection } from './change-reader.ts';
import { IdParams } from './fields.ts';

/** One operation of the service: the server mounts it, the client calls it, the OpenAPI document tells it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the origin, with parameters as `:name`. */
  readonly path: `/api/${string}`;
  /** One French sentence for the API's documentation. */
  readonly summary: string;
  /** Left out where `:id` is the only one. */
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body is a file of any media type in place of JSON, of at most so many bytes. */
  readonly bytes?: number;
  /** The file may be larger than memory: the operation reads it while it comes. */
  readonly streamed?: true;
  /** Left out where the answer has no JSON body. */
  readonly response?: TSchema;
  /** The status of success; left out, 200 with a body and 204 without. */
  readonly status?: 200 | 201;
  /** The media type of the answer; JSON when left out. */
  readonly type?: string;
  /** How often one person may ask it within a minute: it asks the outside, or takes files. */
  readonly perMinute?: number;
  /** Statuses besides its own and those of every operation. */
  readonly also?: readonly number[];
  /**
   * Whether the act is the household's and names nobody: the page sends no reader with the request, and the server
   * ignores one (docs/rules.md § 39). A function of the body where only some requests are so.
   */
  readonly actsAsHousehold?: true | ((body: unknown) => boolean);
  /** Whether a read-only key may be in the address (docs/rules.md § 54). */
  readonly keyInAddress?: true;
  /** Whether a read stores what it fetches: refused to a read-only key. */
  readonly hasSideEffects?: true;
  /** Whether a response may hold a secret, so that none is stored for an idempotency key. */
  readonly isSecret?: true;
  /** Whether no line of the log says who asked, and for what. */
  readonly isConfidential?: true;
  /** Whether a write has no sentence in the history by itself: it has its own way back, or changes nothing of the household. */
  readonly skipsHistory?: true;
  /** How a write is told; every write has it, but for `skipsHistory` and the undoing itself. */
  readonly modification?: ModificationRules;
  /** The one record of the answer, or the one that a PUT or DELETE changes. */
  readonly record?: EndpointRecord;
}

/** How the history tells what an operation did (docs/rules.md § 39). */
export interface ModificationRules {
  /** The stored name of the operation; operations that do the same share it, and its sentence once it is undone. */
  readonly operation: Operation;
  /** What is kept of the act for its sentence; a sentence of one name alone is of the record's. */
  readonly message: NamedFait | PlainFait | ((changes: ChangeReader) => Message);
}

/** A record with an `ETag`, the revision of its line in the journal (docs/rules.md § 29). */
interface EndpointRecord {
  readonly collection: RecordCollection;
  /** False where the answer holds more than the tag covers: it is never « not modified » (304). */
  readonly tagCoversBody?: false;
}

/**
 * The header that gives a write one key for all its tries (docs/rules.md § 29). A PUT or DELETE has another one, since
 * `Idempotency-Key` has no meaning there.
 */
export const keyHeaderOf = (method: string): 'Idempotency-Key' | 'X-Write-Key' =>
  method === 'POST' ? 'Idempotency-Key' : 'X-Write-Key';

/** In whose name a page writes, URL-encoded: a write in another reader's name is refused (docs/rules.md § 33). */
export const READER_HEADER = 'X-Lecteur';

/** Of which household the page shows records: a write is refused where another one answers (docs/rules.md § 33). */
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
