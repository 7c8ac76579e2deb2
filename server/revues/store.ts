import type { Revue } from '#shared/revues';
import { cleTexte } from '#shared/text';
import type { Base } from '#server/database/base';

const LIRE = 'SELECT id, titre, issn FROM Revue';

/** What a periodical's row says of it. */
export type RevueEcrite = Omit<Revue, 'id'>;

export const revueExiste = (base: Base, id: number): boolean =>
  base.prepare<[number]>('SELECT 1 FROM Revue WHERE id = ?').get(id) !== undefined;

/** The periodical of an ISSN in its dashed form. */
export function revueDIssn(base: Base, issn: string): Revue | undefined {
  return base.prepare<[string], Revue>(`${LIRE} WHERE issn = ?`).get(issn);
}

/** The periodicals of one title, whatever its case, accents and punctuation, by id. */
export function revuesDuTitre(base: Base, titre: string): Revue[] {
  return base
    .prepare<[string], Revue>(`${LIRE} WHERE cle_texte(titre) = ? ORDER BY id`)
    .all(cleTexte(titre));
}

/** Writes a new periodical and returns its id; fails on the guard `Revue_issn_unique`. */
export function insererRevue(base: Base, revue: RevueEcrite): number {
  const { lastInsertRowid } = base
    .prepare<[RevueEcrite]>('INSERT INTO Revue (titre, issn) VALUES (@titre, @issn)')
    .run(revue);
  return Number(lastInsertRowid);
}

/** Rewrites a periodical; fails on the guard `Revue_issn_unique`. */
export function reecrireRevue(base: Base, id: number, revue: RevueEcrite): void {
  base
    .prepare<[RevueEcrite & { id: number }]>(
      'UPDATE Revue SET titre = @titre, issn = @issn WHERE id = @id',
    )
    .run({ ...revue, id });
}

/** Takes a periodical away, with its issues; tells whether it was there. */
export function effacerRevue(base: Base, id: number): boolean {
  return base.prepare<[number]>('DELETE FROM Revue WHERE id = ?').run(id).changes > 0;
}

/**
 * A step of the start-up pass: each ISSN in its dashed form. One whose dashed form another
 * periodical has keeps its own, and what is no ISSN stays as it is.
 */
export function renormaliserRevues(base: Base): void {
  base
    .prepare('UPDATE OR IGNORE Revue SET issn = lire_issn(issn) WHERE issn <> lire_issn(issn)')
    .run();
}
