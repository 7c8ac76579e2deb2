/** The replicated collections with records in API responses. */
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
  | 'souhaits-revues'
  | 'selections'
  | 'objectifs';

export type Row = Readonly<Record<string, unknown>>;

/** `avant` is null for an insert, `apres` for a delete. */
export interface RowChange {
  readonly table: string;
  readonly avant: Row | null;
  readonly apres: Row | null;
}

/** The changes of an operation, for its message. For a shared history entry only shared rows (docs/rules.md § 39). */
export interface ChangeReader {
  /** The name of the first record of a kind that was changed, itself or in a part of it. */
  name(collection: RecordCollection): string;
  /** The names of the deleted records of a kind, separated by commas. */
  deleted(collection: RecordCollection): string;
  /** The present name of a record; '' if it is deleted. */
  nameOf(collection: RecordCollection, id: unknown): string;
  /** The changed rows of a table, in the order in which they were touched. */
  rows(table: string): readonly RowChange[];
  /** A value of the first changed row, after the operation or else before; without a row, of the response. */
  value(table: string, column: string): unknown;
  /** Empty where the operation has no answer. */
  readonly answer: Row;
}

/** The changed columns, without the row's position among others. */
export const editedColumns = ({ avant, apres }: RowChange): string[] =>
  Object.keys(apres ?? {}).filter(
    (column) => column !== 'position' && apres?.[column] !== avant?.[column],
  );

/** A text of a row or an answer; '' for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
