import type { Change } from '#shared/replication';
import { linesOf, readState, STATE, type Pack, type State } from './packs.ts';
import { SHAPES } from './shapes.ts';

// How packs are written, which comes with RxDB; how they are read is in `packs.ts`, which the first load has.

const IDS = 128;

export const packIdOf = ({ collection, id }: Pick<Change, 'collection' | 'id'>): string =>
  `${collection}/${String(Math.floor(id / IDS))}`;

export const stateDocument = (state: State): Pack => ({
  id: STATE,
  shapes: SHAPES,
  records: JSON.stringify(state),
});

/** The state that one write has brought; `null` where it brought none. */
export function stateIn(packs: readonly Pack[]): State | null {
  const document = packs.find(({ id }) => id === STATE);
  return document === undefined ? null : readState(document);
}

/**
 * The packs that a page of changes touches, with its changes in them: of two about one record the
 * later revision stays, so that a page which comes twice, or late, changes nothing.
 *
 * @param held the packs of the device; those that it lacks are begun
 */
export function mergeIntoPacks(
  existing: ReadonlyMap<string, Pack>,
  changes: readonly Change[],
): Pack[] {
  const touched = Map.groupBy(changes, packIdOf);
  return [...touched].flatMap(([id, some]) => {
    const pack = existing.get(id);
    const lines = new Map((pack ? linesOf(pack) : []).map((line) => [line[0], line]));
    const news = some.filter((change) => (lines.get(change.id)?.[1] ?? -1) < change.revision);
    if (news.length === 0) return [];
    for (const { id: record, revision, document } of news)
      lines.set(record, [record, revision, document]);
    return [{ id, shapes: SHAPES, records: JSON.stringify([...lines.values()]) }];
  });
}
