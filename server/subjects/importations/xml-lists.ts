import { ENCODAGES, type Encodage } from '#shared/importations';
import { invalid, raison } from '#server/plumbing/common/raisons';
import type { ReadList } from './lists.ts';

// Which list a file of XML or of MARC is, by how it begins; its reader is loaded when it is needed.

type Covers = ReadonlyMap<string, string>;
type Reader = (text: string, covers: Covers) => Promise<ReadList>;

const READERS: readonly (readonly [sign: RegExp, read: Reader])[] = [
  [
    /<collection\b[^>]*\btype=["']GC\w+["']/,
    async (text) => (await import('./collections.ts')).readGcstar(text),
  ],
  [
    /<(?:tellico|bookcase)\b[^>]*syntaxVersion/,
    async (text, covers) => (await import('./collections.ts')).readTellico(text, covers),
  ],
  [
    /<(?:book|movie|music|game|software)\b[^<>]*\s(?:fullTitle|uuid)=/,
    async (text) => (await import('./delicious.ts')).readDelicious(text),
  ],
  [
    /<plist\b[\s\S]*<key>title<\/key>/,
    async (text) => (await import('./plists.ts')).readPlist(text),
  ],
  [
    /<(?:[\w.-]+:)?(?:leader|datafield)\b/,
    async (text) => (await import('./marc.ts')).readMarcXml(text),
  ],
];

/** Of the beginning, in characters: what stands before the first record. */
const MAX_BEFORE = 20_000;

const readerOf = (head: string): Reader | undefined =>
  READERS.find(([sign]) => sign.test(head.slice(0, MAX_BEFORE)))?.[1];

export const isListOfXml = (head: string): boolean => readerOf(head) !== undefined;

/**
 * Throws `FICHIER_INVALIDE` for entities of the file's own, of which a few lines may make gigabytes.
 *
 * @param covers the keys of the pictures that lie beside it in a zip, by their names there
 */
export function xmlList(
  head: string,
  text: string,
  covers: Covers = new Map(),
): Promise<ReadList> | null {
  const read = readerOf(head);
  if (read === undefined) return null;
  if (/<!ENTITY/i.test(head)) throw invalid(raison('xmlNoms'));
  return read(text, covers);
}

/** The encoding that an XML declaration names; `null` for none that is known. */
export function declaredEncodage(start: string): Encodage | null {
  const [, , label = ''] = /^\s*<\?xml[^>]*\sencoding=(["'])([\w.-]+)\1/.exec(start) ?? [];
  try {
    const name = label === '' ? '' : new TextDecoder(label).encoding;
    return ENCODAGES.find((encodage) => encodage === name) ?? null;
  } catch {
    return null;
  }
}

const LEADER_BYTES = 24;

export const isIso2709 = (bytes: Buffer): boolean =>
  /^\d{5}[a-z][a-z ]{2}[\da-z ]{2}\d\d/.test(bytes.subarray(0, LEADER_BYTES).toString('latin1')) &&
  bytes.subarray(0, 100_000).includes(0x1e);
