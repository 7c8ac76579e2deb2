import type { Colonne } from '#shared/importations';
import { parseTome, type IsSerie } from '#shared/series-titres';
import { partsOf } from '#shared/text';
import type { RawLectures, ImportRecord, SerieRef } from '../record.ts';

/** More columns than any list has. */
export const MAX_COLUMNS = 1000;

export const headerKey = (header: string): string => header.trim().toLowerCase();

/** The trimmed cell under a header in lower case; '' without such a column. */
export type Cell = (header: string) => string;

/** A column's target: a field of ours, a wish list, or a date that implies a reading state. */
export type Field = Colonne | 'souhait' | 'lu' | 'enCours';

/** A program's tables as data (docs/rules.md § 35). */
export interface TableFormat {
  /** Stored with each import: it stays as it is. */
  readonly name: string;
  /** The program's own name; `null` for an unknown table. */
  readonly programme: string | null;
  /** Lists of headers, each of which identifies the file if all are present. */
  readonly known: readonly (readonly string[])[];
  /** The columns of a field, the preferred one first; left out if common names find them. */
  readonly columns: Readonly<Partial<Record<Field, string | readonly string[]>>>;
  /** The columns of readings, unless the words of headers find them. */
  readonly lectures?: Readonly<Partial<Record<keyof RawLectures, string | readonly string[]>>>;
  /** Columns with several values, and their separator. */
  readonly lists?: Readonly<Record<string, string | RegExp>>;
  readonly nom?: (nom: string) => string;
  /** Names are « Nom Prénom » without a separator, unless the person says otherwise. */
  readonly isNomPrenom?: true;
  /** Whether commas in authors separate names is decided by the whole column. */
  readonly readsNoms?: true;
  /** A volume without a title is named by its series, whether it has an ISBN or not. */
  readonly namesVolumes?: true;
  readonly lineBreak?: string;
  /** Texts are literal, as in our own files. */
  readonly isExact?: true;
  /** Extracts the series from a title; left out if a volume number has its own column. */
  readonly titre?: (titre: string, isSerie: IsSerie) => TitreParts;
  /** Must read the same cells of an empty row: that call tells which columns are used. */
  readonly transformRow?: (row: ImportRecord, cell: Cell) => ImportRecord;
  /** Redundant columns and the program's own numbers, which are not reported. */
  readonly silent?: readonly string[];
}

export interface TitreParts {
  readonly titre: string;
  readonly series: readonly SerieRef[];
}

// The series that a title names (docs/rules.md § 35)

const IN_BRACKETS = /^(|.*\S)\s*\(([^()]*)\)$/su;
const NUMERO = /^\s*(\d[\d.,–-]*\w?)$/u;

/** « Titre (Name, #1) », « Titre (A, #1; B, #4) » of Goodreads. A title with nothing else is unchanged. */
export function seriesInBrackets(title: string, isSerie?: IsSerie): TitreParts {
  const [, titre, list = ''] = IN_BRACKETS.exec(title.trim()) ?? [];
  if (titre === undefined || !/#\s*\d/.test(list)) return seriesByTome(title, isSerie);
  const series = partsOf(list, ';').flatMap((part) => {
    const sign = part.lastIndexOf('#');
    const name = part.slice(0, Math.max(0, sign)).trim().replace(/,$/, '').trim();
    const [, numero] = NUMERO.exec(part.slice(sign + 1)) ?? [];
    return name === '' || numero === undefined ? [] : [{ titre: name, numero }];
  });
  return { titre: series.length === 0 || titre === '' ? title.trim() : titre, series };
}

/** « Name, Tome 5 : Titre », « Blacksad T3 », « Peter Pan #1 : Londres »: the title is unchanged. */
export function seriesByTome(title: string, isSerie?: IsSerie): TitreParts {
  const titre = title.trim();
  const tome = parseTome(titre, isSerie);
  return { titre, series: tome === null ? [] : [{ titre: tome.serie, numero: tome.numero }] };
}
