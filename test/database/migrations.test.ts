import { expect, test } from 'vitest';
import { readMigrations } from '#server/plumbing/database/migrations';
import { temporaryDatabase } from '../support/database.ts';

test('records every migration with the digest of its file', () => {
  const database = temporaryDatabase();
  const rows = database
    .prepare('SELECT numero, nom, empreinte FROM Migration ORDER BY numero')
    .all();
  expect(rows).toEqual(
    readMigrations().map(({ numero, nom, empreinte }) => ({ numero, nom, empreinte })),
  );
});

test('never reuses the numbers of deleted records', () => {
  const database = temporaryDatabase();
  database.write((tx) => {
    const livre = tx.prepare(
      `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
       VALUES ('D', 'd', 'd', 'Physique', '2024-01-01T00:00:00.000Z')`,
    );
    const pret = tx.prepare(
      `INSERT INTO Pret (livreId, emprunteur, datePret)
       VALUES ((SELECT max(id) FROM Livre), 'Ana', '2024-01-01T00:00:00.000Z')`,
    );
    for (const expected of [1, 2]) {
      expect(livre.run().lastInsertRowid).toBe(expected);
      expect(pret.run().lastInsertRowid).toBe(expected);
      tx.run('DELETE FROM Pret');
      tx.run('DELETE FROM Livre');
    }
  });
});
