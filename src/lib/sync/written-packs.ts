import type { Change } from '#shared/replication';
import { linesOf, readState, STATE, type Pack, type State } from './packs.ts';
import { SHAPES } from './shapes.ts';

// Writing of packs, loaded with RxDB; reading is in `packs.ts`, in the first load.

const IDS = 128;

export const packIdOf = ({ collection, id }: Pick<Change, 'collection' | 'id'>): string =>
  `${collection}/${String(Math.floor(id / IDS))}`;

export const stateDocument = (state: State): Pack => ({
  id: STATE,
  shapes: SHAPES,
  records: JSON.stringify(state),
});

/** The state in one write; `null` without one. */
export function stateIn(packs: readonly Pack[]): State | null {
  const document = packs.find(({ id }) => id === STATE);
  return document === undefined ? null : readState(document);
}

/**
 * Merges a page of changes into its packs and returns those that changed. The higher revision wins, so that a
 * repeated or late page has no effect.
 *
 * @param existing the device's packs; missing ones are created
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
