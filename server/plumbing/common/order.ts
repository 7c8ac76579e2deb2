/**
 * Whether a new order of a list holds exactly the items of the list, each once. One that does not
 * was made from an outdated list and is refused as `LISTE_PERIMEE` (docs/rules.md § 17, 19).
 */
export function isReordering<T extends string | number>(
  list: readonly T[],
  order: readonly T[],
): boolean {
  const left = new Set(list);
  return order.length === list.length && order.every((item) => left.delete(item));
}
