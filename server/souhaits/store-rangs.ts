import type { Base } from '#server/database/base';

/** The two lists of wishes, which number their ranks apart. */
export type Liste = 'Souhait' | 'RevueSouhaitee';

/** The ids of one person's list, by rank. */
export function idsParRang(base: Base, liste: Liste, utilisateur: string): number[] {
  return base
    .prepare<[string], { id: number }>(
      `SELECT id FROM ${liste} WHERE utilisateur = ? ORDER BY rang, id`,
    )
    .all(utilisateur)
    .map(({ id }) => id);
}

/** Numbers a list anew from 1, in the order of the ids; a wish that keeps its rank is not written. */
export function ecrireRangs(
  base: Base,
  liste: Liste,
  utilisateur: string,
  ids: readonly number[],
): void {
  const ecrire = base.prepare<[number, number, string, number]>(
    `UPDATE ${liste} SET rang = ? WHERE id = ? AND utilisateur = ? AND rang <> ?`,
  );
  ids.forEach((id, index) => ecrire.run(index + 1, id, utilisateur, index + 1));
}

/** Takes a wish off its owner's list; tells whether it was there. */
export function effacer(base: Base, liste: Liste, utilisateur: string, id: number): boolean {
  const { changes } = base
    .prepare<[number, string]>(`DELETE FROM ${liste} WHERE id = ? AND utilisateur = ?`)
    .run(id, utilisateur);
  return changes > 0;
}
