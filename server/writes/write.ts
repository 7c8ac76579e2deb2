import type { Endpoint } from '#shared/endpoint';
import type { KeyOwner } from './keys.ts';

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
export interface Outcome {
  readonly answer: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An outcome with all its headers; `body` is the answer as text where it is kept for a key or comes from
 * another thread, `null` otherwise.
 */
export interface Written extends Outcome {
  readonly body: string | null;
}

/** An answer as it is sent; '' for none. */
export const bodyOf = (answer: unknown): string =>
  answer === undefined ? '' : JSON.stringify(answer);
