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

// What a reader of a file makes of each of its records: the texts of our own fields, the file's own columns as data, and
// what is to be told, as reasons. No word of a file is ever one of these.

export interface SerieRef {
  readonly titre: string;
  readonly numero: string | null;
  /** The volumes that the book holds, where the file says them. */
  readonly tomes?: string | null;
}

export interface ColumnWords {
  readonly colonne: string;
  readonly noms: readonly string[];
}

/** A column that no field takes, and what a row has there. */
export interface ColumnText {
  readonly colonne: string;
  readonly valeur: string;
}

export const NO_LECTURES = {
  /** Ends, or spans from beginning to end; several apart by commas. */
  dates: '',
  debut: '',
  abandon: '',
  /** Of five stars, halves and quarters too. */
  note: '',
  count: '',
  avis: '',
  /** Where one is: « 120 », « p. 120 sur 340 », « 35 % »; under a header of percentages a bare number is one. */
  page: '',
  pourcent: '',
  pageJour: '',
  /** Of the book, whether it was read or not. */
  notes: '',
};

export type RawLectures = typeof NO_LECTURES;

export interface ExportedRecord {
  readonly livre?: ExportLivre;
  readonly souhait?: ExportSouhait;
}

/** A key of a picture that was taken from the file. */
export type PictureRef = string;

/** A record of a file: every text is as it stands there. */
export interface ImportRecord extends Partial<LivreTexts<string>> {
  readonly titre: string;
  readonly auteurs: readonly string[];
  /** The best one first; what is no ISBN may be among them. */
  readonly isbns?: readonly string[];
  readonly annee?: string;
  readonly nombrePages?: string;
  readonly isNumerique?: boolean;
  readonly typeDocument?: TypeDocument;
  readonly coverUrl?: string;
  readonly cover?: PictureRef;
  /** True where texts mean what stands there. */
  readonly isExact?: true;
  readonly lecture?: EtatLecture | null;
  /** True where the file counts its copies: what is to be read of these is no wish. */
  readonly isOwned?: true;
  readonly lectures?: Readonly<RawLectures> | null;
  readonly series?: readonly SerieRef[];
  /** Where it stands: « Salon > Étagère 3 ». */
  readonly emplacement?: string;
  readonly pret?: {
    readonly emprunteur: string;
    readonly date: string | null;
    readonly dateRetourPrevue?: string | null;
  } | null;
  /** Whose it is, where it is not the household's. */
  readonly emprunt?: { readonly nom: string; readonly depuis: string; readonly aRendre: string };
  readonly themes?: readonly ColumnWords[];
  /** What no field takes, each column once. */
  readonly details?: readonly ColumnText[];
  /** Why it is not entered. */
  readonly refusal?: Raison;
  /** What is told of it besides. */
  readonly notes?: readonly Raison[];
  /** Why it is no book of the house, though it was read: sold, lent by a library. */
  readonly notOwned?: Raison;
  readonly kept?: ExportedRecord;
  /** A loan that was not over when its file was made: from whom, until which day, and when it began, in milliseconds. */
  readonly enCours?: {
    readonly nom: string;
    readonly aRendre: string;
    readonly instant: number;
  };
  /** When the book went back to whom it was borrowed from, in milliseconds. */
  readonly rendu?: number;
}

/** A record with its place in the file, and with what names it where it is refused. */
export interface FileRecord {
  readonly ligne: number;
  readonly record: ImportRecord;
  readonly cells: readonly string[];
}

/** The columns in which a refused record of a file that is no table is given back. */
export const RECORD_HEADERS = ['titre', 'auteurs', 'isbn'];

export const recordCells = ({ titre, auteurs, isbns = [] }: ImportRecord): string[] => [
  titre,
  auteurs.join(' ; '),
  isbns[0] ?? '',
];

export interface OpenedFile {
  /** The stable name of its format. */
  readonly format: string;
  /** As the program or standard names itself; `null` where there is none. */
  readonly programme: string | null;
  readonly encodage: Encodage;
  readonly decodage: DecodageLu;
  /** The names of the cells of its records. */
  readonly headers: readonly string[];
  /** How a table that is no known program's is read. */
  readonly colonnes: Colonnes | null;
  /** Three values of each column of such a table. */
  readonly exemples?: readonly string[][];
  /** Read once. */
  readonly records: Iterable<FileRecord>;
  /** The order of day and month that `DateOrder` found. */
  readonly monthFirst: boolean;
  /** Days whose order of day and month is open; left out if there are none. */
  readonly openDates?: OpenDates | null;
  /** Of a table that is read by a mapping. */
  readonly premiereLigne?: PremiereLigne | null;
  /** Whose a household's export is. */
  readonly export?: Pick<ExportHead, 'bibliotheque' | 'utilisateur'>;
  /** What a household's export holds besides rows. */
  readonly rest: Iterable<RestOfExport>;
  readonly avertissements: readonly Raison[];
  /** The columns that hold something and go nowhere. */
  readonly perdus: readonly ColonnePerdue[];
}

/** What a reader makes of a file whose characters are known. */
export type FileContent = Omit<OpenedFile, 'encodage' | 'decodage' | 'rest'>;

/** Of a file whose bytes can be of no other encoding. */
export const TOLD_BY_BYTES: DecodageLu = { encodagePar: 'octets', encodageExemples: [] };

export interface RestOfExport {
  readonly kind: ExportKind;
  readonly value: unknown;
}

export const MAX_ROWS = 100_000;

export const tooMany = (): Refusal => invalid(raison('lignesDeTrop', { count: MAX_ROWS }));

// The list of them. Titles, series, ratings and names are read by what their whole column says, so that every record is
// added before the first is read (docs/rules.md § 35).

/** How the records of a format are read. */
interface Reading {
  /** Texts mean what stands there: our own, and codes. */
  readonly isExact?: boolean | undefined;
  /** What commas in the names of authors part is told by the whole column. */
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

  /** Reads the records, each once: the list is empty behind them. */
  *read(): Generator<FileRecord> {
    for (const { record, ...place } of this.#records.drain()) {
      const read = this.#columns?.read(record) ?? record;
      yield { ...place, record: this.#withNoms(read) };
    }
  }

  /** A record with its authors one by one and in reading order. */
  #withNoms(record: ImportRecord): ImportRecord {
    if (this.#noms === null) return record;
    const { noms, avertissements } = this.#noms.read(record.auteurs);
    return { ...record, auteurs: noms, notes: [...(record.notes ?? []), ...avertissements] };
  }
}

const DEFINITE = new RegExp(`^(?:${ELIDED_ARTICLE}|(?:le|la|les|the)\\s)`, 'iu');

/** Whether the articles of a column stand behind its texts: « Petit Quai (Le) », and none in front. */
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

/** A rating that is a number alone; 0 for any other. */
function plainNote(lectures: ImportRecord['lectures']): number {
  const text = bare(lectures?.note ?? '').replace(',', '.');
  const note = /^\d{1,2}(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  return note <= 20 ? note : 0;
}

class ColumnProfile {
  readonly #titres = new ArticlesBehind();
  readonly #series = new ArticlesBehind();
  readonly #names = new Set<string>();
  /** Of « Akira n° 3 » and its like: the numbers that stand behind each name. */
  readonly #numeros = new Map<string, Set<string>>();
  /** When each title went back the last time. */
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

  /** A row as its columns are read, once all of them were added. */
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

  /** A loan that is not over is a borrowed book, which an application shows. */
  #asLent({ enCours, ...row }: ImportRecord): ImportRecord {
    if (enCours === undefined || (this.#rendus.get(textKey(row.titre)) ?? 0) >= enCours.instant)
      return row;
    const { nom, aRendre, instant } = enCours;
    const { notOwned: _, ...ofHouse } = row;
    const lectures = row.lectures && { ...row.lectures, avis: '' };
    const emprunt = { nom, aRendre, depuis: localDay(new Date(instant)) };
    return { ...ofHouse, emprunt, isNumerique: true, ...(lectures && { lectures }) };
  }

  /** Of stars out of five, of ten where one of the column is above five, of twenty above ten. */
  #noteOf(lectures: Readonly<RawLectures>): string {
    if (this.#bestNote <= 5 || plainNote(lectures) === 0) return lectures.note;
    return `${bare(lectures.note)}/${this.#bestNote <= 10 ? '10' : '20'}`;
  }

  /** Where a column has the name alone, too, or with another number. */
  #volumeIn(text: string): SerieRef | null {
    const named = nameWithNumero(text);
    if (named === null) return null;
    const key = textKey(named.titre);
    const isSerie = this.#names.has(key) || (this.#numeros.get(key)?.size ?? 0) > 1;
    return isSerie ? named : null;
  }
}
