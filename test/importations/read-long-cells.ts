import { cleanRow } from '#server/subjects/importations/rows';
import { HEADERS, longText, READERS, readTable, SIGNS, tableOf } from './long-cells.ts';

// Runs as its own process, which can be killed if a reader is quadratic.

/** Together less than the longest allowed record. */
const ROW_BYTES = 200_000;
const CELL_BYTES = 500_000;

let count = 0;
for (const read of Object.values(READERS))
  for (const sign of SIGNS) {
    read(longText(sign, CELL_BYTES));
    count++;
  }
for (const headers of HEADERS)
  for (const separator of [',', '\t']) {
    const texts = SIGNS.map((sign) => longText(sign, ROW_BYTES / headers.length));
    for (const text of texts) {
      const file = tableOf(headers, text.replaceAll('\0', ' '), separator);
      const { records, monthFirst } = await readTable(file);
      for (const { record } of records) cleanRow(record, 'statut', monthFirst);
      count++;
    }
  }
process.stdout.write(String(count));
