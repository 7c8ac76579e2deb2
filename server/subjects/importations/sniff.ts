import { readFileSync } from 'node:fs';
import type { DecodageLu, Encodage } from '#shared/importations';
import { Refusal } from '#shared/refusals';
import { shortened } from '#shared/text';
import { invalid, raison, type RaisonCode } from '#server/plumbing/common/raisons';
import type { Mapping } from './columns.ts';
import { decodeFile, headOf, MAX_HEAD_LENGTH } from './encodings.ts';
import {
  HEAD_BYTES,
  isExport,
  isExportFile,
  openExport,
  toBuffer,
  ZIP_SIGNATURE,
} from './formats/archive.ts';
import { bibtex } from './formats/bibtex.ts';
import { isTableOfProgram, readTable } from './formats/csv.ts';
import { delicious } from './formats/delicious.ts';
import type { ListFormat } from './formats/format.ts';
import { gcstar } from './formats/gcstar.ts';
import { isIsbnList, readIsbnList } from './formats/isbn-list.ts';
import { readJson } from './formats/json.ts';
import { isIso2709 } from './formats/iso2709.ts';
import { marcXml, readIso2709 } from './formats/marc.ts';
import { plist } from './formats/plist.ts';
import { contentOfList } from './formats/record-builder.ts';
import { ris } from './formats/ris.ts';
import { tellico } from './formats/tellico.ts';
import { headOfText } from './formats/xml.ts';
import { openOthersZip } from './formats/zip.ts';
import { DETECTED_BY_BYTES, type FileContent, type OpenedFile } from './record.ts';

// Recognises a file's format by its first bytes: ordered tests in linear time. The first match
// reads the file (docs/rules.md § 35).

/** First bytes of binary files that people take for tables. */
const SIGNATURES: readonly (readonly [bytes: string, raison: RaisonCode])[] = [
  ['\xd0\xcf\x11\xe0', 'classeurAncien'],
  ['\x1f\x8b', 'compresse'],
  ['%PDF', 'pdf'],
  ['{\\rtf', 'rtf'],
  ['SQLite format 3', 'baseDeDonnees'],
];

/** A binary format, independent of text encodings. */
interface BinaryFormat {
  readonly sniff: (start: string, bytes: Buffer) => boolean;
  readonly read: (bytes: Buffer, mapping: Mapping) => Promise<OpenedFile>;
}

const BINARY: readonly BinaryFormat[] = [
  { sniff: isExport, read: (bytes) => openExport(bytes) },
  { sniff: (start) => start.startsWith(ZIP_SIGNATURE), read: openOthersZip },
  { sniff: isIso2709, read: openIso2709 },
];

const LISTS: readonly ListFormat[] = [ris, bibtex, gcstar, tellico, delicious, plist, marcXml];

/** The record declares its character set, by standards of libraries. */
async function openIso2709(bytes: Buffer): Promise<OpenedFile> {
  return {
    ...contentOfList(readIso2709(bytes)),
    encodage: 'utf-8',
    decodage: DETECTED_BY_BYTES,
    rest: [],
  };
}

/**
 * Recognises and reads a file by its content, or at a path. Throws `FICHIER_INVALIDE` (docs/rules.md § 35).
 *
 * @param chosen the encoding chosen by the person, or `null`
 */
export async function openFile(
  file: Uint8Array | string,
  mapping: Mapping,
  chosen: Encodage | null = null,
): Promise<OpenedFile> {
  // An archive may be far larger than the parts read at once.
  if (typeof file === 'string' && isExportFile(file)) return openExport(file);
  const bytes = typeof file === 'string' ? readFileSync(file) : toBuffer(file);
  const start = bytes.subarray(0, HEAD_BYTES).toString('latin1');
  for (const [signature, code] of SIGNATURES)
    if (start.startsWith(signature)) throw invalid(raison(code));
  const binary = BINARY.find(({ sniff }) => sniff(start, bytes));
  return binary === undefined ? openText(bytes, mapping, chosen) : binary.read(bytes, mapping);
}

async function openText(
  bytes: Buffer,
  mapping: Mapping,
  chosen: Encodage | null,
): Promise<OpenedFile> {
  const { utf8, encodage, strays, encodagePar } = decodeFile(bytes, chosen);
  const text = headOf(utf8);
  if (text.trim() === '' && utf8.toString().trim() === '') throw invalid(raison('fichierVide'));
  const nul = utf8.indexOf(0);
  if (nul !== -1) throw invalid(raison(nul < MAX_HEAD_LENGTH ? 'pasTexteExportez' : 'pasTexte'));
  const decodage = {
    encodagePar,
    encodageExemples: encodagePar === 'octets' ? [] : linesBeyondAscii(text),
  };
  const read = await withDecodage({ encodage, ...decodage }, () => readText(utf8, text, mapping));
  const avertissements = strays === 0 ? [] : [raison('lettresMalEcrites', { count: strays })];
  return {
    ...read,
    encodage,
    decodage,
    rest: [],
    avertissements: [...avertissements, ...read.avertissements],
  };
}

async function readText(utf8: Buffer, text: string, mapping: Mapping): Promise<FileContent> {
  const head = headOfText(text);
  const format = LISTS.find(({ sniff }) => sniff(head));
  if (format !== undefined)
    return contentOfList(await format.read(utf8.toString(), new Map(), head));
  if (isMarkup(text)) throw invalid(raison(isWebPage(text) ? 'pageWeb' : 'xmlInconnu'));
  if (isJson(text)) return readJson(utf8);
  return mapping.given === null && isIsbnList(text) && !isTableOfProgram(text)
    ? readIsbnList(utf8)
    : readTable(utf8, mapping);
}

const isJson = (text: string): boolean => /^\s*(?:\{|\[\s*[{\]])/.test(text);

/** Whether an unrecognised text is XML or HTML rather than a table whose first cell begins with « < ». */
const isMarkup = (text: string): boolean => /^\s*<[?!a-z]/i.test(text);

const isWebPage = (text: string): boolean => /<!doctype html|<html[\s>]/i.test(text.slice(0, 2000));

const MAX_EXEMPLES = 3;

const linesBeyondAscii = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .filter((line) => /[^\0-\x7f]/.test(line))
    .slice(0, MAX_EXEMPLES)
    .map((line) => shortened(line.replace(/"?[;\t|]"?/g, ' · ').replace(/^"|"$/g, ''), 200));

/** Adds the encoding to the refusal of an unknown table, so that the person can choose another one. */
async function withDecodage<T>(
  decodage: DecodageLu & { readonly encodage: Encodage },
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Refusal) || decodage.encodagePar === 'octets') throw error;
    throw error.with({ details: decodage });
  }
}
