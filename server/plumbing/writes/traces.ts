import type { Row, RowChange } from '#shared/change-reader';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { parseStored } from '#server/plumbing/common/stored-json';
import { withSameValues, withValuesApart, withValuesTogether } from './named-values.ts';
import { BYTES_A_RECORD, PLACES_A_RECORD } from './orders.ts';

/**
 * The net change of one row by one or several modifications. Images of an updated row have only key, owner and
 * changed columns.
 */
export interface Change extends RowChange {
  /** The key as text, as in `Trace`. */
  readonly cle: string;
  /** When the row was last written. */
  readonly seq: number;
}

export interface TraceLine {
  readonly seq: number;
  readonly nom: string;
  readonly cle: string;
  readonly avant: string | null;
  readonly apres: string | null;
  /** 1 if the row was cascaded with its record, as the authors of a book are. */
  readonly entraine: 0 | 1;
}

interface LineFilter {
  /** A condition of SQL; all lines of rows where left out. */
  readonly which?: string;
  /**
   * The tables whose rows are archived instead of deleted. Archiving or restoring such a row, or a row that cascades
   * with a record, does not count as a change.
   */
  readonly isLookupTable?: (table: string) => boolean;
}

/** The net change of each row by some modifications, in the order of their first entries. */
export const changesOf = (
  database: Reader,
  ids: readonly number[],
  { which = "nom NOT IN ('Ordre', 'Dormant')", isLookupTable }: LineFilter = {},
): Change[] =>
  changesIn(
    database,
    [`acte IN (SELECT value FROM json_each(?)) AND ${which}`, JSON.stringify(ids)],
    ({ nom, entraine }) => isLookupTable !== undefined && (entraine === 1 || isLookupTable(nom)),
  );

/** A row that is deleted and restored with its record, such as an author or a status of a book. */
export interface CascadedRow extends Pick<Change, 'table' | 'cle'> {
  readonly row: Row;
}

/** The rows that are restored with a deleted record, by the last entry of each row. */
export const cascadedRowsOfDeleted = (
  database: Reader,
  record: string,
  { id }: Row,
): CascadedRow[] =>
  database.capture.tables
    .filter((table) => database.capture.cascadeOf(table)?.target === record)
    // The key of such a row begins with the record's id.
    .flatMap((table) =>
      cascadedRowsIn(
        database,
        'nom = ? AND cle > ? AND cle < ?',
        table,
        `[${String(id)},`,
        `[${String(id)}-`,
      ),
    );

/** The rows of some entries that are to be restored, whether they cascaded or are there. */
const cascadedRowsIn = (
  database: Reader,
  where: string,
  ...values: readonly (string | number)[]
): CascadedRow[] =>
  changesIn(database, [where, ...values], ({ entraine }) => entraine === 1).flatMap(
    ({ table, cle, apres }) => (apres === null ? [] : [{ table, cle, row: apres }]),
  );

/**
 * The rows that a restored row brings back into records restored before it, such as the positions of books in a list
 * that was deleted after them.
 */
export const rowsAwaiting = (database: Reader, target: string, { id }: Row): CascadedRow[] =>
  database.capture
    .foreignKeysTo(target)
    .filter(({ table, column, onDelete }) => {
      const along = database.capture.cascadeOf(table);
      return onDelete === 'CASCADE' && along !== undefined && along.column !== column;
    })
    .flatMap(({ table, column }) =>
      cascadedRowsIn(
        database,
        `nom = ? AND cle IN (SELECT cle FROM Trace
           WHERE nom = ? AND entraine = 1 AND apres IS NULL AND avant ->> ? = ?)`,
        table,
        table,
        column,
        Number(id),
      ),
    )
    .filter(({ table, row }) => {
      const along = database.capture.cascadeOf(table);
      return (
        along !== undefined &&
        readRow(database, along.target, { id: row[along.column] }) !== undefined &&
        readRow(database, table, row) === undefined
      );
    });

/** The rows of a table created by the modifications that deleted another row, latest first; undone ones included. */
export const madeByDeletionOf = (
  database: Reader,
  { table, cle }: Pick<Change, 'table' | 'cle'>,
  made: string,
): Row[] =>
  database
    .values<string>(
      `SELECT m.apres FROM Trace t JOIN Trace m ON m.acte = t.acte AND m.nom = ? AND m.avant IS NULL
       WHERE t.nom = ? AND t.cle = ? AND t.apres IS NULL ORDER BY t.seq DESC, m.seq DESC`,
      made,
      table,
      cle,
    )
    .map((text) => parseStored<Row>(text));

function changesIn(
  database: Reader,
  [where, ...values]: readonly [string, ...(string | number)[]],
  isAsleep: (line: TraceLine) => boolean,
): Change[] {
  const changes = new Map<string, Change>();
  const lines = database
    .prepare<(string | number)[], TraceLine>(
      `SELECT seq, nom, cle, avant, apres, entraine FROM Trace WHERE ${where} ORDER BY seq`,
    )
    .iterate(...values);
  for (const line of lines) {
    const { nom, cle, avant, apres } = line;
    const key = rowKeyOf({ table: nom, cle });
    const sleeps = isAsleep(line);
    const whole = sleeps ? { ...line, avant: avant ?? apres, apres: apres ?? avant } : line;
    changes.set(key, withLine(changes.get(key), whole));
  }
  return [...changes.values()];
}

/**
 * Yields the net change of each row by a large modification, by table and key: there may be hundreds of thousands.
 * Scans all entries. Do not write meanwhile.
 */
export function* walkChanges(database: Reader, modificationId: number): Generator<Change> {
  const lines = database
    .prepare<[number], TraceLine>(
      `SELECT seq, nom, cle, avant, apres, entraine FROM Trace INDEXED BY Trace_ligne
       WHERE acte = ? AND nom NOT IN ('Ordre', 'Dormant') ORDER BY nom, cle, acte, seq`,
    )
    .iterate(modificationId);
  let row: Change | undefined;
  for (const line of lines) {
    const isSame = row !== undefined && row.table === line.nom && row.cle === line.cle;
    if (row !== undefined && !isSame) yield row;
    row = withLine(isSame ? row : undefined, line);
  }
  if (row !== undefined) yield row;
}

export function withLine(
  known: Change | undefined,
  { seq, nom: table, cle, ...texts }: TraceLine,
): Change {
  const images = [imageOf(texts.avant), imageOf(texts.apres)] as const;
  const [avant, apres] =
    images[0] === null || images[1] === null ? images : withSameValues(images[0], images[1]);
  return {
    table,
    cle,
    seq,
    avant: known === undefined ? avant : known.avant && { ...avant, ...known.avant },
    apres: apres && { ...known?.apres, ...apres },
  };
}

const imageOf = (text: string | null): Row | null =>
  text === null ? null : withValuesApart(parseStored<Row>(text));

export const rowKeyOf = ({ table, cle }: Pick<Change, 'table' | 'cle'>): string =>
  `${table} ${cle}`;

export const isChanged = ({ avant, apres }: RowChange): boolean =>
  avant === null || apres === null ? avant !== apres : changedColumns(avant, apres).length > 0;

export const changedColumns = (avant: Row, apres: Row): string[] =>
  Object.keys(apres).filter((name) => avant[name] !== apres[name]);

export const ownerOf = (row: Row | null): string => {
  const owner = row?.['utilisateur'];
  return typeof owner === 'string' ? owner : '';
};

/** The person who owns all of some changed rows; '' where some are everyone's. */
export function ownerOfAll(changes: Iterable<RowChange>): string {
  const owners = new Set<string>();
  for (const { avant, apres } of changes) owners.add(ownerOf(apres ?? avant));
  const [owner = ''] = owners;
  return owners.size === 1 ? owner : '';
}

export function cleOf(database: Reader, table: string, row: Row): string {
  const values = database.capture.keyColumnsOf(table).map((name) => row[name]);
  return values.length === 1 ? String(values[0]) : JSON.stringify(values);
}

/** A change of the changeset just captured, with all columns if the row still exists. */
export function completeChange(database: Reader, change: Change): Change {
  const { table, avant, apres } = change;
  if (avant === null || apres === null) return change;
  const row = readRow(database, table, apres);
  return { ...change, avant: { ...row, ...avant }, apres: { ...row, ...apres } };
}

/** Belongs to the open changeset unless `modificationId` is given, and comes last unless `seq` is. */
type NewLine = Pick<Change, 'table' | 'cle' | 'avant' | 'apres'> & {
  readonly modificationId?: number;
  readonly seq?: number;
};

/** Writes entries that no trigger sees: a change of a missing row, or of an earlier modification. */
export function writeLine(
  database: Transaction,
  { modificationId, seq, table, cle, avant, apres }: NewLine,
): void {
  database.run(
    `INSERT INTO Trace (seq, acte, nom, cle, avant, apres)
     VALUES (?, coalesce(?, (SELECT id FROM PendingChangeset)), ?, ?, ?, ?)`,
    seq,
    modificationId,
    table,
    cle,
    avant && JSON.stringify(avant),
    apres && JSON.stringify(apres),
  );
}

/** Moves the entries of an unsaved changeset to another modification. */
export const moveTrace = (database: Transaction, modificationId: number, to: number): void => {
  database.run('UPDATE Trace SET acte = ? WHERE acte = ?', to, modificationId);
};

/** Counting stops here: the operation is long in any case. */
const MAX_COUNTED = 200;

/**
 * How many entries a modification has, orders counted by their elements, including all later modifications of its
 * rows, recursively.
 */
export function countTouched(database: Reader, modificationId: number): number {
  const ids = new Set([modificationId]);
  let [count, seen] = [0, 0];
  for (const each of ids) {
    count +=
      database.value<number>(
        `SELECT sum(iif(nom = 'Ordre', json_array_length(avant) / @places, 1 + bytes / @aRecord))
           FROM (SELECT nom, avant, coalesce(octet_length(avant), 0) + coalesce(octet_length(apres), 0) AS bytes
                 FROM Trace WHERE acte = @each LIMIT @most)`,
        { each, most: MAX_COUNTED, places: PLACES_A_RECORD, aRecord: BYTES_A_RECORD },
      ) ?? 0;
    seen++;
    // Each modification left to count has at least one entry: with a thousand edits of one book,
    // each would list all later ones.
    if (count + ids.size - seen >= MAX_COUNTED) return MAX_COUNTED;
    const later = database.values<number>(
      `SELECT DISTINCT t.acte FROM Trace own JOIN Trace t ON t.nom = own.nom AND t.cle = own.cle
       WHERE own.acte = @each AND t.acte > @each LIMIT @most`,
      { each, most: MAX_COUNTED },
    );
    for (const one of later) ids.add(one);
  }
  return count;
}

/** Removes the entries of an unsaved changeset, or at most `most` of them; returns how many. */
export const forgetTrace = (database: Transaction, modificationId: number, most = -1): number =>
  database.run(
    'DELETE FROM Trace WHERE seq IN (SELECT seq FROM Trace WHERE acte = ? LIMIT ?)',
    modificationId,
    most,
  ).changes;

/** Removes the entries of one row of a changeset. */
export const forgetRow = (
  database: Transaction,
  modificationId: number,
  { table, cle }: Pick<Change, 'table' | 'cle'>,
): void => {
  database.run(
    'DELETE FROM Trace WHERE acte = ? AND nom = ? AND cle = ?',
    modificationId,
    table,
    cle,
  );
};

// Rows, by the columns of the schema

const conditionOf = (names: readonly string[]): string =>
  names.map((name) => `"${name}" IS @${name}`).join(' AND ');

export function readRow(database: Reader, table: string, image: Row): Row | undefined {
  const { capture } = database;
  const key = capture.keyColumnsOf(table);
  // Listed by name, since `*` would include generated columns.
  const columns = capture.columnsOf(table).map((name) => `"${name}"`);
  const row = database.get<Row>(
    `SELECT ${columns.join(', ')} FROM "${table}" WHERE ${conditionOf(key)}`,
    pick(image, key),
  );
  return row && withValuesApart(row);
}

/** The keys of the rows that exist, by one query a table. */
export function keysThere(
  database: Reader,
  rows: readonly { readonly table: string; readonly id: unknown }[],
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const [table, some] of Map.groupBy(rows, (row) => row.table))
    for (const id of database.values<number>(
      `SELECT id FROM "${table}" WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(some.map((row) => row.id)),
    ))
      keys.add(`${table} ${String(id)}`);
  return keys;
}

/** The present rows of changes by key, by one query a table. */
export function rowsOf(database: Reader, changes: readonly Change[]): ReadonlyMap<string, Row> {
  const { capture } = database;
  const rows = new Map<string, Row>();
  for (const [table, some] of Map.groupBy(changes, (change) => change.table)) {
    const wanted = new Set(some.map(({ cle }) => cle));
    const [first = ''] = capture.keyColumnsOf(table);
    const columns = capture.columnsOf(table).map((name) => `"${name}"`);
    for (const row of database.all<Row>(
      `SELECT ${columns.join(', ')} FROM "${table}" WHERE "${first}" IN (SELECT value FROM json_each(?))`,
      JSON.stringify(some.map(({ avant, apres }) => (apres ?? avant)?.[first])),
    )) {
      const cle = cleOf(database, table, row);
      if (wanted.has(cle)) rows.set(rowKeyOf({ table, cle }), withValuesApart(row));
    }
  }
  return rows;
}

/** The keys of referencing rows, by the key of the referenced row, by one query a foreign key. */
export function keysLeadingTo(
  database: Reader,
  changes: readonly Change[],
): ReadonlyMap<string, readonly string[]> {
  const { capture } = database;
  const leading = new Map<string, string[]>();
  for (const [target, some] of Map.groupBy(changes, (change) => change.table))
    for (const { table, column } of capture.foreignKeysTo(target)) {
      const columns = [...new Set([...capture.keyColumnsOf(table), column])];
      for (const row of database.all<Row>(
        `SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM "${table}"
         WHERE "${column}" IN (SELECT value FROM json_each(?))`,
        JSON.stringify(some.map(({ avant, apres }) => (apres ?? avant)?.['id'])),
      )) {
        const key = `${target} ${String(row[column])}`;
        const known = leading.get(key) ?? [];
        known.push(rowKeyOf({ table, cle: cleOf(database, table, row) }));
        leading.set(key, known);
      }
    }
  return leading;
}

/** One statement per table: one per row takes three times as long. */
export function removeRows(database: Transaction, table: string, images: readonly Row[]): void {
  const key = database.capture.keyColumnsOf(table);
  database.run(
    `DELETE FROM "${table}" WHERE (${key.map((name) => `"${name}"`).join(', ')}) IN (
       SELECT ${key.map((_, index) => `value ->> ${String(index)}`).join(', ')} FROM json_each(?))`,
    JSON.stringify(images.map((image) => key.map((name) => image[name]))),
  );
}

export function restoreRow(database: Transaction, table: string, image: Row): void {
  const whole = withValuesTogether(image, () => undefined);
  const columns = database.capture.columnsOf(table).filter((name) => name in whole);
  database.run(
    `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(', ')})
       VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
    pick(whole, columns),
  );
}

/** Gives the row with the key of `from` the columns of `to`. */
export function rewriteRow(database: Transaction, table: string, from: Row, to: Row): void {
  const key = database.capture.keyColumnsOf(table);
  const whole = withValuesTogether(to, () => readRow(database, table, from));
  const columns = Object.keys(whole);
  database.run(
    `UPDATE "${table}" SET ${columns.map((name) => `"${name}" = @to_${name}`).join(', ')}
       WHERE ${conditionOf(key)}`,
    {
      ...Object.fromEntries(columns.map((name) => [`to_${name}`, whole[name]])),
      ...pick(from, key),
    },
  );
}

export function removeRow(database: Transaction, table: string, image: Row): void {
  const key = database.capture.keyColumnsOf(table);
  database.run(`DELETE FROM "${table}" WHERE ${conditionOf(key)}`, pick(image, key));
}

export const rowsLeadingTo = (database: Reader, table: string, column: string, id: number): Row[] =>
  database.all<Row>(`SELECT * FROM "${table}" WHERE "${column}" = ?`, id);

/** A row with unique values that another row needs, and their columns. */
interface ConflictingRow {
  readonly row: Row;
  readonly columns: readonly string[];
}

/** The rows whose unique values prevent a row from taking an image's values. */
export function conflictingRows(database: Reader, table: string, image: Row): ConflictingRow[] {
  const { capture } = database;
  const names = capture.columnsOf(table);
  const values = completeImage(database, table, image);
  const row = names.map((name) => `@${name} AS "${name}"`).join(', ');
  return capture
    .uniquesOf(table)
    .flatMap(({ terms, where, columns }) =>
      database
        .all<Row>(
          `SELECT * FROM "${table}" WHERE (${terms}) = (SELECT ${terms} FROM (SELECT ${row})) AND ${where}`,
          values,
        )
        .map((rival) => ({ row: rival, columns })),
    );
}

/** An image with the columns that a step leaves out, as its row has them now. */
const completeImage = (database: Reader, table: string, image: Row): Row =>
  pick({ ...readRow(database, table, image), ...image }, database.capture.columnsOf(table));

export const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
