import type { Row } from '#shared/change-reader';
import type { Database } from '#server/plumbing/database/database';

/** Every row of the household by table, without derived ones. */
export function householdRows(database: Database): Record<string, Row[]> {
  const tables = database
    .prepare<[], { name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
         AND name NOT IN ('Migration', 'Installation', 'Journal', 'JournalDate', 'IdempotencyRecord',
           'Modification', 'Trace', 'WriteProbe', 'Complement', 'AuteurForme', 'Generation', 'Dormant',
           'Membre', 'Session', 'Appareil', 'ReseauConnu', 'Invitation', 'Cle', 'CleAcces', 'Portrait',
           'CompteFournisseur', 'Depart', 'Langue', 'Liste', 'Offre',
           'OffreDeVisite', 'OffresMontrees', 'Partage')
         AND name NOT LIKE 'Importation%' AND name NOT LIKE '%Couverture%'
       ORDER BY name`,
    )
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => {
      // `actuels` is derived from `criteres` and the current renames, including undone ones.
      const rows = database
        .prepare<[], Row>(`SELECT * FROM "${name}"`)
        .all()
        .map(({ actuels: _, ...row }) => row);
      return [name, rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
    }),
  );
}
