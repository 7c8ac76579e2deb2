import type { ExportHead, ExportKind, ExportLivre, ExportSouhait } from '#shared/export';
import type {
  ColonnePerdue,
  Colonnes,
  DecodageLu,
  Encodage,
  ImportFormat,
  PremiereLigne,
} from '#shared/importations';
import type { LivreTexts, TypeDocument } from '#shared/livres';
import type { Raison } from '#server/plumbing/common/raisons';
import type { EtatLecture, OpenDates } from './values.ts';

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
  readonly format: ImportFormat;
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
