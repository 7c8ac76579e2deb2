import type { CollectionName } from '#shared/collections';

interface DeletedRecord {
  readonly collection: CollectionName;
  readonly id: number;
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

/** What `read` finds; while the record is being deleted here, the last record that it found. */
export function withDeletedHere<R extends { readonly id: number }>(
  collection: CollectionName,
  read: () => R | undefined,
): () => R | undefined {
  let last: R | undefined;
  return () => {
    const isDeleted = deleted?.collection === collection && deleted.id === last?.id;
    const found = read();
    return (last = found ?? (isDeleted ? last : undefined));
  };
}
