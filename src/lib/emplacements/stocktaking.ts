/** Present and missing books are in the order of `expected`, strangers in that of `seen`. */
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
 * The copy of a scanned code: an expected one that was not seen yet. If none is left, a repeated code is ignored
 * (`null`), since scanners read codes twice.
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
