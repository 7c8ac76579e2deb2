import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Colonnes } from '#shared/importations';
import { Refusal } from '#shared/refusals';
import { readArchive } from './archive.ts';
import { csvRecords, findSeparator, readHeader } from './csv.ts';
import { invalid } from './invalid.ts';
import { decodeFile, repairDoubleEncoding, type Decoded } from './encoding.ts';
import { headerKey, recogniseTable } from './formats/known.ts';
import { readLibraryThingRecord } from './formats/librarything-json.ts';
import { guessColonnes, tableFormat } from './formats/table.ts';
import type { TableFormat } from './formats/table-format.ts';
import { isbnItems, isIsbnList } from './isbn-list.ts';
import { jsonValues } from './json.ts';
import type { FileRecord, OpenedFile } from './opened-file.ts';

/** More rows than any household has books. */
const MAX_ROWS = 100_000;

/** More columns than any program of books has. */
const MAX_COLUMNS = 1000;

/** Records of a list or of JSON that are read before others get a turn. */
const BATCH = 1000;

/** How the mapping of an unknown table is found. */
interface Mapping {
  /** As its person says. */
  readonly given: Colonnes | null;
  /** As it was said for a table with this header before. */
  readonly remembered: (signature: string) => Colonnes | null;
}

/** Recognises a file by its content. Throws `FICHIER_INVALIDE` (docs/rules.md § 35). */
export function openFile(bytes: Buffer, mapping: Mapping): OpenedFile {
  const archive = readArchive(bytes);
  if (archive !== null) return archive;
  const decoded = decodeFile(bytes);
  const [head = ''] = decoded.pieces();
  if (head.trim() === '') throw invalid('Ce fichier est vide.');
  if (head.includes('\0')) throw invalid('Ce n’est pas un fichier de texte : exportez-le en CSV.');
  if (/^\s*(?:\{|\[\s*[{\]])/.test(head)) return openJson(decoded);
  const separator = findSeparator(head);
  const headers = readHeader(head, separator);
  if (headers.length > MAX_COLUMNS)
    throw invalid('Ce fichier a trop de colonnes pour une liste de livres.');
  const known = mapping.given === null ? recogniseTable(headers) : undefined;
  if (known !== undefined) return openTable(decoded, headers, separator, known, null);
  if (mapping.given === null && isIsbnList(head)) return openIsbnList(decoded);
  const colonnes = findColonnes(headers, mapping);
  return openTable(decoded, headers, separator, tableFormat(colonnes), colonnes);
}

/** A header as one text of fixed length, by which its mapping is remembered. */
export const signatureOf = (headers: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(headers.map(headerKey)))
    .digest('base64');

function findColonnes(headers: readonly string[], { given, remembered }: Mapping): Colonnes {
  const colonnes = given ?? remembered(signatureOf(headers)) ?? guessColonnes(headers);
  const entetes = headers.filter((header) => header !== '').slice(0, 200);
  const keys = headers.map(headerKey);
  for (const header of Object.values(colonnes))
    if (!keys.includes(headerKey(header)))
      throw new Refusal('FICHIER_INVALIDE', {
        raison: `Il n’y a pas de colonne « ${header.slice(0, 100)} » dans ce fichier.`,
        entetes,
      });
  if (colonnes.titre === undefined && colonnes.isbn === undefined)
    throw new Refusal('FICHIER_INVALIDE', {
      raison:
        'Ce fichier n’est pas reconnu : dites quelle colonne est le titre, ou donnez un fichier dont la première ligne nomme les colonnes.',
      entetes,
    });
  return colonnes;
}

function openTable(
  decoded: Decoded,
  headers: readonly string[],
  separator: string,
  format: TableFormat,
  colonnes: Colonnes | null,
): OpenedFile {
  const indexes = indexHeaders(headers);
  let repaired = 0;
  const toRecord = (given: readonly string[], ligne: number): FileRecord => {
    const cells = given.map(repairDoubleEncoding);
    if (cells.some((cell, index) => cell !== given[index])) repaired++;
    const cell = (header: string) => {
      const index = indexes.get(header);
      if (index === 'twice')
        throw invalid(`Plusieurs colonnes de ce fichier s’appellent « ${header.slice(0, 100)} ».`);
      return index === undefined ? '' : (cells[index] ?? '').trim();
    };
    return { ligne, raw: format.read(cell), cells: given };
  };
  return {
    format: format.name,
    encodage: decoded.encodage,
    headers,
    colonnes,
    records: async function* () {
      let ligne = 0;
      for await (const batch of csvRecords(textPieces(decoded), separator)) {
        const records: FileRecord[] = [];
        for (const cells of batch) {
          ligne++;
          if (ligne > 1 && cells.some((cell) => cell.trim() !== ''))
            records.push(toRecord(cells, ligne));
        }
        if (ligne > MAX_ROWS + 1) throw tooMany();
        yield records;
      }
    },
    avertissements: () => [
      ...strayBytes(decoded),
      ...(repaired > 0
        ? [`double encodage réparé dans ${repaired} ${repaired === 1 ? 'ligne' : 'lignes'}`]
        : []),
    ],
  };
}

/** The place of each column by its header; the name of several is no name. */
function indexHeaders(headers: readonly string[]): Map<string, number | 'twice'> {
  const indexes = new Map<string, number | 'twice'>();
  for (const [index, header] of headers.map(headerKey).entries())
    indexes.set(header, indexes.has(header) ? 'twice' : index);
  return indexes;
}

function openIsbnList(decoded: Decoded): OpenedFile {
  return {
    format: 'isbn',
    encodage: decoded.encodage,
    headers: ['isbn'],
    colonnes: null,
    records: () =>
      inBatches(isbnItems(textPieces(decoded)), ({ ligne, code }) => ({
        ligne,
        cells: [code],
        raw: { titre: '', auteurs: [], isbns: [code] },
      })),
    avertissements: () => strayBytes(decoded),
  };
}

function openJson(decoded: Decoded): OpenedFile {
  const [first] = jsonValues(textPieces(decoded));
  if (readLibraryThingRecord(first) === null)
    throw invalid('Ce fichier JSON n’est d’aucun programme connu.');
  let ligne = 0;
  return {
    format: 'librarything',
    encodage: decoded.encodage,
    colonnes: null,
    headers: ['titre', 'auteurs', 'isbn'],
    records: () =>
      inBatches(jsonValues(textPieces(decoded)), (value) => {
        const raw = readLibraryThingRecord(value) ?? {
          titre: '',
          auteurs: [],
          refus: 'ce n’est pas la fiche d’un livre',
        };
        const cells = [raw.titre, raw.auteurs.join(' ; '), raw.isbns?.[0] ?? ''];
        return { ligne: ++ligne, raw, cells };
      }),
    avertissements: () => strayBytes(decoded),
  };
}

async function* inBatches<T>(
  items: Iterable<T>,
  toRecord: (item: T) => FileRecord,
): AsyncGenerator<FileRecord[]> {
  let batch: FileRecord[] = [];
  let count = 0;
  for (const item of items) {
    batch.push(toRecord(item));
    if (++count > MAX_ROWS) throw tooMany();
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
    await nextTurn();
  }
  yield batch;
}

/** The text of a file; a NUL far behind its beginning makes it no text all the same. */
function* textPieces(decoded: Decoded): Generator<string> {
  for (const piece of decoded.pieces()) {
    if (piece.includes('\0')) throw invalid('Ce n’est pas un fichier de texte.');
    yield piece;
  }
}

function strayBytes(decoded: Decoded): string[] {
  const count = decoded.strayBytes();
  if (count === 0) return [];
  return count === 1
    ? ['1 octet qui n’est pas de l’UTF-8, lu en Windows-1252']
    : [`${count} octets qui ne sont pas de l’UTF-8, lus en Windows-1252`];
}

const tooMany = (): Refusal =>
  invalid(`Ce fichier a plus de ${MAX_ROWS.toLocaleString('fr')} lignes : coupez-le en plusieurs.`);
