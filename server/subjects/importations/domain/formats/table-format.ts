import type { Colonne, ImportFormat } from '#shared/importations';
import type { RawRow } from '../row.ts';
import type { TitreParts } from '../series-in-titles.ts';

/** The trimmed cell under a header, in lower case; '' where the file has no such column. */
export type Cell = (header: string) => string;

/** A field of a row that a column tells: one of ours, a wish list, or a date that says what was read. */
type Field = Colonne | 'souhait' | 'lu' | 'enCours';

/** A program's tables as data; `readTableRow` reads them (docs/rules.md § 35). */
export interface TableFormat {
  readonly name: ImportFormat;
  /** The headers by which a file is known: all those of one of the lists. */
  readonly known: readonly (readonly string[])[];
  /** The columns of a field, the one that counts first; left out where common names tell it. */
  readonly columns: Readonly<Partial<Record<Field, string | readonly string[]>>>;
  /** Columns that hold several values, and what parts these. */
  readonly lists?: Readonly<Record<string, string | RegExp>>;
  /** Puts a name into reading order; left out where the program writes it so. */
  readonly nom?: (nom: string) => string;
  /** Names stand « Nom Prénom » without a sign that parts them: its person can say that they do not. */
  readonly isNomPrenom?: true;
  /** Takes the series out of a title; left out where a volume's number tells them. */
  readonly titre?: (titre: string) => TitreParts;
  /** What no column says by itself. */
  readonly quirk?: (row: RawRow, cell: Cell) => RawRow;
}
