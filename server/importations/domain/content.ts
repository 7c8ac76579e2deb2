import type { Database } from '#server/database/database';
import { lignesInBatches, type LigneRecord } from '../store/lignes.ts';
import type { ReadRow } from './row.ts';

/** A row as it is kept with its import. */
export const writeContent = (read: ReadRow): string => JSON.stringify(read);

export function readContent(content: string): ReadRow {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- written by `writeContent`, kept for thirty days at most
  return JSON.parse(content) as ReadRow;
}

/** A kept row with its content. */
export interface KeptLigne extends LigneRecord {
  readonly read: ReadRow;
}

/** All rows of an import in the order of the file, so many at a time. */
export function* readLignes(database: Database, importationId: number): Generator<KeptLigne[]> {
  for (const lignes of lignesInBatches(database, importationId))
    yield lignes.map((ligne) => ({ ...ligne, read: readContent(ligne.content) }));
}
