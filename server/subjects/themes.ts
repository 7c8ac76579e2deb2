import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import * as api from '#shared/themes';
import type { Theme } from '#shared/themes';
import { found } from '#shared/refusals';
import { textKey } from '#shared/text';
import {
  insertRow,
  readList,
  renewedLine,
  renewRows,
  updateRow,
  writeList,
  asText,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { restoreArchivedByKey } from '#server/plumbing/records/dormant';
import type { TableRules } from '#server/plumbing/records/kind';
import { suivreRenommage } from './selections/renommages.ts';

// The household's shared vocabulary, which has only words in use (docs/rules.md § 21). Themes are no collection: books
// and issues bring their names along.

const LISTS = {
  livres: { table: 'LivreTheme', record: 'livreId', entry: 'themeId' },
  numeros: { table: 'NumeroTheme', record: 'numeroId', entry: 'themeId' },
} as const;

export const themesOf = (of: keyof typeof LISTS): string =>
  `(SELECT json_group_array(${asText('t.nom')} ORDER BY l.position) FROM ${LISTS[of].table} l
    JOIN Theme t ON t.id = l.themeId WHERE l.${LISTS[of].record} = d.id)`;

const keysOf = ({ nom }: Pick<Theme, 'nom'>) => ({ nomNormalise: textKey(nom) });

const idByKey = (database: Reader, key: string): number | undefined =>
  database.value<number>('SELECT id FROM Theme WHERE nomNormalise = ?', key);

/** Finds the theme of a name, ignoring case and accents, or creates it; the first spelling stays. */
function findOrCreateTheme(tx: Transaction, nom: string): number {
  const { nomNormalise } = keysOf({ nom });
  return (
    idByKey(tx, nomNormalise) ??
    restoreArchivedByKey(tx, 'Theme', nomNormalise) ??
    insertRow(tx, 'Theme', { nom, nomNormalise })
  );
}

/** Replaces the record's themes and deletes those that no record uses any more. */
export function writeThemes(
  tx: Transaction,
  of: keyof typeof LISTS,
  id: number,
  noms: readonly string[],
): void {
  const previous = themeIdsOf(tx, of, id);
  const ids = new Set(noms.map((nom) => findOrCreateTheme(tx, nom)));
  writeList(tx, LISTS[of], id, [...ids]);
  deleteUnusedThemes(tx, previous);
}

/** Added after its present ones. */
export const addThemes = (
  tx: Transaction,
  of: keyof typeof LISTS,
  id: number,
  noms: readonly string[],
): void =>
  writeList(tx, LISTS[of], id, [
    ...new Set([...themeIdsOf(tx, of, id), ...noms.map((nom) => findOrCreateTheme(tx, nom))]),
  ]);

export const themeIdsOf = (database: Reader, of: keyof typeof LISTS, id: number): number[] =>
  readList<number>(database, LISTS[of], id);

/**
 * Deletes the unused ones among the given ids: the caller knows which may be unused, and there may be thousands of
 * others.
 */
export function deleteUnusedThemes(tx: Transaction, ids: readonly number[]): void {
  tx.run(
    `DELETE FROM Theme WHERE id IN (SELECT value FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM NumeroTheme WHERE themeId = Theme.id)
       AND NOT EXISTS (SELECT 1 FROM LivreTheme WHERE themeId = Theme.id)`,
    JSON.stringify(ids),
  );
}

/** For the kind of issues, which introduced themes. */
export const themeRules: TableRules = {
  derived: ['nomNormalise'],
  lookupTable: {
    unique: 'nomNormalise',
    named: m.reason_theme_sert,
    deleteUnused: deleteUnusedThemes,
  },
  reasons: {
    taken: () => m.reason_theme_meme_nom(),
    gone: m.reason_theme_supprime,
  },
};

/** A key that is taken stays as it is. */
export const renormaliserThemes = (tx: Transaction): boolean =>
  renewRows<Theme & ReturnType<typeof keysOf>>(tx, 'Theme', (theme) => {
    const nom = renewedLine(theme.nom);
    return { nom, ...keysOf({ nom }) };
  });

const requireTheme = (database: Reader, id: number): Theme =>
  found(database.get<Theme>('SELECT id, nom FROM Theme WHERE id = ?', id));

/** Renames a theme everywhere, or merges it into the one that has the name. Throws `INTROUVABLE`. */
function modifierTheme(tx: Transaction, id: number, nom: string): Theme {
  const { nom: de } = requireTheme(tx, id);
  const theme = renameTheme(tx, id, nom);
  suivreRenommage(tx, { genre: 'theme', de, vers: theme.nom });
  return theme;
}

function renameTheme(tx: Transaction, id: number, nom: string): Theme {
  const other = idByKey(tx, keysOf({ nom }).nomNormalise);
  if (other === undefined || other === id) {
    updateRow(tx, 'Theme', id, { nom, ...keysOf({ nom }) });
    return requireTheme(tx, id);
  }
  for (const { table, record } of Object.values(LISTS)) {
    tx.run(
      `DELETE FROM ${table} WHERE themeId = ?
         AND ${record} IN (SELECT ${record} FROM ${table} WHERE themeId = ?)`,
      id,
      other,
    );
    tx.run(`UPDATE ${table} SET themeId = ? WHERE themeId = ?`, other, id);
  }
  deleteUnusedThemes(tx, [id]);
  return requireTheme(tx, other);
}

const renaming = operation(api.modifierTheme, {
  may: 'household',
  holder: 'theme',
  size: (database, { params }) =>
    Object.values(LISTS)
      .map(({ table }) => `SELECT count(*) FROM ${table} WHERE themeId = ?`)
      .reduce((sum, sql) => sum + (database.value<number>(sql, params.id) ?? 0), 0),
  run: (tx, { params, body }) => answer(modifierTheme(tx, params.id, body.nom)),
});

export function routes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, [
    read(api.listerThemes, {
      may: 'household',
      run: () => database.all<Theme>('SELECT id, nom FROM Theme ORDER BY nomNormalise, id'),
    }),
    renaming,
  ]);
}
