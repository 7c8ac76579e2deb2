import type { Colonne, ImportFormat } from '#shared/importations';
import type { IsSerie } from '#shared/series-titres';
import type { RawLectures, ImportRecord, SerieRef } from '../record.ts';

/** More columns than any list has. */
export const MAX_COLUMNS = 1000;

export const headerKey = (header: string): string => header.trim().toLowerCase();

/** The trimmed cell under a header, which is given in lower case; '' where the file has no such column. */
export type Cell = (header: string) => string;

/** A field of a row that a column tells: one of ours, a wish list, or a date that says what was read. */
export type Field = Colonne | 'souhait' | 'lu' | 'enCours';

/** A program's tables as data (docs/rules.md § 35). */
export interface TableFormat {
  readonly name: ImportFormat;
  /** The headers by which a file is known: all those of one of the lists. */
  readonly known: readonly (readonly string[])[];
  /** The columns of a field, the one that counts first; left out where common names tell it. */
  readonly columns: Readonly<Partial<Record<Field, string | readonly string[]>>>;
  /** The columns of what was read, where the words of headers do not tell them. */
  readonly lectures?: Readonly<Partial<Record<keyof RawLectures, string | readonly string[]>>>;
  /** Columns that hold several values, and what parts these. */
  readonly lists?: Readonly<Record<string, string | RegExp>>;
  readonly nom?: (nom: string) => string;
  /** Names stand « Nom Prénom » without a sign that parts them, unless the file’s person says that they do not. */
  readonly isNomPrenom?: true;
  /** What commas in the names of authors part is told by the whole column. */
  readonly readsNoms?: true;
  /** A volume without a title is named by its series, whether it has an ISBN or not. */
  readonly namesVolumes?: true;
  readonly lineBreak?: string;
  /** Texts mean what stands there: our own. */
  readonly isExact?: true;
  /** Takes the series out of a title; left out where a volume's number tells them. */
  readonly titre?: (titre: string, isSerie: IsSerie) => TitreParts;
  /** Of a row without anything it reads the same columns. */
  readonly transformRow?: (row: ImportRecord, cell: Cell) => ImportRecord;
  /** Columns that say again what another one says, and the program's own numbers: nobody misses them. */
  readonly silent?: readonly string[];
}

export interface TitreParts {
  readonly titre: string;
  readonly series: readonly SerieRef[];
}

// cspell:disable -- words that people and other programs write
/** The columns of what was read by the words of their headers, whatever the program; the first that is not empty counts. */
export const LECTURES = {
  dates: [
    'lectures',
    'readings',
    'dates read',
    'date read',
    'last date read',
    'finish date',
    'completed',
    'read end',
    'date finished',
    'finished',
    'lu le',
    'date lecture',
    'dates lecture',
    'fin lecture',
    'date fin',
    'date fin lecture',
    'fini le',
    'termine le',
    'date lu',
    'reading date',
    'read on',
    'date completed',
    'finished reading',
  ],
  debut: [
    'date started',
    'start date',
    'began',
    'read start',
    'started',
    'commence le',
    'debut lecture',
    'date debut',
    'date debut lecture',
    'started reading',
  ],
  abandon: ['stopped date', 'abandonne le'],
  note: [
    'my rating',
    'my ratings',
    'star rating',
    'rating',
    'etoiles',
    'stars',
    'note',
    'ma note',
    'notation',
  ],
  count: ['read count', 'nb lectures', 'nombre lectures'],
  avis: [
    'my review',
    'review',
    'review content',
    'critique',
    'mon mot',
    'avis',
    'mon avis',
    'my words',
  ],
  page: [
    'page atteinte',
    'page reached',
    'current page',
    'current page number',
    'currentpagenumber',
    'last page read',
    'pages read',
    'pages lues',
    'page actuelle',
    'page en cours',
    'page courante',
    'ma page',
    'marque page',
    'progress pages',
    'page progress',
    'lu jusqu a la page',
  ],
  pourcent: [
    'percent read',
    'percentread',
    'percentage read',
    'percent complete',
    'progress percent',
    'progress percentage',
    'reading progress',
    'progress',
    'progression',
    'avancement',
    'pourcentage lu',
    'pourcentage',
    'pourcent',
    'current percentage',
  ],
  pageJour: ['jour page', 'day page', 'last progress date', 'progress date', 'date progression'],
  notes: ['private notes', 'private comment'],
} as const satisfies Record<keyof RawLectures, readonly string[]>;
// cspell:enable
