import type { CollectionName } from '#shared/collection-names';

/** What has a screen of its own: a theme is no record, and has one. */
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

/** What `read` finds; while the record is being deleted here, the last record that it found. */
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
