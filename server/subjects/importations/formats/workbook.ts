import type { Zip } from '#server/plumbing/common/zip';
import { withoutGuards } from '#server/plumbing/common/spreadsheet';
import { invalid, raison } from '#server/plumbing/common/raisons';
import { shortened } from '#shared/text';
import type { Mapping } from '../columns.ts';
import type { FileContent } from '../record.ts';
import { hasKnownHeader, TableContent } from './csv.ts';
import { MAX_ROWS, tooMany } from './record-builder.ts';

// Workbooks of a spreadsheet (docs/rules.md § 35)

type Rows = readonly (readonly string[])[];

/** So many sheets are looked at for one with a header. */
const MAX_SHEETS = 10;

/** The first sheet with a header that is known, else the first with rows below another; the others are told. */
export async function readWorkbook(
  zip: Zip,
  source: Buffer,
  kind: 'xlsx' | 'ods',
  mapping: Mapping,
): Promise<FileContent> {
  const { rows, sheet } = await sheetOf(zip, source, kind);
  if (rows.length > MAX_ROWS) throw tooMany();
  const table = new TableContent('\t', mapping, 0);
  for (const cells of rows) table.take(withoutGuards([...cells]));
  const read = table.end();
  return {
    ...read,
    format: read.format === 'table' ? 'tableur' : read.format,
    avertissements: [raison('feuille', { feuille: shortened(sheet, 40) }), ...read.avertissements],
  };
}

interface Sheet {
  readonly rows: Rows;
  readonly sheet: string;
}

async function sheetOf(zip: Zip, source: Buffer, kind: 'xlsx' | 'ods'): Promise<Sheet> {
  // The library unpacks by itself: no file may be longer than the zip says, or damaged.
  for (const name of zip.names)
    for await (const { length } of zip.read(name)) if (length < 0) break;
  const { readXlsx, readOds } = await import('hucre');
  const read = kind === 'xlsx' ? readXlsx : readOds;
  let first: Sheet | null = null;
  for (let at = 0, count = 1; at < Math.min(count, MAX_SHEETS); at++) {
    const { sheets } = await read(source, {
      sheets: ({ index }) => {
        count = Math.max(count, index + 1);
        return index === at;
      },
    }).catch(() => {
      throw invalid(raison('classeurIllisible'));
    });
    for (const { name, rows } of sheets) {
      const texts = rows.map((cells) => cells.map(textOf));
      if (texts.filter((cells) => cells.some((text) => text !== '')).length < 2) continue;
      const table = { rows: texts, sheet: name };
      if (hasKnownHeader(texts)) return table;
      first ??= table;
    }
  }
  if (first !== null) return first;
  throw invalid(raison('classeurVide'));
}

/** A cell as a person reads it: the value of a formula, a day, « oui ». */
function textOf(value: string | number | boolean | Date | null): string {
  if (value === null) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : dayOf(value);
  return typeof value === 'boolean' ? (value ? 'oui' : 'non') : String(value).trim();
}

/** Without the hour where there is none. */
const dayOf = (date: Date): string =>
  date
    .toISOString()
    .replace(/T00:00:00\.000Z$/, '')
    .replace(/T(\d\d:\d\d):.*$/, ' $1');
