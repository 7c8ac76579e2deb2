import type { OrdreNoms } from '#shared/importations';
import type { Reader } from '#server/plumbing/database/reader';
import { parseKept } from '#server/plumbing/database/kept-json';
import { lignesInBatches, type LigneRecord } from '../store/lignes.ts';
import type { ReadRow } from './row.ts';

/** A row as it is kept with its import. */
export const writeContent = (read: ReadRow): string => JSON.stringify(read);

/** The row of a text that `writeContent` made, thirty days ago at most. */
export const readContent = (content: string): ReadRow => parseKept<ReadRow>(content);

/** The authors of a row; as the file has them where its person says that they stand given name first. */
export const auteursOf = (
  { row, auteursEcrits }: ReadRow,
  ordre: OrdreNoms | undefined,
): readonly string[] => (ordre === 'prenomNom' ? (auteursEcrits ?? row.auteurs) : row.auteurs);

/** A kept row with its content. */
export interface KeptLigne extends LigneRecord {
  readonly read: ReadRow;
}

/** All rows of an import in the order of the file, so many at a time. */
export function* readLignes(
  database: Reader,
  importationId: number,
  count?: number,
): Generator<KeptLigne[]> {
  for (const lignes of lignesInBatches(database, importationId, count))
    yield lignes.map((ligne) => ({ ...ligne, read: readContent(ligne.content) }));
}
