import type { CollectionName } from '#shared/collection-names';

/** The collections with a screen of their own, and themes, which are no records. */
export type ScreenCollection = CollectionName | 'themes';

interface DeletedRecord {
  readonly collection: ScreenCollection;
  readonly id: number | string;
}

let deleted = $state.raw<DeletedRecord | null>(null);

/** The screen of a record stays while `work` deletes the record, until another screen replaces it. */
export async function deleteHere(record: DeletedRecord, work: () => Promise<void>): Promise<void> {
  deleted = record;
  try {
    await work();
  } finally {
    deleted = null;
  }
}

/** The result of `read`; while the record is being deleted here, its last value. */
export function withDeletedHere<R extends { readonly id: number | string }>(
  collection: ScreenCollection,
  read: () => R | undefined,
): () => R | undefined {
  let last: R | undefined;
  return () => {
    const isDeleted = deleted?.collection === collection && deleted.id === last?.id;
    const found = read();
    return (last = found ?? (isDeleted ? last : undefined));
  };
}
