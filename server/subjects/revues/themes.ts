import type { Theme } from '#shared/numeros';
import { textKey } from '#shared/text';
import { insertRow, writeList, renewRows } from '#server/plumbing/database/columns';
import type { Transaction } from '#server/plumbing/database/connection';
import { wakeByKey } from '#server/plumbing/records/dormant';

// The household's shared vocabulary, of which only words in use are there (docs/rules.md § 21).

const keysOf = ({ nom }: Pick<Theme, 'nom'>) => ({ nomNormalise: textKey(nom) });

/** The theme of a name: the same word in another case or with other accents, in its first spelling. */
function findOrCreateTheme(tx: Transaction, nom: string): number {
  const keys = keysOf({ nom });
  return (
    tx.value<number>('SELECT id FROM Theme WHERE nomNormalise = ?', keys.nomNormalise) ??
    wakeByKey(tx, 'Theme', keys.nomNormalise) ??
    insertRow(tx, 'Theme', { nom, ...keys })
  );
}

/** Replaces an issue's themes, in order; writes nothing where they are the same. */
export function writeThemes(tx: Transaction, numeroId: number, noms: readonly string[]): void {
  const ids = new Set(noms.map((nom) => findOrCreateTheme(tx, nom)));
  writeList(tx, { table: 'NumeroTheme', record: 'numeroId', entry: 'themeId' }, numeroId, [...ids]);
}

export function deleteUnusedThemes(tx: Transaction): void {
  tx.run('DELETE FROM Theme WHERE NOT EXISTS (SELECT 1 FROM NumeroTheme WHERE themeId = Theme.id)');
}

/** A key that is taken stays as it is. */
export const renormaliserThemes = (tx: Transaction): boolean =>
  renewRows<Theme & ReturnType<typeof keysOf>>(tx, 'Theme', keysOf);
