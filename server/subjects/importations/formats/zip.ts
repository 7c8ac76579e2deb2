import { openZip, type Zip } from '#server/plumbing/common/zip';
import { invalid, raison, type RaisonCode } from '#server/plumbing/common/raisons';
import type { Mapping } from '../columns.ts';
import { MAX_HEAD_LENGTH } from '../encodings.ts';
import { coversIn, keyOfPicture, readCover } from '../pictures.ts';
import { DETECTED_BY_BYTES, type FileContent, type OpenedFile } from '../record.ts';
import { readAlexandria, type BookFile } from './alexandria.ts';
import { HEAD_BYTES } from './archive.ts';
import { gcstar } from './gcstar.ts';
import { contentOfList, type ReadList } from './record-builder.ts';
import { tellico } from './tellico.ts';
import { readWorkbook } from './workbook.ts';
import { headOfText } from './xml.ts';

// Zips of other programs: spreadsheets, and lists with pictures (docs/rules.md § 35).

/** Limit for all files of such a zip, unpacked: a list of a hundred thousand books takes half. */
const MAX_BYTES = 100_000_000;
const BOUNDS = { maxFiles: 50_000, maxBytes: MAX_BYTES, refuse: invalid };

const NOT_READ: readonly (readonly [sign: RegExp, raison: RaisonCode])[] = [
  // cspell:disable -- as the formats name themselves
  [/^META-INF\/container\.xml$/, 'epub'],
  [/^word\//, 'traitementDeTexte'],
  [/^ppt\//, 'presentation'],
  [/^Index\/Document\.iwa$/, 'documentApple'],
  [/^xl\/workbook\.bin$/, 'classeurBinaire'],
  // cspell:enable
];

/** A spreadsheet, or a list with its pictures. Throws `FICHIER_INVALIDE`. */
export async function openOthersZip(bytes: Buffer, mapping: Mapping): Promise<OpenedFile> {
  if (isBackup(bytes)) throw invalid(raison('sauvegarde'));
  const zip = await openZip(bytes, BOUNDS);
  try {
    const read = await readZip(zip, bytes, mapping);
    return { ...read, encodage: 'utf-8', decodage: DETECTED_BY_BYTES, rest: [] };
  } finally {
    zip.close();
  }
}

/** Checked first, since a backup may be larger than any list. */
const isBackup = (bytes: Buffer): boolean =>
  bytes.subarray(0, HEAD_BYTES).includes('manifest.json');

async function readZip(zip: Zip, bytes: Buffer, mapping: Mapping): Promise<FileContent> {
  const { names } = zip;
  for (const [sign, code] of NOT_READ)
    if (names.some((name) => sign.test(name))) throw invalid(raison(code));
  if (names.includes('xl/workbook.xml')) return readWorkbook(zip, bytes, 'xlsx', mapping);
  if (names.includes('content.xml')) {
    const kind = names.includes('mimetype') ? (await bytesOf(zip, 'mimetype')).toString() : '';
    if (!/spreadsheet/.test(kind)) throw invalid(raison('traitementDeTexte'));
    return readWorkbook(zip, bytes, 'ods', mapping);
  }
  const inner = names.find((name) => /(?:^|\/)tellico\.xml$|\.gcs$/i.test(name));
  if (inner !== undefined) {
    const text = (await bytesOf(zip, inner)).toString();
    const head = headOfText(text.slice(0, MAX_HEAD_LENGTH));
    const format = [tellico, gcstar].find(({ sniff }) => sniff(head));
    if (format !== undefined)
      return contentOfList(await format.read(text, await coversOf(zip), head));
  }
  const books = names.filter((name) => BOOK_FILE.test(name));
  if (books.length > 0) return contentOfList(await readBookFiles(zip, books));
  throw invalid(raison('zipInconnu'));
}

/** Alexandria's books, without the files that macOS adds to a zip. */
const BOOK_FILE = /^(?!__MACOSX\/|.*\/\._).*\.ya?ml$/i;
/** Longer than any book with its notes. */
const MAX_BOOK_FILE_BYTES = 200_000;

/** Each file costs a stream of its own. */
const MAX_BOOK_FILES = 15_000;

async function readBookFiles(zip: Zip, names: readonly string[]): Promise<ReadList> {
  if (names.length > MAX_BOOK_FILES) throw invalid(raison('archiveTropDeFichiers'));
  const files: BookFile[] = [];
  for (const name of names) {
    const bytes = await bytesOf(zip, name);
    if (bytes.length > MAX_BOOK_FILE_BYTES) throw invalid(raison('yamlTropLong'));
    files.push({ name, text: bytes.toString() });
  }
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
