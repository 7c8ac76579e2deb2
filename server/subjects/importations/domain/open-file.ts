import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Colonnes } from '#shared/importations';
import type { Refusal } from '#shared/refusals';
import { readArchive } from './archive.ts';
import { csvRecords, findSeparator, readHead } from './csv.ts';
import { decodeFile, repairDoubleEncoding, type Decoded } from './encoding.ts';
import { headerKey } from './formats/common-headers.ts';
import { LIBRARYTHING_HEADERS, libraryThingCells } from './formats/librarything-json.ts';
import { exemplesOf, findColonnes, mappedFormat, type Mapping } from './formats/mapping.ts';
import { libraryThing, recogniseTable, withCommonColumns } from './formats/programs.ts';
import { readTableRow } from './formats/read-table.ts';
import type { TableFormat } from './formats/table-format.ts';
import { invalid } from './invalid.ts';
import { isbnItems, isIsbnList } from './isbn-list.ts';
import { jsonValues } from './json.ts';
import { LostValues } from './lost-values.ts';
import { RECORD_HEADERS, recordCells, type FileRecord, type OpenedFile } from './opened-file.ts';
import type { RawRow } from './row.ts';

/** More rows than any household has books. */
const MAX_ROWS = 100_000;

/** More columns than any program of books has. */
const MAX_COLUMNS = 1000;

/** Records of a list or of JSON that are read before others get a turn. */
const BATCH = 1000;

/** Recognises a file by its content. Throws `FICHIER_INVALIDE` (docs/rules.md § 35). */
export async function openFile(bytes: Buffer, mapping: Mapping): Promise<OpenedFile> {
  const archive = await readArchive(bytes);
  if (archive !== null) return archive;
  const decoded = await decodeFile(bytes);
  const [head = ''] = decoded.pieces();
  if (head.trim() === '') throw invalid('Ce fichier est vide.');
  if (head.includes('\0')) throw invalid('Ce n’est pas un fichier de texte : exportez-le en CSV.');
  if (/^\s*(?:\{|\[\s*[{\]])/.test(head)) return openJson(decoded);
  const separator = findSeparator(head);
  const [headers = [], ...samples] = readHead(head, separator);
  if (headers.length > MAX_COLUMNS)
    throw invalid('Ce fichier a trop de colonnes pour une liste de livres.');
  const known = mapping.given === null ? recogniseTable(headers) : undefined;
  if (known !== undefined) return openTable(decoded, headers, separator, known, null);
  if (mapping.given === null && isIsbnList(head)) return openIsbnList(decoded);
  const exemples = exemplesOf(headers, samples);
  const colonnes = findColonnes(headers, exemples, mapping);
  const table = openTable(decoded, headers, separator, mappedFormat(colonnes), colonnes);
  return { ...table, exemples };
}

function openTable(
  decoded: Decoded,
  headers: readonly string[],
  separator: string,
  format: TableFormat,
  colonnes: Colonnes | null,
): OpenedFile {
  const indexes = indexHeaders(headers);
  const lost = new LostValues();
  let repaired = 0;
  const toRecord = (given: readonly string[], ligne: number): FileRecord => {
    const cells = given.map(repairDoubleEncoding);
    if (cells.some((cell, index) => cell !== given[index])) repaired++;
    const cell = (header: string) => {
      const index = indexes.get(header);
      if (index === 'twice') throw severalColumns(headers.find((h) => headerKey(h) === header));
      return index === undefined ? '' : (cells[index] ?? '').trim();
    };
    const single = (header: string) => (indexes.get(header) === 'twice' ? '' : cell(header));
    lost.take(single);
    return { ligne, raw: readTableRow(format, cell, single), cells: given };
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
      ...lost.told,
      ...strayBytes(decoded),
      ...(repaired > 0
        ? [`accents réparés dans ${repaired} ${repaired === 1 ? 'ligne' : 'lignes'}`]
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

const severalColumns = (header = '') =>
  invalid(`Plusieurs colonnes de ce fichier s’appellent « ${header.trim().slice(0, 100)} ».`);

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

const NO_LIVRE: RawRow = { titre: '', auteurs: [], refus: 'ce n’est pas la fiche d’un livre' };

async function openJson(decoded: Decoded): Promise<OpenedFile> {
  const first: unknown = (await jsonValues(textPieces(decoded)).next()).value;
  if (libraryThingCells(first) === null)
    throw invalid('Ce fichier JSON n’est d’aucun programme connu.');
  const format = withCommonColumns(libraryThing, LIBRARYTHING_HEADERS);
  const lost = new LostValues();
  let ligne = 0;
  return {
    format: 'librarything',
    encodage: decoded.encodage,
    colonnes: null,
    headers: RECORD_HEADERS,
    records: () =>
      inBatches(jsonValues(textPieces(decoded)), (value) => {
        const cell = libraryThingCells(value);
        if (cell !== null) lost.take(cell);
        const raw = cell === null ? NO_LIVRE : readTableRow(format, cell);
        return { ligne: ++ligne, raw, cells: recordCells(raw) };
      }),
    avertissements: () => [...lost.told, ...strayBytes(decoded)],
  };
}

async function* inBatches<T>(
  items: AsyncIterable<T>,
  toRecord: (item: T) => FileRecord,
): AsyncGenerator<FileRecord[]> {
  let batch: FileRecord[] = [];
  let count = 0;
  for await (const item of items) {
    batch.push(toRecord(item));
    if (++count > MAX_ROWS) throw tooMany();
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
    await nextTurn();
  }
  yield batch;
}

/**
 * The text of a file; a NUL far behind its beginning makes it no text all the same. Others get a turn after
 * each piece.
 */
async function* textPieces(decoded: Decoded): AsyncGenerator<string> {
  for (const piece of decoded.pieces()) {
    if (piece.includes('\0')) throw invalid('Ce n’est pas un fichier de texte.');
    yield piece;
    await nextTurn();
  }
}

function strayBytes(decoded: Decoded): string[] {
  const count = decoded.strayBytes();
  if (count === 0) return [];
  return count === 1
    ? ['1 lettre mal écrite dans le fichier, lue au mieux']
    : [`${count} lettres mal écrites dans le fichier, lues au mieux`];
}

const tooMany = (): Refusal =>
  invalid(`Ce fichier a plus de ${MAX_ROWS.toLocaleString('fr')} lignes : coupez-le en plusieurs.`);
