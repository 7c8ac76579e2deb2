import type { ExportLivre, ExportSouhait } from '#shared/export';
import type { Notation } from '#shared/lectures';
import type { Format } from '#shared/livres';
import type { Statut } from '#shared/statuts';

/** A volume of a series as a file tells it. */
export interface SerieRef {
  readonly titre: string;
  readonly numero: string | null;
}

/** What a file says of reading; `souhait` is a wish whatever the choice for « to-read ». */
export type Lecture = 'lu' | 'enCours' | 'aLire' | 'souhait' | 'abandoned';

/** What a file says of the readings of a book, in the words of its program. */
export interface RawLectures {
  /** Ends, or spans from beginning to end; several apart by commas. */
  readonly dates: string;
  readonly debut: string;
  /** When it was given up. */
  readonly abandon: string;
  /** Of five stars, halves and quarters too. */
  readonly note: string;
  /** How often it was read. */
  readonly count: string;
  readonly avis: string;
  /** Of the book, whether it was read or not. */
  readonly notes: string;
}

/** What a household's export knows of a record, and no other file. */
interface Kept {
  readonly livre?: ExportLivre;
  readonly souhait?: ExportSouhait;
}

/** A record of a file in the words of its program: every text is as it stands there. */
export interface RawRow {
  readonly titre: string;
  readonly auteurs: readonly string[];
  /** The authors as they stand there, where `auteurs` has them in another order. */
  readonly auteursEcrits?: readonly string[];
  /** The best one first; what is no ISBN may be among them. */
  readonly isbns?: readonly string[];
  readonly editeur?: string;
  readonly annee?: string;
  readonly nombrePages?: string;
  readonly isNumerique?: boolean;
  readonly lecture?: Lecture | null;
  readonly lectures?: RawLectures | null;
  readonly series?: readonly SerieRef[];
  /** Where it stands: « Salon > Étagère 3 ». */
  readonly emplacement?: string;
  readonly pret?: { readonly emprunteur: string; readonly date: string | null } | null;
  /** Why the record is no book that can be entered. */
  readonly refus?: string | null;
  readonly avertissements?: readonly string[];
  readonly kept?: Kept;
}

/** A record as the household could enter it. */
export interface Row {
  readonly titre: string;
  readonly auteurs: readonly string[];
  readonly isbn: string | null;
  readonly editeur: string | null;
  readonly annee: number | null;
  readonly nombrePages: number | null;
  readonly format: Format;
  readonly isSouhait: boolean;
  readonly statut: Statut | null;
  /** The earliest first; kept before there were any, it is left out. */
  readonly lectures?: readonly Notation[];
  readonly series: readonly SerieRef[];
  /** The names of the locations, the outermost first; kept before there were any, it is left out. */
  readonly emplacement?: readonly string[];
  readonly pret: { readonly emprunteur: string; readonly datePret: string | null } | null;
  readonly kept?: Kept;
}

/** A record of a file, read: why it cannot be entered, and what was left out of it. */
export interface ReadRow {
  readonly row: Row;
  readonly refus: string | null;
  /** True where only its ISBN is known: the catalogues are asked for the rest. */
  readonly isPending: boolean;
  readonly avertissements: readonly string[];
  /** The authors as the file has them, where the row has them in another order. */
  readonly auteursEcrits?: readonly string[];
}
