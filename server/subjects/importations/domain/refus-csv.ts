import type { Reader } from '#server/plumbing/database/reader';
import { parseKept } from '#server/plumbing/database/kept-json';
import { formatRows } from '#server/plumbing/common/spreadsheet';
import { listLignes } from '../store/lignes.ts';
import { requireRecord } from './records.ts';

const RAISON = 'Raison';

/**
 * The refused rows as a CSV of the file's own columns and the reason, to be mended and imported
 * again. Rows left out on purpose are not among them. Throws `INTROUVABLE`.
 */
export function exporterRefus(database: Reader, id: number, utilisateur: string | null): string {
  const { headers } = requireRecord(database, id, utilisateur);
  const columns = [...headers.keys()].filter((index) => headers[index] !== RAISON);
  const rows = listLignes(database, id, { sort: 'refuse' }).flatMap(({ cells, raison }) => {
    if (cells === null) return [];
    const texts = parseKept<string[]>(cells);
    return [[...columns.map((index) => texts[index] ?? ''), raison ?? '']];
  });
  const header = [...columns.map((index) => headers[index] ?? ''), RAISON];
  return formatRows([header, ...rows], { delimiter: ',', bom: true });
}
