import { compareLectures, luParMoi, type Lecture, type LuParMoi } from '#shared/lectures';
import { derivedFromViews, views } from '$lib/sync/views.svelte';

const all = derivedFromViews((): readonly Lecture[] =>
  [...views().lectures.values()].sort(compareLectures),
);
const byLivre = derivedFromViews(() => Map.groupBy(all(), ({ livreId }) => livreId ?? 0));
const lus = derivedFromViews(
  () =>
    new Map(
      Array.from(byLivre()).flatMap(([livreId, lectures]): (readonly [number, LuParMoi])[] =>
        livreId === 0 ? [] : [[livreId, luParMoi(lectures)]],
      ),
    ),
);

/** What the reader of this device has read, reactive. */
export const lecturesView = {
  /** The open ones first, then the newest end first; those without dates last. */
  get all(): readonly Lecture[] {
    return all();
  },
  get count(): number {
    return views().lectures.size;
  },
  get(id: number): Lecture | undefined {
    return views().lectures.get(id);
  },
  /** The readings of a book of the house, in the same order. */
  ofLivre(livreId: number): readonly Lecture[] {
    return byLivre().get(livreId) ?? [];
  },
  /** The best rating and the latest end of each book that was read. */
  get lus(): ReadonlyMap<number, LuParMoi> {
    return lus();
  },
};
