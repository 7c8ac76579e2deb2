import type { Theme } from '#shared/numeros';
import { textKey } from '#shared/text';
import { insertRow, writeList } from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { renewRows } from '#server/plumbing/database/renewal';
import { wakeByKey } from '#server/plumbing/records/dormant';

const themeKeys = ({ nom }: Pick<Theme, 'nom'>) => ({ nomNormalise: textKey(nom) });

/** The vocabulary, by name. */
export function listThemes(database: Reader): Theme[] {
  return database.all<Theme>('SELECT id, nom FROM Theme ORDER BY nomNormalise, id');
}

/**
 * Finds or creates the theme of a name and returns its id. The same word in another case or with
 * other accents is the same theme, in its first spelling (docs/rules.md § 21).
 */
export function findOrCreateTheme(database: Transaction, nom: string): number {
  const keys = themeKeys({ nom });
  return (
    database.value<number>('SELECT id FROM Theme WHERE nomNormalise = ?', keys.nomNormalise) ??
    wakeByKey(database, 'Theme', keys.nomNormalise) ??
    insertRow(database, 'Theme', { nom, ...keys })
  );
}

/** Replaces an issue's themes, in order; writes nothing where they are the same. */
export function writeThemes(database: Transaction, numeroId: number, ids: readonly number[]): void {
  const list = { table: 'NumeroTheme', record: 'numeroId', entry: 'themeId' };
  writeList(database, list, numeroId, ids);
}

/** Deletes the themes that no issue has, so that only words in use are suggested. */
export function deleteUnusedThemes(database: Transaction): void {
  database.run(
    'DELETE FROM Theme WHERE NOT EXISTS (SELECT 1 FROM NumeroTheme WHERE themeId = Theme.id)',
  );
}

/** A step of the start-up pass: the keys as the rules make them; a taken one stays as it is. */
export const renormaliserThemes = (database: Transaction): boolean =>
  renewRows<Theme & ReturnType<typeof themeKeys>>(database, 'Theme', themeKeys);
