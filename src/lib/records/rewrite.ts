import { ApiError, refusalOf } from '$lib/api/call';
import type { Batch } from '$lib/api/feedback.svelte';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { views } from '$lib/sync/views.svelte';
import type { CollectionName } from '#shared/collection-names';

export interface RewriteOptions {
  readonly batch?: Batch | undefined;
  readonly givenUp?: AbortSignal | undefined;
}

interface ReadableKind<R> {
  readonly collection: CollectionName;
  readonly get: (id: number) => R | undefined;
}

/** A kind of record that is written completely: `put` takes all fields and their revision. */
export interface RewritableKind<R, Saisie, Answer> extends ReadableKind<R> {
  readonly put: (
    id: number,
    saisie: Saisie,
    options: RewriteOptions & { readonly ifMatch: number | null },
  ) => Promise<Answer>;
}

/** A record and the revision that it was read at; `null` where the device does not know it. */
export interface Snapshot<R> {
  readonly record: R;
  readonly revision: number | null;
}

/** Reads a record of this device together with its revision; `undefined` for an unknown id. Reactive. */
export function snapshotOf<R>(
  { collection, get }: ReadableKind<R>,
  id: number,
): Snapshot<R> | undefined {
  const record = get(id);
  return record === undefined
    ? undefined
    : { record, revision: views().revisionOf(collection, id) };
}

/** No record has this revision: the server refuses it and returns the record. */
const NO_REVISION = 0;

/**
 * Changes a record outside of a form, as read-modify-write (docs/rules.md § 29): `change` returns all fields of the
 * given record, or `null` to leave it. After a concurrent write it is called again with the server's record.
 *
 * @returns `null` if the record was left unchanged, or is unknown
 * @throws `MODIFIE_ENTRETEMPS` if the record was deleted meanwhile
 */
export async function rewrite<R, Saisie, Answer>(
  kind: RewritableKind<R, Saisie, Answer>,
  id: number,
  change: (record: R) => Saisie | null,
  options: RewriteOptions = {},
): Promise<Answer | null> {
  let read = snapshotOf(kind, id);
  while (read !== undefined) {
    const saisie = change(read.record);
    if (saisie === null) return null;
    const ifMatch = read.revision ?? NO_REVISION;
    try {
      return await kind.put(id, saisie, { ...options, ifMatch });
    } catch (error) {
      read = newerIn<R>(error, ifMatch);
      if (read === undefined) throw error;
    }
  }
  return null;
}

/** The record in a refusal of `MODIFIE_ENTRETEMPS`; `undefined` for any other error, or an unchanged revision. */
export function newerIn<R>(error: unknown, ifMatch: number | null): Snapshot<R> | undefined {
  const refusal = refusalOf(error);
  if (refusal?.code !== 'MODIFIE_ENTRETEMPS' || !(error instanceof ApiError)) return undefined;
  const { revision } = error;
  const record = unsafeCast<R | null>(refusal.actuel);
  if (record === null || revision === null || revision === ifMatch) return undefined;
  return { record, revision };
}
