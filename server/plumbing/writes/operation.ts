import type { Answer, Body, Endpoint, Params, Query } from '#shared/endpoint';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';

export interface Call<E extends Endpoint> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly body: Body<E>;
  /** Who is calling; always known to a personal operation. */
  readonly utilisateur: E extends { readonly personal: true } ? string : string | null;
}

/** What an operation returns for an endpoint without a response is not sent. */
export type HandlerAnswer<E extends Endpoint> = E extends { readonly response: object }
  ? Answer<E>
  : unknown;

/** What a write did as a whole, as the history tells it. */
export interface Act {
  readonly id: number;
  readonly resume: string;
}

export interface OperationResult<T = unknown> {
  readonly answer: T;
  readonly act?: Act | undefined;
  /** The address of what it made, where the endpoint names no record. */
  readonly location?: string;
}

/** A write of so many records that it would block everyone, run in a thread with nothing but the database. */
export interface LongOperation<E extends Endpoint, C extends Call<E> = Call<E>, P = undefined> {
  readonly endpoint: E;
  /** Whom others are told that they wait for, such as « Un import ». */
  readonly holder: string;
  /** About how many records it touches. */
  size(records: Records, call: C): number;
  /** Reads what it needs while others still write; left out where nothing is read beforehand. */
  prepare?(records: Records, call: C): Promise<P>;
  run(records: Records<Transaction>, call: C, prepared: P): OperationResult<HandlerAnswer<E>>;
}

export type AnyCall = { readonly [K in keyof Call<Endpoint>]: unknown };

/** A long operation of whatever endpoint; its calls have been validated by that endpoint's schemas. */
export interface AnyLongOperation extends Pick<LongOperation<Endpoint>, 'endpoint' | 'holder'> {
  size(records: Records, call: AnyCall): number;
  prepare?(records: Records, call: AnyCall): Promise<unknown>;
  run(records: Records<Transaction>, call: AnyCall, prepared: unknown): OperationResult;
}

export const longOperation = <const E extends Endpoint, C extends Call<E> = Call<E>, P = undefined>(
  operation: LongOperation<E, C, P>,
): LongOperation<E, C, P> => operation;
