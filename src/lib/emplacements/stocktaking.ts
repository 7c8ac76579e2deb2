/** What is present and missing comes in the order of `expected`, strangers in that of `seen`. */
export function comparePresent<L extends { readonly id: number }>(
  expected: readonly L[],
  seen: readonly L[],
) {
  const seenIds = new Set(seen.map(({ id }) => id));
  const expectedIds = new Set(expected.map(({ id }) => id));
  return {
    present: expected.filter(({ id }) => seenIds.has(id)),
    missing: expected.filter(({ id }) => !seenIds.has(id)),
    /** Expected elsewhere or nowhere. */
    strangers: seen.filter(({ id }) => !expectedIds.has(id)),
  };
}

/**
 * The copy that a scanned code means: one that should stand there and was not seen yet. Where none is left, a code that
 * was seen before says nothing new (`null`): a scanner reads the same code twice.
 */
export function copySeen<L extends { readonly id: number }>(
  copies: readonly L[],
  expected: readonly L[],
  seen: ReadonlySet<number>,
): L | null {
  const expectedIds = new Set(expected.map(({ id }) => id));
  const awaited = copies.find(({ id }) => expectedIds.has(id) && !seen.has(id));
  if (awaited !== undefined) return awaited;
  return copies.some(({ id }) => seen.has(id)) ? null : (copies[0] ?? null);
}
