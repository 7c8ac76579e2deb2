import { createHash } from 'node:crypto';
import { MAX_LENGTHS } from '#shared/fields';
import {
  COLONNES,
  COLONNES_MULTIPLES,
  type Colonnes,
  type PremiereLigne,
} from '#shared/importations';
import { objectKeys, ownValue } from '#shared/object-keys';
import { champRefusal } from '#shared/refusals';
import { tellsChapter } from '#shared/series-titres';
import { firstCharacters, isLongerThan, normaliser, partsOf, shortened } from '#shared/text';
import { parseForeign } from '#server/plumbing/common/json';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';
import {
  addDates,
  idleFields,
  isIdleField,
  isOwnState,
  NO_STATE,
  recordOf,
  type FieldTexts,
} from './fields.ts';
import { headerKey, type Field, type TableFormat } from './formats/table-format.ts';
import {
  LECTURES,
  commonColonnes,
  COPIES,
  guessColonnes,
  SHELF,
  withoutFillers,
  YES_READ,
} from './header-words.ts';
import {
  NO_LECTURES,
  type ColumnText,
  type ColumnWords,
  type ImportRecord,
  type RawLectures,
} from './record.ts';
import { MAX_WORDS } from './rows.ts';
import {
  bare,
  DateOrder,
  decodeEntities,
  isEbook,
  isNothing,
  isPlainBook,
  readAnnee,
  readCount,
  readIsbns,
  readEtatLecture,
} from './values.ts';

// The columns of a table: the field of each, and its cells' values (docs/rules.md § 35).

export interface RememberedMapping {
  readonly colonnes: Colonnes;
  readonly premiereLigne: PremiereLigne | null;
}

export interface Mapping {
  /** The answer of the person who imports. */
  readonly given: Colonnes | null;
  /** The last answer for a table with this header. */
  readonly remembered: (signature: string) => RememberedMapping | null;
  /** Without an answer the remembered one counts, else the cells decide. */
  readonly premiereLigne?: PremiereLigne | undefined;
}

export function readColonnes(text: string | undefined): Colonnes | null {
  if (text === undefined) return null;
  const value = parseForeign(text);
  if (value === undefined) throw champRefusal('colonnes', 'PAS_JSON');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw champRefusal('colonnes', 'EST_OBJET');
  const entries = Object.entries(value).filter(([, header]) => header !== null && header !== '');
  for (const [name, header] of entries)
    if (!COLONNES.some((colonne) => colonne === name) || !isHeaderOf(name, header))
      throw champRefusal('colonnes', 'COLONNES', { nom: shortened(name, 40) });
  return Object.fromEntries(entries);
}

const isHeaderOf = (name: string, header: unknown): boolean =>
  typeof header === 'string' ||
  (COLONNES_MULTIPLES.some((colonne) => colonne === name) &&
    Array.isArray(header) &&
    header.length > 0 &&
    header.every((one) => typeof one === 'string'));

/** Headers as one text of fixed length, the key of their remembered mapping. */
export const signatureOf = (headers: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(headers.map(headerKey)))
    .digest('base64');

const MAX_COLONNES = 200;

/** Three values of each named column, as examples. */
export const exemplesOf = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): string[][] =>
  headers
    .flatMap((header, index) => {
      const values = new Set(rows.map((row) => shortened((row[index] ?? '').trim(), 60)));
      values.delete('');
      return header === '' ? [] : [[...values].slice(0, 3)];
    })
    .slice(0, MAX_COLONNES);

const namedHeaders = (headers: readonly string[]): string[] =>
  headers.filter((header) => header !== '').slice(0, MAX_COLONNES);

/**
 * Guesses by headers. A « Shelf » is a location instead of the programs' meaning if there is also a column of reading
 * states and it has none itself.
 */
function guessByValues(
  headers: readonly string[],
  exemples: readonly (readonly string[])[],
): Colonnes {
  const guessed = withTitreAndAuteur(guessColonnes(headers), headers);
  const shelf = headers.find((header) => normaliser(header) === SHELF);
  if (shelf === undefined || guessed.emplacement !== undefined) return guessed;
  const values = exemples[namedHeaders(headers).indexOf(shelf)] ?? [];
  const isPlace = (value: string) =>
    readEtatLecture(value) === null && !NO_STATE.has(normaliser(value));
  if (guessed.statut === shelf && !(values.length > 0 && values.every(isPlace))) return guessed;
  const others = Object.entries(guessed).filter(([, header]) => header !== shelf);
  return { ...Object.fromEntries(others), emplacement: shelf };
}

/** Adds the column with titles and authors together if none has titles alone. */
function withTitreAndAuteur(guessed: Colonnes, headers: readonly string[]): Colonnes {
  const both = headers.find((header) => togetherOf(header) !== null);
  return both === undefined || guessed.titre !== undefined
    ? guessed
    : { ...guessed, titre: both, auteurs: both };
}

/** The mapping of an unknown table. Throws `FICHIER_INVALIDE` with its headers if there is none. */
export function findColonnes(
  headers: readonly string[],
  exemples: string[][],
  { given, remembered }: Mapping,
): Colonnes {
  const colonnes =
    given ?? remembered(signatureOf(headers))?.colonnes ?? guessByValues(headers, exemples);
  const entetes = namedHeaders(headers);
  const refuse = (why: Raison) => invalid(why, { entetes, exemples });
  const keys = headers.map(headerKey);
  for (const header of Object.values(colonnes).flat())
    if (!keys.includes(headerKey(header)))
      throw refuse(raison('colonneAbsente', { colonne: shortened(header, 100) }));
  const isVolume = given !== null && colonnes.serie !== undefined && colonnes.numero !== undefined;
  if (colonnes.titre === undefined && colonnes.isbn === undefined && !isVolume)
    throw refuse(raison('tableInconnue'));
  return colonnes;
}

const toColumns = (colonnes: Colonnes): TableFormat['columns'] =>
  Object.fromEntries(
    Object.entries(colonnes).map(([colonne, headers]) => [
      colonne,
      [headers].flat().map(headerKey),
    ]),
  );

export const mappedFormat = (colonnes: Colonnes): TableFormat => ({
  name: 'table',
  programme: null,
  known: [],
  columns: toColumns(colonnes),
  readsNoms: true,
});

/** A format with the columns of common names; a custom column (`#pages`) is none. */
export const withCommonColumns = (format: TableFormat, headers: readonly string[]): TableFormat => {
  const common = commonColonnes(headers.filter((header) => !header.startsWith('#')));
  return { ...format, columns: { ...toColumns(common), ...format.columns } };
};

interface Column {
  readonly index: number;
  readonly separator: string | RegExp | undefined;
}

export class TableReader {
  readonly headers: readonly string[];
  readonly dates = new DateOrder();
  readonly #format: TableFormat;
  readonly #indexes: ReadonlyMap<string, readonly number[]>;
  readonly #columns: ReadonlyMap<Field, readonly Column[]>;
  readonly #lectures: readonly (readonly [keyof RawLectures, readonly number[]])[];
  readonly #copies: readonly number[];
  readonly #themes: readonly number[];
  /** Whether a status is one word, so that an unknown one is reported. */
  readonly #tellsStatut: boolean;
  readonly #lost: Map<number, number>;
  /** The columns that tell whether a book is printed, and may have further data. */
  readonly #bindings: ReadonlySet<number>;
  /** Columns that belong to the series if there is one, else household's own numbers. */
  readonly #numeros: ReadonlySet<number>;
  /** For columns whose cells may have no value for their fields: each of these fields, with all of its columns. */
  readonly #uses: ReadonlyMap<number, readonly ColumnUse[]>;
  /** The maximal length of each column's cells, in characters. */
  readonly #limits: readonly number[];
  /** The column with both title and author. */
  readonly #together: (TitreAndAuteur & { readonly index: number }) | null;
  #cells: readonly string[] = [];

  constructor(format: TableFormat, headers: readonly string[]) {
    this.#format = format;
    this.headers = headers;
    const { columns, lists = {}, silent = [], transformRow } = format;
    this.#indexes = Map.groupBy(headers.keys(), (index) => headerKey(headers[index] ?? ''));
    const at = (names: readonly string[]) => names.flatMap((name) => this.#indexes.get(name) ?? []);
    const words = headers.map((header) => normaliser(header));
    const byWords = (names: readonly string[]) =>
      [words, words.map(withoutFillers)].flatMap((each) =>
        names.flatMap((name) => [...each.keys()].filter((index) => each[index] === name)),
      );
    this.#columns = new Map(
      objectKeys(columns).map((field) => [
        field,
        [columns[field] ?? []]
          .flat()
          .flatMap((header) =>
            at([header]).map((index) => ({ index, separator: ownValue(lists, header) })),
          ),
      ]),
    );
    const [titre, auteurs] = [this.#columns.get('titre')?.[0], this.#columns.get('auteurs')?.[0]];
    this.#together =
      titre !== undefined && titre.index === auteurs?.index
        ? { ...(togetherOf(headers[titre.index] ?? '') ?? BOOK_AUTHOR), index: titre.index }
        : null;
    const { lectures } = format;
    this.#lectures = objectKeys(LECTURES).map((field) => [
      field,
      lectures === undefined ? byWords(LECTURES[field]) : at([lectures[field] ?? []].flat()),
    ]);
    this.#copies = byWords(COPIES);
    const statuts = [columns.statut ?? []].flat();
    this.#tellsStatut = statuts.every((header) => ownValue(lists, header) === undefined);
    const silentCells = new Set(at(silent));
    // Lists of wishes and of reading states also contain custom shelves.
    const shelves = [columns.themes ?? [], columns.souhait ?? [], this.#tellsStatut ? [] : statuts];
    this.#themes = [...new Set(at(shelves.flat()))].filter((index) => !silentCells.has(index));
    const { format: bindings = [], numero: numeros = [], ...others } = columns;
    const read = [...Object.values(others).flat(), ...YES_READ];
    // In our own table a binding is one of two words, and numbers belong to a series.
    if (format.isExact === true) read.push(...[bindings, numeros].flat());
    transformRow?.({ titre: '', auteurs: [] }, (header) => {
      read.push(header);
      return '';
    });
    const used = new Set([
      ...at(read),
      ...this.#copies,
      ...this.#lectures.flatMap(([, indexes]) => indexes),
    ]);
    const isName = new Set([
      ...[...this.#columns.values()].flat().map(({ index }) => index),
      ...this.#lectures.flatMap(([field, indexes]) => (TEXTS.has(field) ? [] : indexes)),
    ]);
    this.#limits = Array.from(headers, (_, index) =>
      isName.has(index) && !this.#themes.includes(index)
        ? MAX_CELL_LENGTHS.name
        : MAX_CELL_LENGTHS.text,
    );
    this.#uses = format.isExact ? new Map() : this.#usesOf(objectKeys(columns));
    const lost = [...headers.keys()].filter(
      (index) =>
        headers[index] !== '' &&
        !silentCells.has(index) &&
        (!used.has(index) || this.#uses.has(index)),
    );
    this.#lost = new Map(lost.map((index) => [index, 0]));
    this.#bindings = new Set(at([bindings].flat()));
    this.#numeros = new Set(at([numeros].flat()));
  }

  get perdus(): { colonne: string; lignes: number }[] {
    return [...this.#lost]
      .filter(([, lignes]) => lignes > 0)
      .map(([index, lignes]) => ({ colonne: this.headers[index] ?? '', lignes }));
  }

  read(whole: readonly string[]): ImportRecord {
    this.#cells = whole.map((cell, index) => firstCharacters(cell, this.#limits[index] ?? 0));
    const texts: FieldTexts = {
      values: (field) => this.#values(field),
      lectures: this.#rawLectures(),
      themes: this.#words(),
      saysRead: YES_READ.flatMap((header) => this.#indexes.get(header) ?? [])
        .map((index) => this.#text(index))
        .filter((text) => text !== ''),
      copies: this.#copies.map((index) => this.#text(index)),
      details: (series) => this.#details(series, idleFields(texts, series)),
    };
    const record = recordOf(texts, { ...this.#format, tellsStatut: this.#tellsStatut });
    addDates(this.dates, texts, record.details);
    const cut = whole.flatMap((cell, index) => this.#cutSaying(cell, index));
    const { transformRow } = this.#format;
    const read =
      transformRow === undefined ? record : transformRow(record, (header) => this.#cell(header));
    const notes = new Set([...cut, ...(record.notes ?? []), ...(read.notes ?? [])]);
    return { ...read, notes: [...notes] };
  }

  /**
   * Repairs a row with too many cells if its authors explain the excess: « Verne, Jules » without quotes. `null`
   * otherwise.
   */
  mended(cells: readonly string[]): string[] | null {
    const excess = cells.length - this.headers.length;
    const [auteurs, ...others] = this.#columns.get('auteurs') ?? [];
    if (auteurs === undefined || others.length > 0 || excess > MAX_EXCESS) return null;
    const { index } = auteurs;
    const together = cells.slice(index, index + excess + 1).map((cell) => cell.trim());
    const mended = cells.toSpliced(index, excess + 1, together.join(', '));
    if (this.#together !== null) return mended;
    return this.#fits(mended) && !this.#fits(cells) ? mended : null;
  }

  /**
   * Whether cells are data and no header: an ISBN, a year or a page count stands in its column, and nothing else
   * there.
   */
  isRecord(cells: readonly string[]): boolean {
    const hasValue = FITTING.some(([field]) =>
      (this.#columns.get(field) ?? []).some(({ index }) => /\d/.test(cells[index] ?? '')),
    );
    return hasValue && this.#fits(cells);
  }

  #fits(cells: readonly string[]): boolean {
    return FITTING.every(([field, is]) =>
      (this.#columns.get(field) ?? []).every(({ index }) => {
        const cell = cells[index] ?? '';
        return isNothing(cell) || is(cell);
      }),
    );
  }

  #cutSaying(cell: string, index: number): Raison[] {
    const limit = this.#limits[index];
    if (limit === undefined || !isLongerThan(cell, limit)) return [];
    const colonne = shortened(this.headers[index] ?? '', MAX_HEADER_LENGTH);
    return [raison('texteCoupe', { colonne, count: limit })];
  }

  /**
   * @param series the number of the row's series, each of which takes a number
   * @param idle fields that take no text of this row
   */
  #details(series: number, idle: ReadonlySet<UseField>): ColumnText[] {
    let numeros = 0;
    return [...this.#lost].flatMap(([index, lignes]) => {
      const text = this.#lostText(index, idle);
      if (text === '') return [];
      if (this.#numeros.has(index) && numeros++ < series && !tellsChapter(text)) return [];
      this.#lost.set(index, lignes + 1);
      const valeur = text.replaceAll(this.#format.lineBreak ?? '\n', '\n');
      return [{ colonne: this.headers[index] ?? '', valeur }];
    });
  }

  /** The text of a cell that no field takes. */
  #lostText(index: number, idle: ReadonlySet<UseField>): string {
    const cell = this.#cells[index] ?? '';
    if (this.#format.isExact === true) return cell;
    const isTaken = this.#bindings.has(index) && (isEbook(cell) || isPlainBook(cell));
    return isTaken || isNothing(cell) || this.#isUsed(index, idle) ? '' : cell;
  }

  /** Whether a field takes a cell: the first of its columns with a value, and others with the same value. */
  #isUsed(index: number, idle: ReadonlySet<UseField>): boolean {
    const text = this.#text(index);
    if (this.#copies.includes(index)) return readCount(text) !== null;
    return (this.#uses.get(index) ?? []).some(({ field, indexes }) => {
      const first = indexes.find((each) => bare(this.#text(each)) !== '');
      return !idle.has(field) && first !== undefined && this.#text(first) === text;
    });
  }

  #usesOf(fields: readonly Field[]): Map<number, ColumnUse[]> {
    const single = fields.filter((field) => !SEVERAL.has(field));
    const uses: ColumnUse[] = [
      ...single.map((field) => ({
        field,
        indexes: (this.#columns.get(field) ?? []).map(({ index }) => index),
      })),
      ...this.#lectures.map(([field, indexes]) => ({ field, indexes })),
    ];
    const byIndex = new Map(this.#copies.map((index): [number, ColumnUse[]] => [index, []]));
    for (const use of uses)
      for (const index of new Set(use.indexes))
        byIndex.set(index, [...(byIndex.get(index) ?? []), use]);
    // A column that is the only one of a free-text field is never lost.
    for (const [index, of] of byIndex)
      if (of.some(({ field, indexes }) => indexes.length === 1 && !isIdleField(field)))
        byIndex.delete(index);
    return byIndex;
  }

  #text(index: number): string {
    const cell = this.#cells[index] ?? '';
    return (this.#format.isExact ? cell : decodeEntities(cell)).trim();
  }

  #cell(header: string): string {
    const texts = (this.#indexes.get(header) ?? []).map((index) => this.#text(index));
    return texts.find((text) => text !== '') ?? '';
  }

  #values(field: Field): string[] {
    return (this.#columns.get(field) ?? []).flatMap(({ index, separator }) => {
      const text = this.#text(index);
      if (
        text !== '' &&
        index === this.#together?.index &&
        (field === 'titre' || field === 'auteurs')
      )
        return splitTogether(text, this.#together)[field] || [];
      if (separator === undefined || text === '') return text || [];
      return this.#format.isExact ? partsOf(text, separator) : listOf(text, separator);
    });
  }

  #rawLectures(): RawLectures | null {
    const raw = { ...NO_LECTURES };
    for (const [field, indexes] of this.#lectures) {
      // Unchanged: a review is decoded after its HTML is removed.
      const texts = indexes.map((index) =>
        (this.#cells[index] ?? '').trim().replaceAll(this.#format.lineBreak ?? '\n', '\n'),
      );
      raw[field] = texts.find((text) => bare(text) !== '') ?? '';
    }
    // `null` for most rows, since parsing it takes as long as the rest of a row.
    return Object.values(raw).some((value) => value !== '') ? raw : null;
  }

  #words(): ColumnWords[] {
    return this.#themes.flatMap((index) => {
      const header = this.headers[index] ?? '';
      const text = this.#text(index);
      const separator = ownValue(this.#format.lists ?? {}, headerKey(header));
      const noms =
        this.#format.isExact && separator !== undefined
          ? partsOf(text, separator)
          : wordsOf(text, separator).filter(
              (word) => isOwnState(word) && !NO_STATE.has(normaliser(word)),
            );
      return noms.length === 0 ? [] : [{ colonne: shortened(header, MAX_HEADER_LENGTH), noms }];
    });
  }
}

const MAX_HEADER_LENGTH = 100;

type UseField = Field | keyof RawLectures;

interface ColumnUse {
  readonly field: UseField;
  readonly indexes: readonly number[];
}

/** Fields that take all of their columns, or whose further columns are reported elsewhere. */
const SEVERAL: ReadonlySet<Field> = new Set<Field>([
  'auteurs',
  'isbn',
  'themes',
  'serie',
  'numero',
  'format',
  'statut',
  'souhait',
  'lu',
  'enCours',
]);

const TEXTS: ReadonlySet<keyof RawLectures> = new Set(['avis', 'notes'] as const);

/** Limits for parsing a cell, so that no length is slow: for names, titles, codes and dates, and for any other text. */
export const MAX_CELL_LENGTHS = { name: 2000, text: MAX_LENGTHS.freeText };

/** A larger excess cannot be unquoted names. */
const MAX_EXCESS = 3;

const QUOTED = /"([^"]*)"/g;

/** The words of a cell, up to one more than the limit. */
const wordsOf = (text: string, given: string | RegExp | undefined): string[] =>
  quotedParts(text, given, MAX_WORDS + 1);

const listOf = (text: string, separator: string | RegExp): string[] =>
  text.includes('"')
    ? quotedParts(text, separator).filter((part) => part !== '')
    : partsOf(text, separator);

/** The parts of a text; quoted parts may contain the separator. */
function quotedParts(text: string, given: string | RegExp | undefined, limit?: number): string[] {
  const quoted: string[] = [];
  const bareText = text.replace(QUOTED, (_, word: string) => `\0${quoted.push(word) - 1}\0`);
  return bareText.split(given ?? separatorOf(bareText), limit).map((part) => {
    const [, whole] = /^\0(\d+)\0$/.exec(part.trim()) ?? [];
    if (whole !== undefined) return (quoted[Number(whole)] ?? '').trim();
    return part.replace(/\0(\d+)\0/g, (_, at: string) => `"${quoted[Number(at)] ?? ''}"`).trim();
  });
}

/** The separator of the words of a cell: commas, unless it has a sign that no word contains. */
const separatorOf = (text: string): RegExp => (/[;|\n]/.test(text) ? /(?<![;|\n])[;|\n]+/ : /,/);

const FITTING: readonly (readonly [Field, (text: string) => boolean])[] = [
  ['isbn', (text) => readIsbns([text]).isbn !== null],
  ['annee', (text) => readAnnee(text) !== null],
  ['nombrePages', (text) => readCount(text) !== null],
];

// Titles and authors in one cell, by a header that says so: « Book, Author »

export interface TitreAndAuteur {
  /** Stands between the title and the author. */
  readonly sign: string;
  readonly isTitreFirst: boolean;
}

/** For a column that a person assigned to both fields. */
export const BOOK_AUTHOR: TitreAndAuteur = { sign: ',', isTitreFirst: true };

// cspell:disable -- words of headers
const TITRE = '(?:titles?|titres?|books?|livres?|ouvrages?)';
const AUTEUR = '(?:authors?|auteure?s?|autrices?|writers?)(?:\\(e?s\\))?';
const SIGN = '(?: ?([,/&+|:;]) ?| ([-–—]) | (by|and|par|et|de) )';
// cspell:enable
const TITRE_FIRST = new RegExp(`^${TITRE}${SIGN}${AUTEUR}$`, 'iu');
const AUTEUR_FIRST = new RegExp(`^${AUTEUR}${SIGN}${TITRE}$`, 'iu');

/** How the cells under a header combine both; `null` for a header of one field. */
export function togetherOf(header: string): TitreAndAuteur | null {
  const line = header.trim().replace(/\s+/g, ' ');
  const titreFirst = TITRE_FIRST.exec(line);
  const [, sign, dash, word] = titreFirst ?? AUTEUR_FIRST.exec(line) ?? [];
  const isTitreFirst = titreFirst !== null;
  if (sign !== undefined) return { sign: '&+'.includes(sign) ? ',' : sign, isTitreFirst };
  if (dash !== undefined) return { sign: ` ${dash} `, isTitreFirst };
  if (word === undefined) return null;
  return { sign: /^(?:and|et)$/i.test(word) ? ',' : ` ${word} `, isTitreFirst };
}

/** Splits a cell into title and author; a cell without the sign is a title. */
export function splitTogether(
  text: string,
  { sign, isTitreFirst }: TitreAndAuteur,
): { readonly titre: string; readonly auteurs: string } {
  const signs = [sign, ' – ', ' — ', ' - '];
  const found = signs.find((each) => text.includes(each));
  if (found === undefined) return { titre: text, auteurs: '' };
  const at = isTitreFirst ? text.lastIndexOf(found) : text.indexOf(found);
  const parts = [text.slice(0, at), text.slice(at + found.length)].map((part) => part.trim());
  const [titre = '', auteurs = ''] = isTitreFirst ? parts : parts.toReversed();
  return { titre: titre.replace(/^["“«]\s?(.*\S)\s?["”»]$/u, '$1'), auteurs };
}
