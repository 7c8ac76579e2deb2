import type { ExportHead, ExportKind, ExportLivre, ExportSouhait } from '#shared/export';
import type {
  ColonnePerdue,
  Colonnes,
  DecodageLu,
  Encodage,
  PremiereLigne,
} from '#shared/importations';
import type { LivreTexts, TypeDocument } from '#shared/livres';
import { nameWithNumero } from '#shared/series-titres';
import { articleInFront, ELIDED_ARTICLE, textKey } from '#shared/text';
import { localDay } from '#shared/days';
import type { Refusal } from '#shared/refusals';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';
import { CompressedList } from '#server/plumbing/common/compressed-list';
import { NomColumn } from '#server/plumbing/upstream/noms';
import { bare, type EtatLecture, type OpenDates } from './values.ts';

// The result of reading a record: texts for our own fields, further columns as data, and messages.
// No text of the file is used as a field name.

export interface SerieRef {
  readonly titre: string;
  readonly numero: string | null;
  /** The volumes in the book, if the file has them. */
  readonly tomes?: string | null;
}

export interface ColumnWords {
  readonly colonne: string;
  readonly noms: readonly string[];
}

/** A column that no field takes, with a row's text. */
export interface ColumnText {
  readonly colonne: string;
  readonly valeur: string;
}

export const NO_LECTURES = {
  /** Days of ends, or spans of beginning and end, separated by commas. */
  dates: '',
  debut: '',
  abandon: '',
  /** Out of five stars, including halves and quarters. */
  note: '',
  count: '',
  avis: '',
  /** The position: « 120 », « p. 120 sur 340 », « 35 % »; under a header of percentages also a plain number. */
  page: '',
  pourcent: '',
  pageJour: '',
  /** Notes about the book, read or not. */
  notes: '',
};

export type RawLectures = typeof NO_LECTURES;

export interface ExportedRecord {
  readonly livre?: ExportLivre;
  readonly souhait?: ExportSouhait;
}

/** A key of a picture that was taken from the file. */
export type PictureRef = string;

/** A record of a file with its original texts. */
export interface ImportRecord extends Partial<LivreTexts<string>> {
  readonly titre: string;
  readonly auteurs: readonly string[];
  /** The preferred one first; some may be invalid. */
  readonly isbns?: readonly string[];
  readonly annee?: string;
  readonly nombrePages?: string;
  readonly isNumerique?: boolean;
  readonly typeDocument?: TypeDocument;
  readonly coverUrl?: string;
  readonly cover?: PictureRef;
  /** True if texts are literal. */
  readonly isExact?: true;
  readonly lecture?: EtatLecture | null;
  /** True if the file counts copies: a book to read is no wish then. */
  readonly isOwned?: true;
  readonly lectures?: Readonly<RawLectures> | null;
  readonly series?: readonly SerieRef[];
  /** The book's location: « Salon > Étagère 3 ». */
  readonly emplacement?: string;
  readonly pret?: {
    readonly emprunteur: string;
    readonly date: string | null;
    readonly dateRetourPrevue?: string | null;
  } | null;
  /** The book's lender, if it is borrowed. */
  readonly emprunt?: { readonly nom: string; readonly depuis: string; readonly aRendre: string };
  readonly themes?: readonly ColumnWords[];
  /** Texts that no field takes, one per column. */
  readonly details?: readonly ColumnText[];
  /** Why the record is refused. */
  readonly refusal?: Raison;
  /** Messages about the record. */
  readonly notes?: readonly Raison[];
  /** Why a book that was read is not owned: sold, or lent by a library. */
  readonly notOwned?: Raison;
  readonly kept?: ExportedRecord;
  /** A loan that was open when the file was made: the lender, the due day, and its beginning in milliseconds. */
  readonly enCours?: {
    readonly nom: string;
    readonly aRendre: string;
    readonly instant: number;
  };
  /** When a borrowed book was returned, in milliseconds. */
  readonly rendu?: number;
}

/** A record with its position in the file, and its identifying text if it is refused. */
export interface FileRecord {
  readonly ligne: number;
  readonly record: ImportRecord;
  readonly cells: readonly string[];
}

/** The columns for refused records of a file that is no table. */
export const RECORD_HEADERS = ['titre', 'auteurs', 'isbn'];

export const recordCells = ({ titre, auteurs, isbns = [] }: ImportRecord): string[] => [
  titre,
  auteurs.join(' ; '),
  isbns[0] ?? '',
];

export interface OpenedFile {
  /** The stable name of its format. */
  readonly format: string;
  /** The name of the program or standard; `null` without one. */
  readonly programme: string | null;
  readonly encodage: Encodage;
  readonly decodage: DecodageLu;
  /** The names of the cells of its records. */
  readonly headers: readonly string[];
  /** The mapping of an unknown program's table. */
  readonly colonnes: Colonnes | null;
  /** Three values of each column of such a table. */
  readonly exemples?: readonly string[][];
  /** The records, which can be iterated once. */
  readonly records: Iterable<FileRecord>;
  /** The order of day and month that `DateOrder` found. */
  readonly monthFirst: boolean;
  /** Days whose order is ambiguous; left out if there are none. */
  readonly openDates?: OpenDates | null;
  /** For a table with a mapping. */
  readonly premiereLigne?: PremiereLigne | null;
  /** The household and person of an export. */
  readonly export?: Pick<ExportHead, 'bibliotheque' | 'utilisateur'>;
  /** The records of an export besides rows. */
  readonly rest: Iterable<RestOfExport>;
  readonly avertissements: readonly Raison[];
  /** Columns with values that no field takes. */
  readonly perdus: readonly ColonnePerdue[];
}

/** The result of a reader for a decoded file. */
export type FileContent = Omit<OpenedFile, 'encodage' | 'decodage' | 'rest'>;

/** For a file whose bytes fit one encoding only. */
export const DETECTED_BY_BYTES: DecodageLu = { encodagePar: 'octets', encodageExemples: [] };

export interface RestOfExport {
  readonly kind: ExportKind;
  readonly value: unknown;
}

export const MAX_ROWS = 100_000;

export const tooMany = (count = MAX_ROWS): Refusal => invalid(raison('lignesDeTrop', { count }));

// Collects the records. Titles, series, ratings and names are parsed by their whole column, so that
// all records are added before the first is read (docs/rules.md § 35).

/** How the records of a format are parsed. */
interface Reading {
  /** Texts are literal: our own, and codes. */
  readonly isExact?: boolean | undefined;
  /** Whether commas in authors separate names is decided by the whole column. */
  readonly readsNoms?: boolean | undefined;
}

export class RecordList {
  readonly #records = new CompressedList<FileRecord>();
  readonly #columns: ColumnProfile | null;
  readonly #noms: NomColumn | null;

  constructor({ isExact = false, readsNoms = false }: Reading = {}) {
    this.#columns = isExact ? null : new ColumnProfile();
    this.#noms = readsNoms ? new NomColumn() : null;
  }

  get length(): number {
    return this.#records.length;
  }

  add(given: FileRecord): void {
    this.#columns?.add(given.record);
    this.#noms?.add(given.record.auteurs);
    this.#records.push(given);
  }

  /** Yields the records once; the list is empty afterwards. */
  *read(): Generator<FileRecord> {
    for (const { record, ...place } of this.#records.drain()) {
      const read = this.#columns?.read(record) ?? record;
      yield { ...place, record: this.#withNoms(read) };
    }
  }

  /** A record with separate authors in reading order. */
  #withNoms(record: ImportRecord): ImportRecord {
    if (this.#noms === null) return record;
    const { noms, avertissements } = this.#noms.read(record.auteurs);
    return { ...record, auteurs: noms, notes: [...(record.notes ?? []), ...avertissements] };
  }
}

const DEFINITE = new RegExp(`^(?:${ELIDED_ARTICLE}|(?:le|la|les|the)\\s)`, 'iu');

/** Whether a column's articles follow the texts, « Petit Quai (Le) », and none precede them. */
class ArticlesBehind {
  #hasBehind = false;
  #hasFront = false;

  add(text: string): void {
    if (articleInFront(text) !== text) this.#hasBehind = true;
    else if (DEFINITE.test(text)) this.#hasFront = true;
  }

  read(text: string): string {
    return this.#hasBehind && !this.#hasFront ? articleInFront(text) : text;
  }
}

/** A plain number as rating; 0 for any other. */
function plainNote(lectures: ImportRecord['lectures']): number {
  const text = bare(lectures?.note ?? '').replace(',', '.');
  const note = /^\d{1,2}(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  return note <= 20 ? note : 0;
}

class ColumnProfile {
  readonly #titres = new ArticlesBehind();
  readonly #series = new ArticlesBehind();
  readonly #names = new Set<string>();
  /** For « Akira n° 3 » and similar: the numbers after each name. */
  readonly #numeros = new Map<string, Set<string>>();
  /** The last return of each title. */
  readonly #rendus = new Map<string, number>();
  #bestNote = 0;

  add({ titre, series = [], lectures, rendu }: ImportRecord): void {
    if (rendu !== undefined) {
      const key = textKey(titre);
      this.#rendus.set(key, Math.max(rendu, this.#rendus.get(key) ?? 0));
    }
    this.#bestNote = Math.max(this.#bestNote, plainNote(lectures));
    this.#titres.add(titre);
    this.#note(titre);
    for (const serie of series) {
      this.#series.add(serie.titre);
      if (serie.numero !== null || !this.#note(serie.titre)) this.#names.add(textKey(serie.titre));
    }
  }

  #note(text: string): boolean {
    const named = nameWithNumero(text);
    if (named === null) return false;
    const key = textKey(named.titre);
    const numeros = this.#numeros.get(key) ?? new Set();
    this.#numeros.set(key, numeros.add(named.numero));
    return true;
  }

  /** Parses a row by its columns, after all rows were added. */
  read(read: ImportRecord): ImportRecord {
    const row = this.#asLent(read);
    const series = (row.series ?? []).map((serie) =>
      serie.numero === null ? (this.#volumeIn(serie.titre) ?? serie) : serie,
    );
    const volume = series.length === 0 ? this.#volumeIn(row.titre) : null;
    return {
      ...row,
      ...(row.lectures && { lectures: { ...row.lectures, note: this.#noteOf(row.lectures) } }),
      titre: this.#titres.read(row.titre),
      series: [...series, ...(volume === null ? [] : [volume])].map((serie) => ({
        ...serie,
        titre: this.#series.read(serie.titre),
      })),
    };
  }

  /** Turns an open loan from a library’s application into a borrowed book. */
  #asLent({ enCours, ...row }: ImportRecord): ImportRecord {
    if (enCours === undefined || (this.#rendus.get(textKey(row.titre)) ?? 0) >= enCours.instant)
      return row;
    const { nom, aRendre, instant } = enCours;
    const { notOwned: _, ...ofHouse } = row;
    const lectures = row.lectures && { ...row.lectures, avis: '' };
    const emprunt = { nom, aRendre, depuis: localDay(new Date(instant)) };
    return { ...ofHouse, emprunt, isNumerique: true, ...(lectures && { lectures }) };
  }

  /** Ratings are of five; of ten if one in the column is above five, of twenty above ten. */
  #noteOf(lectures: Readonly<RawLectures>): string {
    if (this.#bestNote <= 5 || plainNote(lectures) === 0) return lectures.note;
    return `${bare(lectures.note)}/${this.#bestNote <= 10 ? '10' : '20'}`;
  }

  /** Splits « Akira n° 3 » only if the column also has the name alone, or with another number. */
  #volumeIn(text: string): SerieRef | null {
    const named = nameWithNumero(text);
    if (named === null) return null;
    const key = textKey(named.titre);
    const isSerie = this.#names.has(key) || (this.#numeros.get(key)?.size ?? 0) > 1;
    return isSerie ? named : null;
  }
}
