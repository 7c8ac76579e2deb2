import type { Row, RowChange } from '#shared/change-reader';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { parseKept } from '#server/plumbing/database/columns';
import { readRow } from './rows.ts';

/** What acts did to one row in all. The images of a rewritten row have its key, its owner and what changed only. */
export interface Change extends RowChange {
  /** Its key as text, as `Trace` has it. */
  readonly cle: string;
  /** Its first and its last image: a row that came and went between has these, too. */
  readonly first: Row;
  readonly last: Row;
  /** When it was last written. */
  readonly seq: number;
}

interface Line {
  readonly seq: number;
  readonly nom: string;
  readonly cle: string;
  readonly avant: string | null;
  readonly apres: string | null;
}

/** The lines of `Trace` that are of rows, as a condition of SQL. */
const ROWS = "nom NOT IN ('Ordre', 'Dormant')";
/** What was noted of books that have gone, for their readings. */
export const DORMANT = "nom = 'Dormant'";

/** What acts did to each row in all, in the order in which the rows were first touched. */
export function changesOf(database: Reader, acts: readonly number[], which = ROWS): Change[] {
  const changes = new Map<string, Change>();
  const lines = database
    .prepare<[string], Line>(
      `SELECT seq, nom, cle, avant, apres FROM Trace
       WHERE acte IN (SELECT value FROM json_each(?)) AND ${which} ORDER BY seq`,
    )
    .iterate(JSON.stringify(acts));
  for (const line of lines) {
    const key = `${line.nom} ${line.cle}`;
    changes.set(key, joined(changes.get(key), line));
  }
  return [...changes.values()];
}

/** What was done to a row in all, with one line more. */
function joined(known: Change | undefined, { seq, nom: table, cle, ...images }: Line): Change {
  const [avant, apres] = [imageOf(images.avant), imageOf(images.apres)];
  const [first, last] = [avant ?? apres ?? {}, apres ?? avant ?? {}];
  if (known === undefined) return { table, cle, avant, apres, first, last, seq };
  return {
    table,
    cle,
    avant: known.avant && { ...avant, ...known.avant },
    apres: apres && { ...known.apres, ...apres },
    first: { ...first, ...known.first },
    last: { ...known.last, ...last },
    seq,
  };
}

const imageOf = (text: string | null): Row | null => (text === null ? null : parseKept<Row>(text));

/** Whether a row is otherwise than before. */
export const isChanged = ({ avant, apres }: RowChange): boolean =>
  avant === null || apres === null ? avant !== apres : changedColumns(avant, apres).length > 0;

/** The columns in which two images of a row differ. */
export const changedColumns = (avant: Row, apres: Row): string[] =>
  Object.keys(apres).filter((name) => avant[name] !== apres[name]);

/** Whose row it is; '' where it is everyone's. */
export const ownerOf = (row: Row | null): string => {
  const owner = row?.['utilisateur'];
  return typeof owner === 'string' ? owner : '';
};

/** The person to whom all of some changed rows belong; '' where some are everyone's. */
export function ownerOfAll(changes: readonly RowChange[]): string {
  const owners = new Set(changes.map(({ avant, apres }) => ownerOf(apres ?? avant)));
  const [owner = ''] = owners;
  return owners.size === 1 ? owner : '';
}

/** The key of a row as text, as the triggers write it. */
export function cleOf(database: Reader, table: string, row: Row): string {
  const values = database.capture.keyOf(table).map((name) => row[name]);
  return values.length === 1 ? String(values[0]) : JSON.stringify(values);
}

/** The changes of an act that has just been, with all columns of the rows that are there. */
export const wholeChanges = (database: Reader, changes: readonly Change[]): Change[] =>
  changes.map((change) => {
    const { table, avant, apres } = change;
    if (avant === null || apres === null) return change;
    const row = readRow(database, table, apres);
    return { ...change, avant: { ...row, ...avant }, apres: { ...row, ...apres } };
  });

/** Removes the lines of rows that end as they began: a list is often written anew as it was. */
export function forgetUnchanged(
  database: Transaction,
  act: number,
  changes: readonly Change[],
): void {
  for (const { table, cle } of changes.filter((change) => !isChanged(change)))
    database.run('DELETE FROM Trace WHERE acte = ? AND nom = ? AND cle = ?', act, table, cle);
}

/** Writes a line of an act that has been, at its place among those of others. */
export const writeLine = (
  database: Transaction,
  act: number,
  { table, cle, avant, apres, seq }: Omit<Change, 'first' | 'last'>,
): void => {
  database.run(
    'INSERT INTO Trace (seq, acte, nom, cle, avant, apres) VALUES (?, ?, ?, ?, ?, ?)',
    ...[seq, act, table, cle, avant && JSON.stringify(avant), apres && JSON.stringify(apres)],
  );
};

/** The acts in force that deleted a row, the newest first: each brings it back. */
export const deletionsOf = (database: Reader, { table, cle }: Pick<Change, 'table' | 'cle'>) =>
  database.values<number>(
    `SELECT DISTINCT m.id FROM Trace t JOIN Modification m ON m.id = t.acte
     WHERE t.nom = ? AND t.cle = ? AND t.apres IS NULL AND m.annuleeParId IS NULL ORDER BY m.id DESC`,
    table,
    cle,
  );

/** Rewrites the line of an act that deleted a row: its undoing restores the row as `image`, and for `null` not at all. */
export function rewriteDeleted(
  database: Transaction,
  act: number,
  { table, cle }: Pick<Change, 'table' | 'cle'>,
  image: Row | null,
): void {
  database.run('DELETE FROM Trace WHERE acte = ? AND nom = ? AND cle = ?', act, table, cle);
  if (image !== null)
    database.run(
      'INSERT INTO Trace (acte, nom, cle, avant) VALUES (?, ?, ?, ?)',
      ...[act, table, cle, JSON.stringify(image)],
    );
}

/** Writes a line of the open act for a row that is not there. */
export const noteChange = (
  database: Transaction,
  { table, cle, avant, apres }: Pick<Change, 'table' | 'cle' | 'avant' | 'apres'>,
): void => {
  database.run(
    'INSERT INTO Trace (acte, nom, cle, avant, apres) VALUES ((SELECT id FROM OpenAct), ?, ?, ?, ?)',
    ...[table, cle, avant && JSON.stringify(avant), apres && JSON.stringify(apres)],
  );
};

/** Removes the lines of an act that is not kept. */
export const forgetTrace = (database: Transaction, act: number): void => {
  database.run('DELETE FROM Trace WHERE acte = ?', act);
};

/** Moves the lines of one act to another. */
export const moveTrace = (database: Transaction, from: number, to: number): void => {
  database.run('UPDATE Trace SET acte = ? WHERE acte = ?', to, from);
};

/** The order of one list before an act and after it; an element is « Place 3 ». */
export interface Ordre {
  readonly list: string;
  readonly of: string | number | null;
  readonly avant: readonly string[];
  readonly apres: readonly string[];
}

/** The same, and when it was written. */
export interface KeptOrdre extends Ordre {
  readonly seq: number;
}

export function writeOrdres(database: Transaction, act: number, ordres: readonly Ordre[]): void {
  for (const { list, of, avant, apres } of ordres)
    database.run(
      "INSERT INTO Trace (acte, nom, cle, avant, apres) VALUES (?, 'Ordre', ?, ?, ?)",
      ...[act, JSON.stringify([list, of]), JSON.stringify(avant), JSON.stringify(apres)],
    );
}

/** The orders of a list that acts found before one changed it, the latest first: what has gone stands in these. */
export const earlierOrders = (
  database: Reader,
  { list, of }: Pick<Ordre, 'list' | 'of'>,
  before: number,
): string[][] =>
  database
    .values<string>(
      "SELECT avant FROM Trace WHERE nom = 'Ordre' AND cle = ? AND seq < ? ORDER BY seq DESC",
      JSON.stringify([list, of]),
      before,
    )
    .map((avant) => parseKept<string[]>(avant));

/** The orders that acts have changed, the last one first. */
export const ordresOf = (database: Reader, acts: readonly number[]): KeptOrdre[] =>
  database
    .all<{ seq: number; cle: string; avant: string; apres: string }>(
      `SELECT seq, cle, avant, apres FROM Trace
       WHERE acte IN (SELECT value FROM json_each(?)) AND nom = 'Ordre' ORDER BY seq DESC`,
      JSON.stringify(acts),
    )
    .map(({ seq, cle, avant, apres }) => {
      const [list, of] = parseKept<[string, Ordre['of']]>(cle);
      return {
        seq,
        list,
        of,
        avant: parseKept<string[]>(avant),
        apres: parseKept<string[]>(apres),
      };
    });

/** A change of one row: of any kind, or one that made it, deleted it or wrote one of some columns. */
export interface Cause {
  readonly table: string;
  readonly cle: string;
  readonly columns?: readonly string[];
  /** Acts that did not bring it about, whatever they did to the row. */
  readonly not?: readonly number[];
}

/** An act that came after another one, and what it did to the row in question. */
export interface LaterAct {
  readonly id: number;
  readonly operation: string;
  /** The acts that it takes back. */
  readonly undoes: readonly number[];
  readonly isInForce: boolean;
  readonly change: RowChange;
}

interface LaterLine extends Line {
  readonly id: number;
  readonly operation: string;
  readonly annuleId: number | null;
  readonly avec: string;
  readonly isInForce: 0 | 1;
}

/** The acts since the first line of others that wrote what is asked about, the newest first. */
export function actsAfter(
  database: Reader,
  acts: readonly number[],
  { table, cle, columns, not = [] }: Cause,
): LaterAct[] {
  const lines = database.all<LaterLine>(
    `SELECT m.id, m.operation, m.annuleId, m.avec, m.annuleeParId IS NULL AS isInForce,
       t.seq, t.nom, t.cle, t.avant, t.apres
     FROM Trace t JOIN Modification m ON m.id = t.acte
     WHERE t.nom = @table AND t.cle = @cle AND t.acte NOT IN (SELECT value FROM json_each(@others))
       AND t.seq > (SELECT min(seq) FROM Trace WHERE acte IN (SELECT value FROM json_each(@acts)))
     ORDER BY m.id DESC, t.seq`,
    { table, cle, acts: JSON.stringify(acts), others: JSON.stringify([...acts, ...not]) },
  );
  return [...Map.groupBy(lines, ({ id }) => id).values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const { id, operation, annuleId, avec, isInForce } = first;
    const steps = all.map((line) => joined(undefined, line));
    const change = all.reduce<Change | undefined>(joined, undefined) ?? steps[0];
    const undoes = annuleId === null ? [] : [annuleId, ...parseKept<number[]>(avec)];
    // The acts that an undoing has taken back may cancel each other out.
    const isCause =
      isWritten(change, columns) ||
      (undoes.length > 0 && steps.some((step) => isWritten(step, columns)));
    if (change === undefined || !isCause) return [];
    return [{ id, operation, undoes, isInForce: isInForce === 1, change }];
  });
}

function isWritten(change: Change | undefined, columns: readonly string[] | undefined): boolean {
  if (change === undefined) return false;
  const { avant, apres } = change;
  if (avant === null || apres === null || columns === undefined) return true;
  return columns.some((name) => avant[name] !== apres[name]);
}

/** The rows that acts in force have deleted since some acts, undoings left out, by the rows to which they led. */
export function leadingGone(
  database: Reader,
  acts: readonly number[],
): ReadonlyMap<string, { readonly id: number; readonly change: RowChange }> {
  const { capture } = database;
  const gone = database.all<{ id: number; nom: string; avant: string }>(
    `SELECT t.acte AS id, t.nom, t.avant FROM Trace t JOIN Modification m ON m.id = t.acte
     WHERE t.apres IS NULL AND t.nom IN (SELECT value FROM json_each(@tables))
       AND t.seq > (SELECT min(seq) FROM Trace WHERE acte IN (SELECT value FROM json_each(@acts)))
       AND t.acte NOT IN (SELECT value FROM json_each(@acts))
       AND m.annuleeParId IS NULL AND m.annuleId IS NULL
       AND NOT EXISTS (SELECT 1 FROM Trace u
         WHERE u.nom = t.nom AND u.cle = t.cle AND u.acte = t.acte AND u.seq > t.seq)
     ORDER BY t.seq`,
    { acts: JSON.stringify(acts), tables: JSON.stringify(capture.tables) },
  );
  return new Map(
    gone.flatMap(({ id, nom: table, avant: text }) => {
      const avant = parseKept<Row>(text);
      // A row of one person's own, such as a reading, bars no other.
      if (ownerOf(avant) !== '') return [];
      const change = { table, avant, apres: null };
      return capture
        .linksOf(table)
        .map(
          ({ column, target }) => [`${target} ${String(avant[column])}`, { id, change }] as const,
        );
    }),
  );
}
