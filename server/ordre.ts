/**
 * Whether a new order of a list holds exactly what the list holds, each once. One that does not was
 * made from a list that has changed since, and is refused whole (contract.md `LISTE_PERIMEE`).
 */
export function estUnOrdreDe<T extends string | number>(
  liste: readonly T[],
  ordre: readonly T[],
): boolean {
  const reste = new Set(liste);
  return ordre.length === liste.length && ordre.every((element) => reste.delete(element));
}
