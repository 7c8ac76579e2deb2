import type { Told } from '#shared/acts';
import type { Answer, Body, Endpoint, Params, Query } from '#shared/endpoint';
import type { Locale } from '#shared/locale';
import type { Refusal } from '#shared/refusals';
import type { Travail } from '#shared/travaux';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';
import type { KeyOwner } from './kept-answers.ts';

export interface Call<E extends Endpoint> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly body: Body<E>;
  /** Who is calling; always known to a personal operation. */
  readonly utilisateur: E extends { readonly personal: true } ? string : string | null;
  /** In which language the answer is told. */
  readonly locale: Locale;
}

/** What an operation returns for an endpoint without a response is not sent. */
export type HandlerAnswer<E extends Endpoint> = E extends { readonly response: object }
  ? Answer<E>
  : unknown;

/** What a write did as a whole, as the history tells it. */
export interface Act {
  readonly id: number;
  readonly told: Told;
}

export interface OperationResult<T = unknown> {
  readonly answer: T;
  readonly act?: Act | undefined;
  /** The address of what it made, where the endpoint names no record. */
  readonly location?: string;
}

/** Runs a short write of its own, in its turn: others write before and after it. */
export type ShortWrites = <T>(work: (tx: Transaction) => T) => Promise<T>;

/** How much the reading of what somebody has sent may take, and how it is refused that takes more. */
export interface ReadingBounds {
  /** Of the processor's time, so that a slow machine reads what a fast one does. */
  readonly cpuMs: number;
  readonly heapMb: number;
  readonly refuse: (beyond: 'time' | 'memory') => Refusal;
}

/** A write that may touch so many records that it blocks everyone: it then runs in a thread with the database alone. */
interface LongWork<C, P, T> {
  /** Whom others are told that they wait for. */
  readonly holder: Travail;
  /** About how many records it touches. */
  size(records: Records, call: C): number;
  /**
   * Reads what it needs while others still write, and may note something that nobody sees before `run`; left out where
   * nothing is read beforehand.
   */
  readAhead?(records: Records, call: C, inTurn: ShortWrites): Promise<P>;
  /** What that reading may take; left out where what is read is the household's own. */
  bounds?(call: C): ReadingBounds;
  run(records: Records<Transaction>, call: C, prepared: P): OperationResult<T>;
}

/** That of a request. */
export interface LongOperation<
  E extends Endpoint,
  C extends Call<E> = Call<E>,
  P = undefined,
> extends LongWork<C, P, HandlerAnswer<E>> {
  readonly endpoint: E;
}

/** One that no request asks for; its thread knows it by its name. */
export interface OwnLongOperation<C, P = undefined> extends LongWork<C, P, undefined> {
  readonly name: string;
}

export type AnyCall = { readonly [K in keyof Call<Endpoint>]: unknown };

/** An operation of whatever endpoint; its calls have been validated by that endpoint's schemas. */
export interface AnyOperation {
  run(records: Records<Transaction>, call: object, prepared: unknown): OperationResult;
}

export interface AnyLongOperation extends AnyOperation, Pick<LongOperation<Endpoint>, 'holder'> {
  /** One of them is there. */
  readonly endpoint?: Endpoint;
  readonly name?: string;
  size(records: Records, call: object): number;
  readAhead?(records: Records, call: object, inTurn: ShortWrites): Promise<unknown>;
  bounds?(call: object): ReadingBounds;
}

const longOperations = new Map<string, AnyLongOperation>();

export const nameOf = ({ name, endpoint }: AnyLongOperation): string =>
  name ?? (endpoint === undefined ? '' : `${endpoint.method} ${endpoint.path}`);

/** Declares a long operation: its thread knows it by the method and path of its endpoint. */
export function longOperation<const E extends Endpoint, C extends Call<E> = Call<E>, P = undefined>(
  operation: LongOperation<E, C, P>,
): LongOperation<E, C, P> {
  longOperations.set(nameOf(operation), operation);
  return operation;
}

export function ownLongOperation<C extends object, P>(
  operation: OwnLongOperation<C, P>,
): OwnLongOperation<C, P> {
  longOperations.set(nameOf(operation), operation);
  return operation;
}

export function longOperationNamed(name: string): AnyLongOperation {
  const operation = longOperations.get(name);
  if (operation === undefined) throw new Error(`${name} is no long operation`);
  return operation;
}

export interface Write {
  /** `null` where no request asks for it. */
  readonly endpoint: Endpoint | null;
  readonly operation: AnyOperation | AnyLongOperation;
  readonly call: object;
  readonly utilisateur: string | null;
  /** Whom the history names; nobody where the household itself acts. */
  readonly actor: string | null;
  readonly recordId: number | null;
  readonly ifMatch: string | undefined;
  /** The key of the request, what tells it from another one with the same key, and the language of a refusal kept for it. */
  readonly key: {
    readonly owner: KeyOwner;
    readonly fingerprint: string;
    readonly locale: Locale;
  } | null;
  /** For how long its sender wants it to wait for a long write of others, in milliseconds. */
  readonly maxWaitMs?: number | undefined;
  /** Aborted when nobody waits any more: what is read beforehand is then broken off, and what waits never begins. */
  readonly signal?: AbortSignal;
  /** What the handler has said besides the answer; called once that is there. */
  readonly readReply: () => Pick<WriteAnswer, 'status' | 'headers'>;
}

/** `body` is the answer's text where it is kept for a key or comes from another thread. */
export interface WriteAnswer {
  readonly answer: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What is told of the act that it was; `null` where nothing was changed. */
  readonly told: Told | null;
  readonly body: string | null;
}
