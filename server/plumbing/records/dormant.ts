import type { Row } from '#shared/change-reader';
import { insertRow, parseKept } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

/** A row that went with the last thing that named it: triggers keep it, under its id. */
interface Dormant {
  readonly id: number;
  readonly image: string;
  readonly since: string;
}

/**
 * Wakes the dormant row of an id, and tells whether there was one. Violates a constraint where another row has
 * been given its name.
 */
export const wake = (database: Transaction, table: string, id: number): boolean =>
  wakeRow(
    database,
    table,
    database.get(
      'SELECT id, image, depuis AS since FROM Dormant WHERE kind = ? AND id = ?',
      table,
      id,
    ),
  ) !== undefined;

export const wakeByKey = (database: Transaction, table: string, cle: string): number | undefined =>
  wakeRow(database, table, byKey(database, table, cle));

export function dormantById(database: Reader, table: string, id: number): Row | undefined {
  const image = database.value<string>(
    'SELECT image FROM Dormant WHERE kind = ? AND id = ?',
    table,
    id,
  );
  return image === undefined ? undefined : parseKept<Row>(image);
}

/** Has the dormant row of an id be as an image says once it wakes; `cle` is the key by which it is found again. */
export function rewriteDormant(
  database: Transaction,
  { table, id, cle }: { readonly table: string; readonly id: number; readonly cle: string },
  image: Row,
): void {
  database.run(
    'UPDATE Dormant SET image = ?, cle = ? WHERE kind = ? AND id = ?',
    ...[JSON.stringify(image), cle, table, id],
  );
}

/** Notes again what the readings of a book that has gone call it, unless the book is there. */
export function noteGoneLivre(database: Transaction, noted: Row): void {
  const livre = database.value('SELECT 1 FROM Livre WHERE id = @id', noted);
  if (livre !== undefined) return;
  database.run("DELETE FROM Dormant WHERE kind = 'Livre' AND id = @id", noted);
  database.run(
    'INSERT INTO Dormant (kind, id, cle, image, depuis) VALUES (@kind, @id, @cle, @image, @depuis)',
    noted,
  );
}

export function dormantByKey(database: Reader, table: string, cle: string): Row | undefined {
  const dormant = byKey(database, table, cle);
  return dormant && parseKept<Row>(dormant.image);
}

/** Of several, the last to have gone. There is hardly ever one: to sort in SQL costs more than to look. */
const byKey = (database: Reader, table: string, cle: string): Dormant | undefined =>
  database
    .all<Dormant>(
      'SELECT id, image, depuis AS since FROM Dormant WHERE kind = ? AND cle = ?',
      table,
      cle,
    )
    .reduce<Dormant | undefined>(
      (last, one) => (last && isBefore(one, last) ? last : one),
      undefined,
    );

const isBefore = (a: Dormant, b: Dormant): boolean =>
  a.since < b.since || (a.since === b.since && a.id < b.id);

function wakeRow(
  database: Transaction,
  table: string,
  dormant: Dormant | undefined,
): number | undefined {
  return dormant && insertRow(database, table, parseKept<Row>(dormant.image));
}

/** Forgets the rows that are dormant since before a date and that no kept act and no reading can need. */
export const forgetDormant = (database: Transaction, before: string): void => {
  database.run(
    `DELETE FROM Dormant WHERE depuis < min(?, coalesce((SELECT min(date) FROM Modification), ?))
       AND NOT (kind = 'Livre' AND id IN (SELECT livreId FROM Lecture))`,
    before,
    before,
  );
};
