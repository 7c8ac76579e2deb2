import { createHash } from 'node:crypto';
import { COLONNES, type Colonne, type Colonnes } from '#shared/importations';
import {
  commonSecondWords,
  givenNamesOf,
  invertNom,
  isDoubtful,
  wordsOf,
} from '#shared/nom-inverse';
import { champRefusal, Refusal } from '#shared/refusals';
import { normaliser, partsOf } from '#shared/text';
import {
  headerKey,
  isOtherRole,
  libraryThing,
  seriesByTome,
  type Field,
  type TableFormat,
} from './programs.ts';
import type { RawLectures, RawRow } from './rows.ts';
import {
  bare,
  decodeEntities,
  isNothing,
  isYes,
  readingOrder,
  readLecture,
  type Lecture,
} from './values.ts';

// cspell:disable -- words that other programs write
/** Headers that say which field their column is, normalised. */
const SYNONYMS: Readonly<Record<Colonne, readonly string[]>> = {
  titre: ['titre', 'title', 'nom du livre', 'book title', 'titel', 'titolo', 'titulo'],
  auteurs: ['auteurs', 'auteur', 'author', 'authors', 'auteur s', 'author s', 'creator'],
  isbn: ['isbn', 'isbn13', 'isbn 13', 'ean', 'ean13', 'isbn10', 'isbn 10', 'code'],
  editeur: ['editeur', 'publisher', 'edition', 'maison d edition'],
  annee: ['annee', 'year', 'date de publication', 'publication date', 'date', 'year published'],
  nombrePages: ['nombrepages', 'nombre de pages', 'pages', 'page count', 'number of pages'],
  format: ['format', 'binding', 'support', 'type'],
  statut: ['statut', 'status', 'read status', 'lecture', 'etat de lecture'],
  serie: ['serie', 'series', 'cycle'],
  numero: ['numero', 'tome', 'volume', 'vol', 'n', 'number', 'series index'],
  emplacement: [
    ...['emplacement', 'physical location', 'location', 'shelf location', 'rangement'],
    ...['localisation', 'lieu'],
  ],
  emprunteur: ['emprunteur', 'prete a', 'loaned to', 'lent to', 'borrower'],
  datePret: ['datepret', 'date de pret', 'prete le', 'date loaned', 'lent on'],
};

/** The columns of what was read, whatever the program; the first that is not empty counts. */
const LECTURES = {
  dates: [
    ...['lectures', 'dates read', 'date read', 'last date read', 'finish_date', 'completed'],
    ...['read_end', 'date finished', 'lu le'],
  ],
  debut: ['date started', 'start_date', 'began', 'read_start', 'commencé le'],
  abandon: ['stopped_date'],
  note: ['my rating', 'star rating', 'rating', 'étoiles', 'note'],
  count: ['read count'],
  avis: ['my review', 'review', 'review_content', 'critique', 'mon mot'],
  notes: ['private notes', 'private comment', 'notes'],
} as const satisfies Record<keyof RawLectures, readonly string[]>;

/** The shelf on which programs put every book that is owned. */
const OWNED = new Set(['your library', 'owned', 'ma bibliotheque', 'votre bibliotheque']);
// cspell:enable

/** Which columns are which of our fields, by the common names of headers. */
export function guessColonnes(headers: readonly string[]): Colonnes {
  const byName = new Map(headers.map((header) => [normaliser(header), header]));
  const found = COLONNES.flatMap((colonne) => {
    const name = SYNONYMS[colonne].find((synonym) => byName.has(synonym));
    const header = name === undefined ? undefined : byName.get(name);
    return header === undefined ? [] : [[colonne, header] as const];
  });
  return Object.fromEntries(found);
}

/** How the mapping of an unknown table is found. */
export interface Mapping {
  /** As its person says. */
  readonly given: Colonnes | null;
  /** As it was said for a table with this header before. */
  readonly remembered: (signature: string) => Colonnes | null;
  /** The given names of authors that the household knows, normalised. */
  readonly givenNames?: () => ReadonlySet<string>;
}

/** The mapping of a query, JSON of our fields to headers; `null` without one. */
export function readColonnes(text: string | undefined): Colonnes | null {
  if (text === undefined) return null;
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw champRefusal('colonnes', 'est un objet JSON');
  const entries = Object.entries(value).filter(([, header]) => header !== null && header !== '');
  for (const [name, header] of entries)
    if (!COLONNES.some((colonne) => colonne === name) || typeof header !== 'string')
      throw champRefusal('colonnes', `${name.slice(0, 40)} n’est pas un champ suivi d’un en-tête`);
  return Object.fromEntries(entries);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw champRefusal('colonnes', 'n’est pas du JSON lisible');
  }
}

/** A header as one text of fixed length, by which its mapping is remembered. */
export const signatureOf = (headers: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(headers.map(headerKey)))
    .digest('base64');

/** How many columns a person is asked about. */
const MAX_COLONNES = 200;

/** Three values of each named column, to tell what stands in it. */
export const exemplesOf = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): string[][] =>
  headers
    .flatMap((header, index) => {
      const values = new Set(rows.map((row) => (row[index] ?? '').trim().slice(0, 60)));
      values.delete('');
      return header === '' ? [] : [[...values].slice(0, 3)];
    })
    .slice(0, MAX_COLONNES);

/** The mapping of an unknown table. Throws `FICHIER_INVALIDE` with its headers where there is none. */
export function findColonnes(
  headers: readonly string[],
  exemples: string[][],
  { given, remembered }: Mapping,
): Colonnes {
  const colonnes = given ?? remembered(signatureOf(headers)) ?? guessColonnes(headers);
  const entetes = headers.filter((header) => header !== '').slice(0, MAX_COLONNES);
  const refuse = (raison: string) => new Refusal('FICHIER_INVALIDE', { raison, entetes, exemples });
  const keys = headers.map(headerKey);
  for (const header of Object.values(colonnes))
    if (!keys.includes(headerKey(header)))
      throw refuse(`Il n’y a pas de colonne « ${header.slice(0, 100)} » dans ce fichier.`);
  if (colonnes.titre === undefined && colonnes.isbn === undefined)
    throw refuse(
      'Ce fichier n’est pas reconnu : dites quelle colonne est le titre, ou donnez un fichier dont la première ligne nomme les colonnes.',
    );
  return colonnes;
}

/** A mapping with its headers as formats name them. */
const toColumns = (colonnes: Colonnes): TableFormat['columns'] =>
  Object.fromEntries(
    Object.entries(colonnes).map(([colonne, header]) => [colonne, headerKey(header)]),
  );

/** Any table, by its mapping; several authors stand apart by semicolons, or by commas. */
export const mappedFormat = (colonnes: Colonnes): TableFormat => ({
  name: 'table',
  known: [],
  columns: toColumns(colonnes),
  quirk: (row) => ({ ...row, auteurs: row.auteurs.flatMap(splitAuteurs) }),
});

/** A format with the columns that common names tell; a column of one's own (`#pages`) is none. */
export const withCommonColumns = (format: TableFormat, headers: readonly string[]): TableFormat => {
  const common = guessColonnes(headers.filter((header) => !header.startsWith('#')));
  return { ...format, columns: { ...toColumns(common), ...format.columns } };
};

/** « Verne, Jules » is one name: a comma parts names only where each has several words. */
function splitAuteurs(text: string): string[] {
  if (/[;|]/.test(text)) return partsOf(text, /[;|]/);
  const parts = partsOf(text, /,|\s&\s/);
  return parts.length > 1 && parts.every((part) => part.includes(' '))
    ? parts
    : [readingOrder(text)];
}

/** Reads the rows of a table, and counts what goes nowhere. */
export class TableReader {
  readonly #format: TableFormat;
  readonly #headers: readonly string[];
  readonly #indexes: ReadonlyMap<string, readonly number[]>;
  readonly #lectures: Readonly<Record<keyof RawLectures, readonly number[]>>;
  /** How many rows hold something under each column that goes nowhere, and what tells that of a cell. */
  readonly #lost: {
    readonly index: number;
    readonly isLost: (text: string) => boolean;
    lignes: number;
  }[];
  readonly #dates: string[] = [];
  #cells: readonly string[] = [];

  constructor(format: TableFormat, headers: readonly string[]) {
    this.#format = format;
    this.#headers = headers;
    this.#indexes = Map.groupBy(headers.keys(), (index) => headerKey(headers[index] ?? ''));
    const at = (names: readonly string[]) => names.flatMap((name) => this.#indexes.get(name) ?? []);
    this.#lectures = {
      dates: at(LECTURES.dates),
      debut: at(LECTURES.debut),
      abandon: at(LECTURES.abandon),
      note: at(LECTURES.note),
      count: at(LECTURES.count),
      avis: at(LECTURES.avis),
      notes: at(LECTURES.notes),
    };
    const { columns, quirkReads = [], silent = [] } = format;
    const { souhait: wishes = [], ...rest } = columns;
    const used = new Set([
      ...at([...Object.values(rest).flat(), ...quirkReads, ...silent]),
      ...Object.values(this.#lectures).flat(),
    ]);
    const shelves = new Set(
      at([wishes, format.lists?.[String(rest.statut)] ? (rest.statut ?? []) : []].flat()),
    );
    this.#lost = [...headers.keys()]
      .filter((index) => headers[index] !== '' && (!used.has(index) || shelves.has(index)))
      .map((index) => ({
        index,
        isLost: shelves.has(index)
          ? (text) => this.#isOwnShelf(index, text)
          : (text) => !isNothing(text),
        lignes: 0,
      }));
  }

  /** The columns that hold something and go nowhere, with the number of rows that do. */
  get perdus(): { colonne: string; lignes: number }[] {
    return this.#lost
      .filter(({ lignes }) => lignes > 0)
      .map(({ index, lignes }) => ({ colonne: this.#headers[index] ?? '', lignes }));
  }

  /** What stands in its columns of dates. */
  get dates(): readonly string[] {
    return this.#dates;
  }

  read(cells: readonly string[]): RawRow {
    this.#cells = cells;
    for (const column of this.#lost)
      if (column.isLost(cells[column.index]?.trim() ?? '')) column.lignes++;
    const { nom, titre = seriesByTome, quirk } = this.#format;
    const told = titre(this.#first('titre'));
    const numeros = this.#values('numero').map((numero) => bare(numero).replace(/[.,]0+$/, ''));
    const series = this.#values('serie').map((serie, index) => ({
      titre: serie,
      numero: numeros[index] || null,
    }));
    const emprunteur = this.#first('emprunteur');
    const datePret = this.#first('datePret');
    const lectures = this.#rawLectures();
    const dates = [datePret, lectures?.dates, lectures?.debut, lectures?.abandon];
    this.#dates.push(...dates.flatMap((text) => text || []));
    const auteurs = this.#values('auteurs');
    const row: RawRow = {
      titre: told.titre,
      auteurs: nom === undefined ? auteurs : auteurs.map(nom),
      isbns: this.#values('isbn').sort(longestFirst),
      editeur: this.#first('editeur'),
      annee: this.#first('annee'),
      nombrePages: this.#first('nombrePages'),
      isNumerique: isEbook(this.#first('format')),
      lecture: this.#lecture(),
      lectures,
      series: series.length > 0 ? series : told.series,
      emplacement: this.#first('emplacement'),
      pret: emprunteur === '' ? null : { emprunteur, date: datePret },
    };
    return quirk === undefined ? row : quirk(row, (header) => this.#cell(header));
  }

  #text(index: number): string {
    return decodeEntities(this.#cells[index] ?? '').trim();
  }

  /** The first cell under a header that holds something. */
  #cell(header: string): string {
    for (const index of this.#indexes.get(header) ?? []) {
      const text = this.#text(index);
      if (text !== '') return text;
    }
    return '';
  }

  #values(field: Field): string[] {
    const { columns, lists = {} } = this.#format;
    const headers = columns[field];
    if (headers === undefined) return [];
    return (typeof headers === 'string' ? [headers] : headers).flatMap((header) =>
      (this.#indexes.get(header) ?? []).flatMap((index) => {
        const text = this.#text(index);
        const separator = lists[header];
        return separator === undefined || text === '' ? text || [] : partsOf(text, separator);
      }),
    );
  }

  #first(field: Field): string {
    return this.#values(field)[0] ?? '';
  }

  /** A wish list counts before a state of reading, and a state before dates. */
  #lecture(): Lecture | null {
    const isWish = (text: string) => isYes(text) || readLecture(text) === 'souhait';
    if (this.#values('souhait').some(isWish)) return 'souhait';
    const lecture = readLecture(...this.#values('statut'));
    if (lecture !== null) return lecture;
    if (this.#values('lu').length > 0) return 'lu';
    return this.#values('enCours').length > 0 ? 'enCours' : null;
  }

  #rawLectures(): RawLectures | null {
    const first = (field: keyof RawLectures) => {
      // As they stand: a review is decoded once its marks of HTML are off.
      const texts = this.#lectures[field].map((index) => (this.#cells[index] ?? '').trim());
      return texts.find((text) => bare(text) !== '') ?? '';
    };
    const raw = {
      dates: first('dates'),
      debut: first('debut'),
      abandon: first('abandon'),
      note: first('note'),
      count: first('count'),
      avis: first('avis'),
      notes: first('notes'),
    };
    return Object.values(raw).some((value) => value !== '') ? raw : null;
  }

  /** Whether a cell names a shelf of one's own: neither a state of reading, nor where every book stands. */
  #isOwnShelf(index: number, text: string): boolean {
    const separator = this.#format.lists?.[headerKey(this.#headers[index] ?? '')] ?? '\n';
    return partsOf(text, separator).some(
      (shelf) =>
        !isNothing(shelf) &&
        !isYes(shelf) &&
        readLecture(shelf) === null &&
        !OWNED.has(normaliser(shelf)),
    );
  }
}

/**
 * Puts « Camus Albert » into reading order. Where nothing in the name says where the family name ends, a given name
 * that another author of the file or of the household has says it; else it stays as it is.
 */
export function turnerOf(
  noms: readonly string[],
  givenNames: ReadonlySet<string>,
): (nom: string) => string {
  const known = new Set([
    ...givenNames,
    ...givenNamesOf(noms.filter((nom) => !isDoubtful(nom)).map((nom) => invertNom(nom))),
    ...commonSecondWords(noms.filter(isDoubtful)),
  ]);
  return (nom) =>
    !isDoubtful(nom) || wordsOf(nom).some((word, index) => index > 0 && known.has(normaliser(word)))
      ? invertNom(nom, known)
      : nom;
}

/** Of an ISBN-10 and an ISBN-13 that contradict each other the newer one counts. */
const longestFirst = (a: string, b: string): number =>
  b.replace(/\D/g, '').length - a.replace(/\D/g, '').length;

/** Whether a binding or format is that of an ebook. */
const isEbook = (binding: string): boolean =>
  // cspell:disable-next-line -- words that other programs write
  /kindle|e-?book|\bnook\b|epub|\bpdf\b|num[ée]rique|^digital$/i.test(binding);

/** The columns of a record of LibraryThing's JSON as its table has them. */
const JSON_HEADERS = [
  ...['title', 'primary author', 'secondary author', 'isbns', 'publication', 'date', 'page count'],
  ...['collections', 'rating', 'review', 'date started', 'date read', 'tags', 'entry date'],
];

/** Reads the records of LibraryThing's JSON as its table. */
export const libraryThingReader = (): TableReader =>
  new TableReader(withCommonColumns(libraryThing, JSON_HEADERS), JSON_HEADERS);

/** One record of LibraryThing's JSON, an object by its number, as a row of its table; `null` for none. */
export function libraryThingCells(value: unknown): string[] | null {
  if (!isRecord(value) || !('title' in value)) return null;
  if (!('primaryauthor' in value || 'authors' in value || 'books_id' in value)) return null;
  const auteurs = list(value['authors'])
    .filter(isRecord)
    .filter(({ role }) => !isOtherRole(text(role)))
    // A comma that is left would have the name turned round.
    .map(({ fl, lf }) => (text(fl) || readingOrder(text(lf))).replaceAll(',', ''));
  return [
    text(value['title']),
    // The primary author stands among the others.
    auteurs.length > 0 ? '' : text(value['primaryauthor']),
    auteurs.join('|'),
    [...list(value['isbn']), value['originalisbn']].map(text).join(','),
    text(value['publication']),
    text(value['date']),
    text(value['pages']),
    list(value['collections']).map(text).join(','),
    text(value['rating']),
    text(value['review']),
    // cspell:disable-next-line -- keys of its JSON
    text(value['datestarted']),
    // cspell:disable-next-line -- keys of its JSON
    text(value['dateread']),
    list(value['tags']).map(text).join(','),
    text(value['entrydate']),
  ];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The values of a list or of an object by number, nested lists taken apart; a text is one value. */
function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flat();
  if (isRecord(value)) return Object.values(value);
  return value === undefined || value === null ? [] : [value];
}

function text(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}
