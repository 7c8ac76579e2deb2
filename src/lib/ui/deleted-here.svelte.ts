import type { CollectionName } from '#shared/collections';

interface DeletedRecord {
  readonly collection: CollectionName;
  readonly id: number;
}

let deleted = $state.raw<DeletedRecord | null>(null);

/**
 * Deletes a record, whose screen stays until another one replaces it.
 *
 * @param work deletes it and leaves its screen
 */
export async function deleteHere(record: DeletedRecord, work: () => Promise<void>): Promise<void> {
  deleted = record;
  try {
    await work();
  } finally {
    deleted = null;
  }
}

/** What `read` finds; the last record that it has found while that one is deleted here. */
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
