import { m } from '#messages';
import type { Reader } from '#server/plumbing/database/connection';
import { isOfDatabase } from '#server/plumbing/database/unusable';
import { ReaderNames } from '#server/plumbing/http/reader-names';
import type { Records } from '#server/plumbing/records/records';

/** Tables with a reader's data besides records. */
const BESIDES = ['Cle', 'Langue', 'Liste', 'Offre', 'Partage'];

/** The readers with data in the database, those with records first; none if it is damaged there. */
export function knownReaders(database: Reader, records: Records): ReaderNames {
  const others = BESIDES.map((table) => `SELECT utilisateur FROM "${table}"`).join(' UNION ');
  try {
    const names: unknown[] = [...records.owners(), ...database.values<unknown>(others)];
    const texts = names.filter((name): name is string => typeof name === 'string' && name !== '');
    return new ReaderNames([...new Set(texts)]);
  } catch (error) {
    if (!isOfDatabase(error)) throw error;
    return new ReaderNames([]);
  }
}

/** Only the operator can tell whether two spellings are one person. */
export const readerNotices = (names: ReaderNames): string[] =>
  names.lookalikes.map((readers) => m.operator_readers_alike({ readers: readers.join(', ') }));
