import type { Theme } from '#shared/numeros';
import { cleTexte } from '#shared/text';
import type { Base } from '#server/database/base';

/** The vocabulary, by name. */
export function tousLesThemes(base: Base): Theme[] {
  return base.prepare<[], Theme>('SELECT id, nom FROM Theme ORDER BY nomNormalise, id').all();
}

/**
 * The theme of a name, made where there is none: the same word in another case or with other
 * accents is the same theme, in its first spelling (contract.md « Themes »).
 */
export function themeNomme(base: Base, nom: string): number {
  const cle = cleTexte(nom);
  const connu = base
    .prepare<[string], { id: number }>('SELECT id FROM Theme WHERE nomNormalise = ?')
    .get(cle);
  if (connu !== undefined) return connu.id;
  const { lastInsertRowid } = base
    .prepare<[string, string]>('INSERT INTO Theme (nom, nomNormalise) VALUES (?, ?)')
    .run(nom, cle);
  return Number(lastInsertRowid);
}

/** Gives an issue its themes, in order. */
export function ecrireThemes(base: Base, numeroId: number, ids: readonly number[]): void {
  base.prepare<[number]>('DELETE FROM NumeroTheme WHERE numeroId = ?').run(numeroId);
  const inserer = base.prepare<[number, number, number]>(
    'INSERT INTO NumeroTheme (numeroId, themeId, position) VALUES (?, ?, ?)',
  );
  ids.forEach((themeId, position) => inserer.run(numeroId, themeId, position));
}

/** Takes away the themes that no issue has, so that only words in use are proposed. */
export function retirerThemesSansNumero(base: Base): void {
  base
    .prepare(
      'DELETE FROM Theme WHERE NOT EXISTS (SELECT 1 FROM NumeroTheme WHERE themeId = Theme.id)',
    )
    .run();
}

/** A step of the start-up pass: the keys as the rules make them; a taken one is left to its owner. */
export function renormaliserThemes(base: Base): void {
  const renormaliser = base.prepare(
    `UPDATE OR IGNORE Theme SET nomNormalise = cle_texte(nom)
     WHERE nomNormalise <> cle_texte(nom)`,
  );
  // A key that moves may make room for the next.
  while (renormaliser.run().changes > 0);
}
