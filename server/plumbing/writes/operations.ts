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

// A route is an `operation`, which writes, or a `read`. Both say who may do it, and run with the validated parts of a
// request. `Writes.execute` (writes.ts) says in which order the parts of an operation run.

export interface Call<E extends Endpoint = Endpoint, M extends May = May> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly body: Body<E>;
  /** The caller's identifier; always known if the operation asks for it. */
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

/** What an operation returns; made by `answer`. */
export interface Outcome<T = unknown> {
  readonly answer: T;
  /** Left out, the endpoint's. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The history entry of an operation that writes its own. */
  readonly saved?: SavedModification | undefined;
}

/** Returned in place of an outcome: the write is rolled back, and runs again with this as `retried`. */
export interface Retry {
  readonly retry: unknown;
}

/** How much the reading of what somebody has sent may take, and how it is refused that takes more. */
export interface ReadingBounds {
  /** Of the processor's time, so that a slow machine reads what a fast one does. */
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

/** Runs one short write, before and after which others write. */
export type RunShortWrite = <T>(work: (tx: Transaction) => T) => Promise<T>;

/** The request of a `prepare`, and what it has cleaned up. */
export interface Preparation extends Exchange {
  /** Disposed once the write has been answered or refused. */
  readonly afterwards: DisposableStack;
  /** Disposed if the write is refused, or fails. */
  readonly onFailure: DisposableStack;
}

/** The steps of a write after `prepare`, in the order in which they run. */
interface Steps<C extends object, P, A, T> {
  /**
   * Reads what it needs from the database while others write, in the thread if the write is large. May write what nobody
   * sees before `run`.
   */
  readAhead?(
    database: Reader,
    call: C & { readonly prepared: P },
    runShortWrite: RunShortWrite,
  ): Promise<A>;
  /** Runs in the one transaction of the write. */
  run(
    tx: Transaction,
    call: C & {
      readonly prepared: P;
      readonly ahead: A;
      readonly records: Records<Transaction>;
      /** What the last run returned as `retry`. */
      readonly retried?: unknown;
    },
  ): Outcome<T> | Retry;
}

/** The `size` of a write whose work cannot be counted beforehand, as the reading of a file: it always runs in a thread. */
export const UNKNOWN_SIZE = Infinity;

/** For a write that may touch very many records. */
type Size<C extends object, P> =
  | {
      /**
       * About how many records it touches. Beyond a hundred it runs in a thread of its own, into which what `prepare` has
       * returned is copied.
       */
      size(database: Reader, call: C & { readonly prepared: P }): number;
      /** What others are told that they wait for meanwhile. */
      readonly holder: Travail;
      /** What `readAhead` may take; left out if it reads what is the household's own. */
      bounds?(call: C & { readonly prepared: P }): ReadingBounds;
    }
  | { readonly size?: undefined };

interface OwnParts<E extends Endpoint, M extends May, P, S> {
  readonly may: M;
  /**
   * What has to wait, outside of the transaction: receives a file, compares a password. Called once `If-Match` holds,
   * which the transaction checks again.
   */
  prepare?(call: Call<E, M> & Preparation, services: S): P | Promise<P>;
  /** The id of the record of `If-Match`, if it is not the path's. */
  recordId?(database: Reader, call: Call<E, M>): number | null;
}

type OperationParts<E extends Endpoint, M extends May, P, A, S> = OwnParts<E, M, P, S> &
  Size<Call<E, M>, P> &
  Steps<Call<E, M>, P, A, AnswerBody<E>>;

/** An operation whose calls have been validated by the schemas of its endpoint. */
export type AnyOperation = Size<object, unknown> &
  Steps<object, unknown, unknown, unknown> & {
    /** `null` for an internal operation. */
    readonly endpoint: Endpoint | null;
    /** By which a thread finds it. */
    readonly name: string;
  };

export type Operation<S = unknown> = AnyOperation & {
  readonly endpoint: Endpoint;
  readonly may: May;
  prepare?(call: object, services: S): unknown;
  recordId?(database: Reader, call: object): number | null;
};

const operations = new Map<string, AnyOperation>();

/**
 * Declares a write. One that may touch many records, and has a `size`, has to be declared when its module is loaded: its
 * thread finds it by its name.
 */
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

/** A write that is to be executed: an operation, with what its request says besides its call. */
export interface Write {
  readonly operation: AnyOperation;
  readonly call: { readonly prepared: unknown };
  readonly utilisateur: string | null;
  /** Whom the history names; nobody if the household itself acts. */
  readonly actor: string | null;
  /** The record of `If-Match`. */
  readonly recordId: number | null;
  readonly ifMatch: string | undefined;
  /** The idempotency key, and the language of a refusal that is stored for it. */
  readonly key: (RequestKey & { readonly locale: Locale }) | null;
  /** How long its sender waits for a long write of others. */
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
  /** The answer as JSON, if it is stored for a key or comes from a thread. */
  readonly body: string | null;
}
