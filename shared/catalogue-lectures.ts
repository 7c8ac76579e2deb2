import type { Entry } from './catalogue-entries.ts';
import type { LusParMoi } from './lectures.ts';
import type { PersonalTri } from './sort.ts';

/**
 * Books by what their reader has noted: the best rating or the latest end first, those without last (docs/rules.md § 6).
 *
 * @param entries in alphabetical order, which those alike keep
 */
export function byNotation(
  entries: readonly Entry[],
  tri: PersonalTri,
  { lus, isReversed }: { readonly lus: LusParMoi; readonly isReversed: boolean },
): readonly Entry[] {
  const known: { readonly entry: Entry; readonly key: number | string }[] = [];
  const others: Entry[] = [];
  for (const entry of entries) {
    const key = lus.get(entry.livre.id)?.[tri] ?? null;
    if (key === null) others.push(entry);
    else known.push({ entry, key });
  }
  known.sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0));
  if (isReversed) known.reverse();
  return [...known.map(({ entry }) => entry), ...others];
}
