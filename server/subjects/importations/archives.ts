import { openZip, type Zip } from '#server/plumbing/common/zip';
import { invalid, raison, type RaisonCode } from '#server/plumbing/common/raisons';
import type { BookFile } from './alexandria.ts';
import type { ReadList } from './lists.ts';
import { coversIn, keyOfPicture, readCover } from './pictures.ts';
import { xmlList } from './xml-lists.ts';

// Zips of other programs: spreadsheets, and lists with their pictures (docs/rules.md § 35).

/** What all files of such a zip may hold together, unpacked: a list of a hundred thousand books takes half. */
const MAX_BYTES = 100_000_000;
const MAX_HEAD_LENGTH = 250_000;
const BOUNDS = { maxFiles: 50_000, maxBytes: MAX_BYTES, refuse: invalid };

/** A table of a spreadsheet as texts, or a list. */
export type Unpacked =
  | { readonly rows: Rows; readonly sheet: string }
  | { readonly list: ReadList };

const NOT_READ: readonly (readonly [sign: RegExp, raison: RaisonCode])[] = [
  // cspell:disable -- as the formats name themselves
  [/^META-INF\/container\.xml$/, 'epub'],
  [/^word\//, 'traitementDeTexte'],
  [/^ppt\//, 'presentation'],
  [/^Index\/Document\.iwa$/, 'documentApple'],
  [/^xl\/workbook\.bin$/, 'classeurBinaire'],
  // cspell:enable
];

/** Throws `FICHIER_INVALIDE` for a zip that holds no list, is damaged, or unpacks to more than it may. */
export async function openUnpacked(
  source: Buffer,
  hasHeader: (rows: Rows) => boolean,
): Promise<Unpacked> {
  const zip = await openZip(source, BOUNDS);
  try {
    const { names } = zip;
    for (const [sign, code] of NOT_READ)
      if (names.some((name) => sign.test(name))) throw invalid(raison(code));
    if (names.includes('xl/workbook.xml'))
      return await readWorkbook(zip, source, 'xlsx', hasHeader);
    if (names.includes('content.xml')) {
      const kind = names.includes('mimetype') ? (await bytesOf(zip, 'mimetype')).toString() : '';
      if (!/spreadsheet/.test(kind)) throw invalid(raison('traitementDeTexte'));
      return await readWorkbook(zip, source, 'ods', hasHeader);
    }
    const inner = names.find((name) => /(?:^|\/)tellico\.xml$|\.gcs$/i.test(name));
    if (inner !== undefined) {
      const text = (await bytesOf(zip, inner)).toString();
      const list = xmlList(text.slice(0, MAX_HEAD_LENGTH), text, await coversOf(zip));
      if (list !== null) return { list: await list };
    }
    const books = names.filter((name) => BOOK_FILE.test(name));
    if (books.length > 0) return { list: await readBookFiles(zip, books) };
    throw invalid(raison('zipInconnu'));
  } finally {
    zip.close();
  }
}

/** Of Alexandria; what the Finder of a Mac adds to a zip is none. */
const BOOK_FILE = /^(?!__MACOSX\/|.*\/\._).*\.ya?ml$/i;
/** Longer than any book with its notes. */
const MAX_BOOK_FILE_BYTES = 200_000;

async function readBookFiles(zip: Zip, names: readonly string[]): Promise<ReadList> {
  const files: BookFile[] = [];
  for (const name of names) {
    const bytes = await bytesOf(zip, name);
    if (bytes.length > MAX_BOOK_FILE_BYTES) throw invalid(raison('yamlTropLong'));
    files.push({ name, text: bytes.toString() });
  }
  const { readAlexandria } = await import('./alexandria.ts');
  return readAlexandria(files, await coversOf(zip));
}

/** The keys under which the pictures of a list are taken in, by their names. */
async function coversOf(zip: Zip): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const name of coversIn(zip.names)) {
    const content = await readCover(zip, name);
    if (content !== null) keys.set(name, keyOfPicture(content));
  }
  return keys;
}

async function bytesOf(zip: Zip, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of zip.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

// Spreadsheets

type Rows = readonly (readonly string[])[];

/** So many sheets are looked at for one with a header. */
const MAX_SHEETS = 10;

/** The first sheet with a header that is known, else the first with rows below another; the others are told. */
async function readWorkbook(
  zip: Zip,
  source: Buffer,
  kind: 'xlsx' | 'ods',
  hasHeader: (rows: Rows) => boolean,
): Promise<Unpacked> {
  // The library unpacks by itself: no file may be longer than the zip says, or damaged.
  for (const name of zip.names)
    for await (const { length } of zip.read(name)) if (length < 0) break;
  const { readXlsx, readOds } = await import('hucre');
  const read = kind === 'xlsx' ? readXlsx : readOds;
  let first: Unpacked | null = null;
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
      if (hasHeader(texts)) return table;
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
