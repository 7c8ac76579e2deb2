import type { Colonne } from '#shared/importations';
import { parseTome, type IsSerie } from '#shared/series-titres';
import { partsOf } from '#shared/text';
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
  /** Stored with each import: it stays as it is. */
  readonly name: string;
  /** As the program names itself; `null` for a table of nobody's. */
  readonly programme: string | null;
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

// The series that a title names (docs/rules.md § 35)

const IN_BRACKETS = /^(|.*\S)\s*\(([^()]*)\)$/su;
const NUMERO = /^\s*(\d[\d.,–-]*\w?)$/u;

/** « Titre (Name, #1) », « Titre (A, #1; B, #4) » of Goodreads. A title that is nothing else stays whole. */
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

/** « Name, Tome 5 : Titre », « Blacksad T3 », « Peter Pan #1 : Londres »: the title stays whole. */
export function seriesByTome(title: string, isSerie?: IsSerie): TitreParts {
  const titre = title.trim();
  const tome = parseTome(titre, isSerie);
  return { titre, series: tome === null ? [] : [{ titre: tome.serie, numero: tome.numero }] };
}
