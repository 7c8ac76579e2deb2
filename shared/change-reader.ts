import { formatCount } from './text.ts';

/** The replicated collections whose records the API answers with one by one. */
export type RecordCollection =
  | 'livres'
  | 'auteurs'
  | 'prets'
  | 'series'
  | 'emplacements'
  | 'revues'
  | 'numeros'
  | 'lectures'
  | 'souhaits'
  | 'souhaits-revues';

/** A row by its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** A row before and after a change: `avant` is null where it was inserted, `apres` where deleted. */
export interface RowChange {
  readonly table: string;
  readonly avant: Row | null;
  readonly apres: Row | null;
}

/**
 * What an operation changed, as the sentence of its history is worded from it. Of a change that is
 * everyone's only rows that are everyone's are seen (docs/rules.md § 39).
 */
export interface ChangeReader {
  /** The name of the first record of a kind that was changed, itself or by a part of it. */
  name(collection: RecordCollection): string;
  /** The names of the deleted records of a kind, separated by commas. */
  deleted(collection: RecordCollection): string;
  /** What a record is called now; '' where it is gone. */
  nameOf(collection: RecordCollection, id: unknown): string;
  /** The changed rows of a table, in the order in which they were touched. */
  rows(table: string): readonly RowChange[];
  /** A column of the first changed row of a table, after the operation or before it, else of the answer. */
  value(table: string, column: string): unknown;
  /** The operation's answer; empty where it has none. */
  readonly answer: Row;
}

/** The columns that a change rewrote, but for where the row stands among others. */
export const editedColumns = ({ avant, apres }: RowChange): string[] =>
  Object.keys(apres ?? {}).filter(
    (column) => column !== 'position' && apres?.[column] !== avant?.[column],
  );

/** A text of a row or an answer; '' for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** « 2 livres supprimés », « 1 livre supprimé »; without a participle « 2 livres ». */
export function countLivres(count: number, participle = ''): string {
  const [noun, ending] = count > 1 ? ['livres', 's'] : ['livre', ''];
  return `${formatCount(count)} ${noun}${participle && ` ${participle}${ending}`}`;
}
