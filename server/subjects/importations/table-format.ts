import type { Colonne, ImportFormat } from '#shared/importations';
import type { IsSerie } from '#shared/series-titres';
import type { RawLectures, RawRow, SerieRef } from './rows.ts';

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
  readonly lectures?: Readonly<Partial<Record<keyof RawLectures, string>>>;
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
  readonly quirk?: (row: RawRow, cell: Cell) => RawRow;
  /** Columns that say again what another one says, and the program's own numbers: nobody misses them. */
  readonly silent?: readonly string[];
}

export interface TitreParts {
  readonly titre: string;
  readonly series: readonly SerieRef[];
}
