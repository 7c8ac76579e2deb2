import { parseForeign } from '#server/plumbing/common/json';
import { invalid, raison } from '#server/plumbing/common/raisons';
import { TableReader, withCommonColumns } from '../columns.ts';
import {
  RECORD_HEADERS,
  recordCells,
  type FileContent,
  type ImportRecord,
  RecordList,
  MAX_ROWS,
  tooMany,
} from '../record.ts';
import { isCsl, readCsl } from './csl.ts';
import { libraryThing, libraryThingTable } from './librarything.ts';
import { contentOfList, tooFull } from './record-builder.ts';

// Lists in JSON: bibliographies, and LibraryThing's (docs/rules.md § 35)

export function readJson(utf8: Buffer): FileContent {
  if (isTooFull(utf8)) throw tooFull();
  const value = parseForeign(utf8.toString());
  if (value === undefined) throw invalid(raison('jsonCoupe'));
  const values = isCsl(value)
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value)
      : [];
  if (values.length > MAX_ROWS) throw tooMany();
  if (isCsl(values[0])) return contentOfList(readCsl(values));
  const table = libraryThingTable(values);
  if (table === null) throw invalid(raison('jsonInconnu'));
  return contentOfTable(table);
}

/** Limit for the values of a file, each up to a hundred bytes of memory. The largest accepted list has two million. */
const MAX_SIGNS = 5_000_000;
const SIGNS = new Set(Buffer.from('{[,'));

/** Counts separators, including those within texts. */
function isTooFull(utf8: Buffer): boolean {
  let count = 0;
  for (const byte of utf8) if (SIGNS.has(byte) && ++count > MAX_SIGNS) return true;
  return false;
}

const NO_LIVRE: ImportRecord = { titre: '', auteurs: [], refusal: raison('pasFiche') };

/** LibraryThing's JSON records as rows of its table; `null` for a file of other data. */
function contentOfTable({
  headers,
  rows,
}: NonNullable<ReturnType<typeof libraryThingTable>>): FileContent {
  const reader = new TableReader(withCommonColumns(libraryThing, headers), headers);
  const records = new RecordList();
  for (const cells of rows) {
    const record = cells === null ? NO_LIVRE : reader.read(cells);
    records.add({ ligne: records.length + 1, record, cells: recordCells(record) });
  }
  return {
    format: libraryThing.name,
    programme: libraryThing.programme,
    colonnes: null,
    headers: RECORD_HEADERS,
    records: records.read(),
    monthFirst: reader.dates.monthFirst,
    openDates: reader.dates.open,
    perdus: reader.perdus,
    avertissements: [],
  };
}
