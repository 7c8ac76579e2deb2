import type { Static, TSchema } from 'typebox';

/**
 * One operation of the service, said once: the server mounts it, the client calls it, and the
 * OpenAPI document is made from it.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the origin, with parameters as `:name`. */
  readonly path: `/api/${string}`;
  /** One sentence in French for the API's documentation. */
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The answer's shape; none where the answer has no JSON body. */
  readonly response?: TSchema;
  /** The status of success, 200 when left out. */
  readonly status?: 200 | 201 | 204;
  /** The media type of the answer, JSON when left out. */
  readonly type?: string;
  /** Statuses that it may answer with besides its own and those that any operation may. */
  readonly also?: readonly number[];
  /**
   * True where the caller must be known: refused with `IDENTITE_INCONNUE` before all else. A
   * function of the path's parameters, whatever these are, where only a part is personal.
   */
  readonly personal?: true | ((params: Readonly<Partial<Record<string, unknown>>>) => boolean);
}

/** Keeps the exact types of an operation's declaration. */
export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration;

type Part<E, K extends string> =
  E extends Readonly<Record<K, infer S>> ? (S extends TSchema ? Static<S> : undefined) : undefined;

export type Params<E extends Endpoint> = Part<E, 'params'>;
export type Query<E extends Endpoint> = Part<E, 'query'>;
export type Body<E extends Endpoint> = Part<E, 'body'>;
export type Response<E extends Endpoint> = Part<E, 'response'>;
