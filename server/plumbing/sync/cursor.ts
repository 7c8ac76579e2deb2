import { createHash } from 'node:crypto';
import { champRefusal, Refusal } from '#shared/refusals';
import type { Checkpoint } from '#shared/replication';
import type { Database } from '#server/plumbing/database/database';

/**
 * How far one reader's copy has come. On the wire it is a checkpoint, of which `epoque` holds all
 * but the revision: `<epoch>-<generation>.<reader>.<sharedAfter>.<start>`, and for a copy that holds acts
 * `.<after>.<start>` of these. Those of before generations have none.
 */
export interface Cursor {
  /** The revision up to which the copy holds what its reader may read. */
  readonly revision: number;
  /**
   * The revision up to which it holds what is shared, where that is the later one: the personal
   * records of a caller who has become known since are sent from the beginning.
   */
  readonly sharedAfter: number;
  /**
   * The database's revision when the copy was begun, 0 once it is complete: it never held what was
   * deleted before, so it need not be told.
   */
  readonly start: number;
  readonly modifications: ModificationCursor;
}

/** How far a copy has come in the acts, which it is sent after all else, and only where it asks. */
interface ModificationCursor {
  /** The revision up to which it holds them; 0 where it holds none. */
  readonly after: number;
  /** The database's revision when it began to take them, 0 once it has all. */
  readonly start: number;
}

const NUMBER = String.raw`(0|[1-9]\d{0,15})`;
const TOKEN = new RegExp(
  String.raw`^(\w+(?:-\w+)?)\.([0-9a-f]{16}|)\.${NUMBER}\.${NUMBER}(?:\.${NUMBER}\.${NUMBER})?$`,
);

/**
 * The cursor of a request by one caller. Refuses one that this database has not given, and one from
 * before deletions that are forgotten (docs/rules.md § 28).
 */
export function readCursor(
  database: Database,
  utilisateur: string | null,
  { epoque, revision }: Partial<Checkpoint>,
): Cursor {
  const now = database.revision();
  const noModifications = { after: 0, start: now };
  if (epoque === undefined && revision === undefined)
    return { revision: 0, sharedAfter: 0, start: now, modifications: noModifications };
  if (epoque === undefined || revision === undefined) {
    const champ = epoque === undefined ? 'epoque' : 'revision';
    throw champRefusal(champ, 'manque : epoque et revision vont ensemble');
  }
  const [, origin = '', reader, ...numbers] = TOKEN.exec(epoque) ?? [];
  const [sharedAfter = NaN, start = NaN, after = NaN, begun = NaN] = numbers.map(Number);
  const modifications = Number.isNaN(after) ? noModifications : { after, start: begun };
  const given = { revision, sharedAfter, start, modifications };
  const furthest = Math.max(revision, ...numbers.filter(Boolean).map(Number));
  if (!database.history.holds(origin, furthest)) throw new Refusal('EPOQUE_PERIMEE');
  const cursor =
    reader === nameOf(database, utilisateur)
      ? given
      : { ...handOver(given), modifications: noModifications };
  if (isTooOld(database, cursor.revision, cursor.start)) throw new Refusal('EPOQUE_PERIMEE');
  return cursor;
}

/** Whether deletions are forgotten that a copy would have to be told of. */
export const isTooOld = (database: Database, after: number, start: number): boolean =>
  Math.max(after, start) < database.forgottenUpTo;

/** The checkpoint that a cursor is to its reader. */
export const toCheckpoint = (
  database: Database,
  utilisateur: string | null,
  { revision, sharedAfter, start, modifications: { after, start: begun } }: Cursor,
): Checkpoint => ({
  epoque: [
    database.history.origin,
    nameOf(database, utilisateur),
    sharedAfter,
    start,
    ...(after === 0 ? [] : [after, begun]),
  ].join('.'),
  revision,
});

/** For another reader: what is shared is there already, what is personal is not. */
function handOver({ revision, sharedAfter, start }: Omit<Cursor, 'modifications'>) {
  const held = Math.max(revision, sharedAfter);
  return { revision: 0, sharedAfter: held, start: Math.max(start, held) };
}

/** A reader's name as it stands in a token: the same for the same reader, and not to be read. */
const nameOf = (database: Database, utilisateur: string | null): string =>
  utilisateur === null
    ? ''
    : createHash('sha256').update(`${database.epoque}\n${utilisateur}`).digest('hex').slice(0, 16);
