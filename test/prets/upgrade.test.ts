import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { Database } from '#server/plumbing/database/database';
import { readMigrations } from '#server/plumbing/database/migrations';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';

test('borrowers from before an upgrade are found by normalised name', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  Database.open(path, readMigrations().slice(0, 30)).close();
  const date = '2026-01-01T00:00:00.000Z';
  const old = new Sqlite(path);
  for (const titre of ['Un', 'Deux'])
    old
      .prepare(
        `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
         VALUES (?, '', '', 'Physique', ?)`,
      )
      .run(titre, date);
  old
    .prepare(`INSERT INTO Pret (livreId, emprunteur, datePret) VALUES (1, 'Tante Zoé', ?)`)
    .run(date);
  old.close();
  const raw = Database.open(path);
  expect(raw.revision()).toBe(3);
  expect(raw.values('SELECT emprunteurNormalise FROM Pret')).toEqual(['tante zoe']);
  raw.close();
  const house = await openHouse(path);
  const lent = await house.ask('alice', 'POST', '/api/livres/2/prets', {
    emprunteur: 'TANTE  ZOE',
  });
  expect(lent.body).toMatchObject({ emprunteur: 'Tante Zoé' });
  const corrected = await house.ask(null, 'PUT', '/api/prets/2', {
    emprunteur: 'Zoé',
    datePret: date,
  });
  expect(corrected.body).toMatchObject({ emprunteur: 'Zoé' });
  expect(house.context.database.values('SELECT emprunteurNormalise FROM Pret ORDER BY id')).toEqual(
    ['tante zoe', 'zoe'],
  );
});
