import type { Row, RowChange } from '#shared/change-reader';
import { parseKept } from '#server/plumbing/database/columns';
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

// The acts after one that is to be undone, as `Trace` tells them.

/** With the later act that made it, where one is known. */
export interface ActObstacle {
  readonly obstacle: Obstacle;
  readonly by?: Pick<LaterAct, 'id' | 'change'> | undefined;
}

export class LaterActs {
  readonly #database: Reader;
  readonly #ids: readonly number[];
  readonly #inOrder: boolean;
  #referrers: ReturnType<typeof deletedReferrers> | undefined;

  /** @param inOrder as in `Attempt` */
  constructor(database: Reader, ids: readonly number[], inOrder: boolean) {
    this.#database = database;
    this.#ids = ids;
    this.#inOrder = inOrder;
  }

  /** `undefined` where only a later act would be in the way, and none is. */
  obstacleByAct(obstacle: Obstacle): ActObstacle | undefined {
    const { why, causes, lost } = obstacle;
    const ifAny = (by: ActObstacle['by']) => by && { obstacle, by };
    if (why === 'kept') {
      this.#referrers ??= deletedReferrers(this.#database, this.#ids);
      return ifAny(causes.map((cause) => this.#referrers?.get(rowKeyOf(cause))).find(Boolean));
    }
    const later = causes.flatMap((cause) => actsAfter(this.#database, this.#ids, cause));
    const newestFirst = later.filter((act) => act.isInForce).sort((a, b) => b.id - a.id);
    if (why === 'named' || why === 'touched')
      return ifAny(newestFirst.find(({ undoes }) => undoes.length === 0));
    // What an undone import has left is in nobody's way.
    const mayBeLeft = why === 'changed' || why === 'added' || lost?.isLoose === true;
    const isOfImport = later.some(({ operation }) => operation === 'importer');
    if (newestFirst.length === 0 && mayBeLeft && isOfImport) return undefined;
    const changer = this.#inOrder ? undefined : newestFirst.find((act) => !this.#leavesAll(act));
    return { obstacle, by: changer ?? newestFirst[0] };
  }

  /** Whether an act undoes only what came after these acts. */
  #leavesAll({ undoes }: LaterAct): boolean {
    return undoes.length > 0 && undoes.every((undone) => undone > Math.max(...this.#ids));
  }
}

interface LaterAct {
  readonly id: number;
  readonly operation: string;
  /** The acts that it undoes. */
  readonly undoes: readonly number[];
  readonly isInForce: boolean;
  readonly change: RowChange;
}

interface LaterTraceLine extends TraceLine {
  readonly id: number;
  readonly operation: string;
  readonly undoes: string;
  readonly isInForce: 0 | 1;
}

/** The lines of others after the first one of the acts `@acts`; `m` is the act of each. */
const LATER = `FROM Trace t JOIN Modification m ON m.id = t.acte
  WHERE t.acte NOT IN (SELECT value FROM json_each(@acts))
    AND t.seq > (SELECT min(seq) FROM Trace WHERE acte IN (SELECT value FROM json_each(@acts)))`;

function actsAfter(database: Reader, acts: readonly number[], cause: Cause): LaterAct[] {
  const { table, cle } = cause;
  const lines = database.all<LaterTraceLine>(
    `SELECT m.id, m.operation, m.annuleeParId IS NULL AS isInForce,
       iif(m.annuleId, json_insert(m.avec, '$[#]', m.annuleId), '[]') AS undoes,
       t.seq, t.nom, t.cle, t.avant, t.apres ${LATER}
       AND t.nom = @table AND t.cle = @cle AND NOT t.entraine
     ORDER BY m.id DESC, t.seq`,
    { table, cle, acts: JSON.stringify(acts) },
  );
  // That a word slept or woke is no rewriting; what renames one while it sleeps is told as its coming and going.
  const whole = (line: LaterTraceLine): LaterTraceLine =>
    cause.isRewrite
      ? { ...line, avant: line.avant ?? line.apres, apres: line.apres ?? line.avant }
      : line;
  return [...Map.groupBy(lines.map(whole), ({ id }) => id).values()].flatMap((all) =>
    all.slice(0, 1).flatMap(({ id, operation, isInForce, ...first }) => {
      const undoes = parseKept<number[]>(first.undoes);
      const change = all.slice(1).reduce(withLine, withLine(undefined, first));
      // The steps of an undoing may cancel each other out.
      const steps = undoes.length > 0 ? all.map((line) => withLine(undefined, line)) : [];
      if (![change, ...steps].some((each) => hasWritten(each, cause))) return [];
      return [{ id, operation, undoes, isInForce: isInForce === 1, change }];
    }),
  );
}

function hasWritten(change: Change, { columns, isRewrite }: Cause): boolean {
  const { avant, apres } = change;
  if (isRewrite) return isChanged(change);
  if (avant === null || apres === null) return true;
  return columns?.some((name) => avant[name] !== apres[name]) ?? true;
}

/** The rows that later acts in force have deleted, undoings left out, by the rows to which they referred. */
function deletedReferrers(
  database: Reader,
  acts: readonly number[],
): ReadonlyMap<string, Pick<LaterAct, 'id' | 'change'>> {
  const { capture } = database;
  const gone = database.all<{ id: number; nom: string; avant: string }>(
    `SELECT m.id, t.nom, t.avant ${LATER}
       AND t.apres IS NULL AND t.nom IN (SELECT value FROM json_each(@tables))
       AND m.annuleeParId IS NULL AND m.annuleId IS NULL
       AND NOT EXISTS (SELECT 1 FROM Trace u
         WHERE u.nom = t.nom AND u.cle = t.cle AND u.acte = t.acte AND u.seq > t.seq)
     ORDER BY t.seq`,
    { acts: JSON.stringify(acts), tables: JSON.stringify(capture.tables) },
  );
  return new Map(
    gone.flatMap(({ id, nom: table, avant: text }) => {
      const avant = parseKept<Row>(text);
      // A row of one person, such as a reading, is in nobody else's way.
      if (ownerOf(avant) !== '') return [];
      const by = { id, change: { table, avant, apres: null } };
      return capture
        .linksOf(table)
        .map(({ column, target }) => [`${target} ${String(avant[column])}`, by] as const);
    }),
  );
}
