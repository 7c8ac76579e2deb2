import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { changed, forged, titresAt, upload } from './support.ts';

const IMPOSSIBLE = [
  [
    'a title of bytes',
    "UPDATE Livre SET titre = x'00ff' WHERE id = 1",
    'Livre, ligne 1, colonne titre',
  ],
  [
    'a year of text',
    "UPDATE Livre SET annee = 'mille' WHERE id = 1",
    'Livre, ligne 1, colonne annee',
  ],
  [
    'half a page',
    'UPDATE Livre SET nombrePages = 1.5 WHERE id = 1',
    'Livre, ligne 1, colonne nombrePages',
  ],
  ['a publisher of bytes', "UPDATE Livre SET editeur = x'00'", 'Livre, ligne 1, colonne editeur'],
  ['details that are a number', "UPDATE Livre SET details = '7' WHERE id = 1", 'colonne details'],
  [
    'a lender without a name',
    `UPDATE Livre SET emprunteA = '{"nom":7}' WHERE id = 1`,
    'colonne emprunteA',
  ],
  [
    'a borrower of bytes',
    "UPDATE Pret SET emprunteur = x'ff'",
    'Pret, ligne 1, colonne emprunteur',
  ],
  ['a rank of text', "UPDATE Souhait SET rang = 'un'", 'Souhait, ligne 1, colonne rang'],
  [
    'records of an act that are no JSON',
    "UPDATE Modification SET fiches = 'x'",
    'Modification, ligne 1, colonne fiches',
  ],
  ['records of an act that are no list', "UPDATE Modification SET fiches = '{}'", 'colonne fiches'],
  ['a trace of bytes', "UPDATE Trace SET apres = x'01'", 'Trace, ligne 1, colonne apres'],
  [
    'a row of an import that is no JSON',
    "UPDATE ImportationLigne SET content = '{'",
    'ImportationLigne, ligne 3, 1, colonne content',
  ],
  ['a moment beyond all days', 'UPDATE Importation SET date = 9223372036854775807', 'colonne date'],
  [
    'a theme without end',
    "UPDATE Theme SET nom = printf('%.*c', 500000, 'x')",
    'Theme, ligne 1, colonne nom',
  ],
  [
    'criteria that are a list',
    "UPDATE Selection SET criteres = '[]' WHERE id = 1",
    'colonne criteres',
  ],
  [
    'an author that is a number without text affinity',
    "UPDATE Statut SET statut = 'lu'",
    "Statut, ligne 1, 'ana', colonne statut",
  ],
] as const;

test.each(IMPOSSIBLE)(
  'a backup with %s is refused with its table and row',
  async (_, sql, where) => {
    const file = await forged(sql);
    const house = await openHouse();
    const { status, body } = await upload(house.url, readFileSync(file));
    expect([status, body['message']]).toEqual([400, expect.stringContaining(where)]);
    expect(await titresAt(house.url)).toEqual([]);
  },
);

test('a nightly backup that no restore would accept is not kept, and the reason is logged', async () => {
  const path = changed("UPDATE Livre SET titre = x'00ff' WHERE id = 1");
  const folder = join(temporaryFolder(), 'coffre');
  await expect(makeBackup(path, folder, { isNightly: true })).rejects.toThrow(
    /Aucune sauvegarde ne se restaurerait.*Livre, ligne 1, colonne titre.*non-restaurable\.zip/,
  );
});

test('a household with a row in every table is backed up and restored completely', async () => {
  const path = changed('SELECT 1');
  const { path: file } = await makeBackup(path, join(temporaryFolder(), 'coffre'));
  const databasePath = join(temporaryFolder(), 'maison.sqlite');
  await restoreBackup(file, { databasePath });
  expect(await titresAt((await openHouse(databasePath)).url)).toEqual([
    'L’Étranger : roman',
    'Sido',
  ]);
});

test('a household with ids of 10¹² and more is backed up and restored', async () => {
  const far = 10 ** 12;
  const path = changed(`INSERT INTO Livre (id, titre, titreNormalise, cleOeuvre, format, dateAjout)
    VALUES (${far}, 'Loin', 'loin', 'loin', 'Physique', '2024-01-01T00:00:00.000Z'),
      (${far + 1}, 'Plus loin', 'plus loin', 'plus loin', 'Physique', '2024-01-01T00:00:00.000Z')`);
  const { path: file } = await makeBackup(path, join(temporaryFolder(), 'coffre'));
  const databasePath = join(temporaryFolder(), 'maison.sqlite');
  await restoreBackup(file, { databasePath });
  const { url } = await openHouse(databasePath);
  expect(await titresAt(url)).toEqual(['Loin', 'L’Étranger : roman', 'Plus loin', 'Sido']);
});
