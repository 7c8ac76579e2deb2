import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Message } from '#shared/history';
import type { Answer, Body, Endpoint, Params, Query } from '#shared/endpoint';
import type { Locale } from '#shared/locale';
import type { Refusal } from '#shared/refusals';
import type { Travail } from '#shared/travaux';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { May } from '#server/plumbing/common/access';
import type { Records } from '#server/plumbing/records/records';
import type { RequestKey } from './idempotency.ts';

// A route is an `operation`, which writes, or a `read`. Both declare who may call them and run with
// validated parts of a request. `Writes.execute` (writes.ts) defines the order of an operation's
// steps.

export interface Call<E extends Endpoint = Endpoint, M extends May = May> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly body: Body<E>;
  /** The caller's identifier; never null if the operation requires a known caller. */
  readonly utilisateur: M extends 'self' | 'owner' | 'inPerson' ? string : string | null;
  /** The language of the answer. */
  readonly locale: Locale;
}

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The stored history entry of a write. */
export interface SavedModification {
  readonly id: number;
  readonly message: Message;
}

/** The result of an operation, built by `answer`. */
export interface Outcome<T = unknown> {
  readonly answer: T;
  /** Left out, the endpoint's. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The history entry of an operation that saves it itself. */
  readonly saved?: SavedModification | undefined;
}

/** Returned in place of an outcome: the write is rolled back, and runs again with this as `retried`. */
export interface Retry {
  readonly retry: unknown;
}

/** Limits for reading foreign data, and the refusal beyond them. */
export interface ReadingBounds {
  /** Processor time, so that slow machines accept the same files. */
  readonly cpuMs: number;
  readonly heapMb: number;
  readonly refuse: (beyond: 'time' | 'memory') => Refusal;
}

/** The body of an endpoint without a response is not sent. */
type AnswerBody<E extends Endpoint> = E extends { readonly response: object } ? Answer<E> : unknown;

export function answer(): Outcome<undefined>;
export function answer<T>(body: T, more?: Omit<Outcome, 'answer'>): Outcome<T>;
export function answer(body?: unknown, more: Omit<Outcome, 'answer'> = {}): Outcome {
  return { answer: body, ...more };
}

/** Runs one short write; other writes run before and after it. */
export type RunShortWrite = <T>(work: (tx: Transaction) => T) => Promise<T>;

/** The request for `prepare`, and a hook for cleaning up. */
export interface Preparation extends Exchange {
  /** Disposed once the write has been answered or refused. */
  readonly afterwards: DisposableStack;
  /** Disposed if the write is refused, or fails. */
  readonly onFailure: DisposableStack;
}

/** The steps of a write after `prepare`, in the order in which they run. */
interface Steps<C extends object, P, A, T> {
  /**
   * Reads from the database while others write; for a large write, in the thread. May write only data that is
   * invisible until `run`.
   */
  readAhead?(
    database: Reader,
    call: C & { readonly prepared: P },
    runShortWrite: RunShortWrite,
  ): Promise<A>;
  /** Runs in the write's one transaction. */
  run(
    tx: Transaction,
    call: C & {
      readonly prepared: P;
      readonly ahead: A;
      readonly records: Records<Transaction>;
      /** The `retry` value of the previous run. */
      readonly retried?: unknown;
    },
  ): Outcome<T> | Retry;
}

/** The `size` of a write that cannot be estimated, such as reading a file: runs in a thread. */
export const UNKNOWN_SIZE = Infinity;

/** For writes that may touch very many records. */
type Size<C extends object, P> =
  | {
      /**
       * Roughly how many records it touches. Beyond a hundred it runs in a thread, into which the result of `prepare`
       * is copied.
       */
      size(database: Reader, call: C & { readonly prepared: P }): number;
      /** The job named to others that wait meanwhile. */
      readonly holder: Travail;
      /** Limits for `readAhead`; left out if it reads only the household's own data. */
      bounds?(call: C & { readonly prepared: P }): ReadingBounds;
    }
  | { readonly size?: undefined };

interface OwnParts<E extends Endpoint, M extends May, P, S> {
  readonly may: M;
  /**
   * Asynchronous work outside the transaction, such as receiving a file or comparing a password. Called once
   * `If-Match` holds, which the transaction checks again.
   */
  prepare?(call: Call<E, M> & Preparation, services: S): P | Promise<P>;
  /** The id of the record of `If-Match`, if it is not the path's. */
  recordId?(database: Reader, call: Call<E, M>): number | null;
}

type OperationParts<E extends Endpoint, M extends May, P, A, S> = OwnParts<E, M, P, S> &
  Size<Call<E, M>, P> &
  Steps<Call<E, M>, P, A, AnswerBody<E>>;

/** An operation whose calls were validated by its endpoint's schemas. */
export type AnyOperation = Size<object, unknown> &
  Steps<object, unknown, unknown, unknown> & {
    /** `null` for an internal operation. */
    readonly endpoint: Endpoint | null;
    /** The worker looks the operation up by this name. */
    readonly name: string;
  };

export type Operation<S = unknown> = AnyOperation & {
  readonly endpoint: Endpoint;
  readonly may: May;
  prepare?(call: object, services: S): unknown;
  recordId?(database: Reader, call: object): number | null;
};

const operations = new Map<string, AnyOperation>();

/** Declares a write. A write with a `size` is declared when its module is loaded: its thread finds it by name. */
export function operation<
  const E extends Endpoint,
  const M extends May,
  P = undefined,
  A = undefined,
  S = unknown,
>(endpoint: E, parts: OperationParts<E, M, P, A, S>): Operation<S> {
  const declared = { ...parts, endpoint, name: `${endpoint.method} ${endpoint.path}` };
  if (parts.size !== undefined) operations.set(declared.name, declared);
  return declared;
}

/** A write that the service starts by itself. */
export type InternalOperation<C extends object, A = unknown> = Size<C, undefined> &
  Steps<C, undefined, A, undefined> & { readonly endpoint: null; readonly name: string };

export function internalOperation<C extends object, A = undefined>(
  name: string,
  parts: Size<C, undefined> & Steps<C, undefined, A, undefined>,
): InternalOperation<C, A> {
  const declared = { ...parts, endpoint: null, name };
  operations.set(name, declared);
  return declared;
}

export function operationNamed(name: string): AnyOperation {
  const found = operations.get(name);
  if (found === undefined) throw new Error(`No operation is declared as ${name}`);
  return found;
}

interface ReadParts<E extends Endpoint, M extends May> {
  readonly may: M;
  /** `undefined` is answered with 404. */
  run(
    call: Call<E, M> & Exchange,
  ): AnswerBody<E> | undefined | FastifyReply | Promise<AnswerBody<E> | FastifyReply>;
}

export interface Read {
  readonly endpoint: Endpoint;
  readonly may: May;
  readonly isRead: true;
  run(call: object): unknown;
}

export const read = <const E extends Endpoint, const M extends May>(
  endpoint: E,
  parts: ReadParts<E, M>,
): Read => ({ ...parts, endpoint, isRead: true });

/** A write to execute: an operation with the data of its request besides the call. */
export interface Write {
  readonly operation: AnyOperation;
  readonly call: { readonly prepared: unknown };
  readonly utilisateur: string | null;
  /** The person named by the history; nobody if the household itself acts. */
  readonly actor: string | null;
  /** The record of `If-Match`. */
  readonly recordId: number | null;
  readonly ifMatch: string | undefined;
  /** The idempotency key, and the language of a refusal that is stored for it. */
  readonly key: (RequestKey & { readonly locale: Locale }) | null;
  /** How long the sender waits for others' long writes. */
  readonly maxWaitMs: number | undefined;
  /** Aborted when nobody waits for the answer any more. A write that had to wait does not begin then. */
  readonly signal: AbortSignal;
  /** Throws if the caller has lost their access since the request came. */
  readonly recheckAccess: () => void;
}

export interface WriteAnswer {
  readonly answer: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The message of its history entry; `null` if nothing was changed. */
  readonly message: Message | null;
  /** The response as JSON, if it is stored for a key or comes from a thread. */
  readonly body: string | null;
}
