import type { ExportKind, ExportRecord } from '#shared/export';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { parseKept } from '#server/plumbing/database/kept-json';

/** A record of a household's export that is no row, as JSON. */
interface ResteRecord {
  readonly kind: string;
  readonly content: string;
}

/** Keeps records with a dry run, behind those that are kept already. */
export function writeReste(
  database: Transaction,
  importationId: number,
  records: readonly ResteRecord[],
): void {
  const insert = database.prepare<[ResteRecord & { importationId: number }]>(
    `INSERT INTO ImportationReste (importationId, position, kind, content)
     VALUES (@importationId, (SELECT coalesce(max(position), 0) + 1 FROM ImportationReste
       WHERE importationId = @importationId), @kind, @content)`,
  );
  for (const record of records) insert.run({ ...record, importationId });
}

/** The kept records of a kind, in the order of the file. */
export const readReste = <K extends ExportKind>(
  database: Reader,
  importationId: number,
  kind: K,
): ExportRecord<K>[] =>
  database
    .values<string>(
      `SELECT content FROM ImportationReste WHERE importationId = ? AND kind = ? ORDER BY position`,
      importationId,
      kind,
    )
    .map((content) => parseKept<ExportRecord<K>>(content));
