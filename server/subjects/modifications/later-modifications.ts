import type { Row, RowChange } from '#shared/change-reader';
import { parseStored } from '#server/plumbing/common/stored-json';
import type { Reader } from '#server/plumbing/database/connection';
import {
  isChanged,
  withLine,
  ownerOf,
  rowKeyOf,
  type Change,
  type TraceLine,
} from '#server/plumbing/writes/traces';
import type { Cause, Obstacle } from './inverse.ts';

// The modifications after the one to be undone, from `Trace`.

/** A modification with its changes of one row. */
interface RowModification {
  readonly id: number;
  readonly operation: string;
  /** The modifications that it undoes. */
  readonly undoes: readonly number[];
  readonly lines: readonly TraceLine[];
}

interface RowModificationEntry extends TraceLine {
  readonly id: number;
  readonly operation: string;
  readonly undoes: string;
  readonly isInForce: 0 | 1;
}

/** The modifications that wrote rows, read once per row; uncommitted writes are not included. */
export class ModificationsByRow {
  readonly database: Reader;
  readonly #byRow = new Map<string, readonly RowModification[]>();
  readonly #isInForce = new Map<number, boolean>();

  constructor(database: Reader) {
    this.database = database;
  }

  /** Newest first. */
  of({ table, cle }: Pick<Cause, 'table' | 'cle'>): readonly RowModification[] {
    const key = rowKeyOf({ table, cle });
    const known = this.#byRow.get(key);
    if (known !== undefined) return known;
    const lines = this.database.all<RowModificationEntry>(
      `SELECT m.id, m.operation, m.annuleeParId IS NULL AS isInForce,
         iif(m.annuleId, json_insert(m.avec, '$[#]', m.annuleId), '[]') AS undoes,
         t.seq, t.nom, t.cle, t.avant, t.apres, t.entraine
       FROM Trace t JOIN Modification m ON m.id = t.acte
       WHERE t.nom = @table AND t.cle = @cle AND NOT t.entraine
       ORDER BY m.id DESC, t.seq`,
      { table, cle },
    );
    for (const { id, isInForce } of lines) this.#isInForce.set(id, isInForce === 1);
    const modifications = [...Map.groupBy(lines, ({ id }) => id).values()].flatMap((all) =>
      all.slice(0, 1).map(({ id, operation, undoes }) => ({
        id,
        operation,
        undoes: parseStored<number[]>(undoes),
        lines: all,
      })),
    );
    this.#byRow.set(key, modifications);
    return modifications;
  }

  isInForce({ id }: RowModification): boolean {
    return this.#isInForce.get(id) === true;
  }

  /** Call for modifications that were undone or are in force again. */
  noteAnnulees(ids: readonly number[]): void {
    for (const id of ids)
      this.#isInForce.set(
        id,
        this.database.value('SELECT annuleeParId IS NULL FROM Modification WHERE id = ?', id) === 1,
      );
  }
}

/** An obstacle with the later modification that caused it, if known. */
export interface ModificationObstacle {
  readonly obstacle: Obstacle;
  readonly by?: Pick<LaterModification, 'id' | 'change'> | undefined;
}

type LaterModification = Omit<RowModification, 'lines'> & { readonly change: RowChange };

export class LaterModifications {
  readonly #modifications: ModificationsByRow;
  readonly #database: Reader;
  readonly #ids: readonly number[];
  readonly #inOrder: boolean;
  readonly #since: number;
  #referrers: ReturnType<typeof deletedReferrers> | undefined;

  /** @param inOrder as in `Attempt` */
  constructor(modifications: ModificationsByRow, ids: readonly number[], inOrder: boolean) {
    this.#modifications = modifications;
    this.#database = modifications.database;
    this.#ids = ids;
    this.#inOrder = inOrder;
    this.#since =
      this.#database.value<number>(
        'SELECT min(seq) FROM Trace WHERE acte IN (SELECT value FROM json_each(?))',
        JSON.stringify(ids),
      ) ?? Infinity;
  }

  /** `undefined` if only a later modification could be an obstacle, and there is none. */
  obstacleByModification(obstacle: Obstacle): ModificationObstacle | undefined {
    const { why, causes, lost } = obstacle;
    const ifAny = (by: ModificationObstacle['by']) => by && { obstacle, by };
    if (why === 'kept') {
      this.#referrers ??= deletedReferrers(this.#database, this.#ids);
      return ifAny(causes.map((cause) => this.#referrers?.get(rowKeyOf(cause))).find(Boolean));
    }
    const newest = (isMeant: (modification: RowModification) => boolean) =>
      causes
        .flatMap((cause) => this.#newestOf(cause, isMeant) ?? [])
        .reduce<LaterModification | undefined>((a, b) => (a && a.id >= b.id ? a : b), undefined);
    const isInForce = (modification: RowModification) =>
      this.#modifications.isInForce(modification);
    if (why === 'named' || why === 'touched')
      return ifAny(
        newest((modification) => isInForce(modification) && modification.undoes.length === 0),
      );
    const last = newest(isInForce);
    // Remains of an undone import are no obstacle.
    const mayBeLeft = why === 'changed' || why === 'added' || lost?.isLoose === true;
    if (last === undefined && mayBeLeft && newest(({ operation }) => operation === 'importer'))
      return undefined;
    const changer = this.#inOrder
      ? undefined
      : newest((modification) => isInForce(modification) && !this.#leavesAll(modification));
    return { obstacle, by: changer ?? last };
  }

  /** The newest modification of a kind that wrote a possible cause, after the first entry of these modifications. */
  #newestOf(
    cause: Cause,
    isMeant: (modification: RowModification) => boolean,
  ): LaterModification | undefined {
    for (const modification of this.#modifications.of(cause)) {
      if (this.#ids.includes(modification.id) || !isMeant(modification)) continue;
      const lines = modification.lines.filter(({ seq }) => seq > this.#since);
      const change = changeOf({ ...modification, lines }, cause);
      if (change === null) continue;
      const { id, operation, undoes } = modification;
      return { id, operation, undoes, change };
    }
    return undefined;
  }

  /** Whether a modification undoes only later ones. */
  #leavesAll({ undoes }: RowModification): boolean {
    return undoes.length > 0 && undoes.every((undone) => undone > Math.max(...this.#ids));
  }
}

/** The change of a row by some entries; `null` if it is no cause. */
function changeOf({ undoes, lines }: RowModification, cause: Cause): RowChange | null {
  // Archiving and restoring a lookup row is no change; renaming an archived one is recorded as
  // deleted and inserted.
  const whole = (line: TraceLine): TraceLine =>
    cause.isRewrite
      ? { ...line, avant: line.avant ?? line.apres, apres: line.apres ?? line.avant }
      : line;
  const [first, ...rest] = lines.map(whole);
  if (first === undefined) return null;
  const change = rest.reduce(withLine, withLine(undefined, first));
  // The steps of an undo may cancel each other out.
  const steps = undoes.length > 0 ? [first, ...rest].map((line) => withLine(undefined, line)) : [];
  return [change, ...steps].some((each) => hasWritten(each, cause)) ? change : null;
}

function hasWritten(change: Change, { columns, isRewrite }: Cause): boolean {
  const { avant, apres } = change;
  if (isRewrite) return isChanged(change);
  if (avant === null || apres === null) return true;
  return columns?.some((name) => avant[name] !== apres[name]) ?? true;
}

/** The rows deleted by later modifications in force, undoings left out, by the rows that they referenced. */
function deletedReferrers(
  database: Reader,
  modifications: readonly number[],
): ReadonlyMap<string, Pick<LaterModification, 'id' | 'change'>> {
  const { capture } = database;
  const gone = database.all<{ id: number; nom: string; avant: string }>(
    `SELECT m.id, t.nom, t.avant FROM Trace t JOIN Modification m ON m.id = t.acte
     WHERE t.acte NOT IN (SELECT value FROM json_each(@modifications))
       AND t.seq > (SELECT min(seq) FROM Trace WHERE acte IN (SELECT value FROM json_each(@modifications)))
       AND t.apres IS NULL AND t.nom IN (SELECT value FROM json_each(@tables))
       AND m.annuleeParId IS NULL AND m.annuleId IS NULL
       AND NOT EXISTS (SELECT 1 FROM Trace u
         WHERE u.nom = t.nom AND u.cle = t.cle AND u.acte = t.acte AND u.seq > t.seq)
     ORDER BY t.seq`,
    { modifications: JSON.stringify(modifications), tables: JSON.stringify(capture.tables) },
  );
  return new Map(
    gone.flatMap(({ id, nom: table, avant: text }) => {
      const avant = parseStored<Row>(text);
      // A personal row, such as a reading, is no obstacle for others.
      if (ownerOf(avant) !== '') return [];
      const by = { id, change: { table, avant, apres: null } };
      return capture
        .foreignKeysOf(table)
        .map(({ column, target }) => [`${target} ${String(avant[column])}`, by] as const);
    }),
  );
}
