import { expect, test, vi } from 'vitest';
import type { Database } from '#server/plumbing/database/database';
import { LiveCatalogue } from '#server/subjects/livres/catalogue';
import { Journal } from '#server/plumbing/records/journal';
import { temporaryDatabase } from '../support/database.ts';
import { recordsOf } from '../support/records.ts';

const livre = (titre: string) =>
  `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout) VALUES
     ('${titre}', lower('${titre}'), lower('${titre}'), 'Physique', '2024-01-01T00:00:00.000Z')`;
const pret = (livreId: number) =>
  `INSERT INTO Pret (livreId, emprunteur, datePret) VALUES (${String(livreId)}, 'Zoé', '2024-01-01T00:00:00.000Z')`;

function run(database: Database, ...statements: string[]): void {
  database.write((tx) => statements.forEach((sql) => tx.prepare(sql).run()));
}

function household(...statements: string[]) {
  const database = temporaryDatabase();
  run(database, ...statements);
  return { database, catalogue: new LiveCatalogue(recordsOf(database), new Journal(database)) };
}

const titles = (catalogue: LiveCatalogue) =>
  [...catalogue.search({}, new Map())].map(({ titre }) => titre);

test('holds at once what the database has', () => {
  const { catalogue } = household(
    livre('Sido'),
    livre('Atlas'),
    pret(1),
    "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'ana', 0), (2, 'bob', 2)",
  );
  expect(titles(catalogue)).toEqual(['Atlas', 'Sido']);
  expect(catalogue.openPret(1)).toMatchObject({ emprunteur: 'Zoé' });
  expect(catalogue.statutsOf('ana')).toEqual(new Map([[1, 0]]));
  expect(catalogue.statutsOf('bob')).toEqual(new Map([[2, 2]]));
  expect(catalogue.statutsOf('zoe')).toEqual(new Map());
  expect(catalogue.statutsOf(null)).toEqual(new Map());
});

test('follows every commit before the write returns', () => {
  const { database, catalogue } = household(livre('Sido'));
  run(
    database,
    livre('Atlas'),
    pret(2),
    "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (2, 'ana', 1)",
  );
  expect(titles(catalogue)).toEqual(['Atlas', 'Sido']);
  expect(catalogue.openPret(2)?.id).toBe(1);
  expect(catalogue.statutsOf('ana')).toEqual(new Map([[2, 1]]));

  run(database, "UPDATE Pret SET dateRetour = '2024-02-01T00:00:00.000Z'", 'DELETE FROM Statut');
  expect(catalogue.openPret(2)).toBeNull();
  expect(catalogue.statutsOf('ana')).toEqual(new Map());

  run(database, 'DELETE FROM Livre WHERE id = 2');
  expect(titles(catalogue)).toEqual(['Sido']);
});

test('orders by what becomes of series and locations', () => {
  const { database, catalogue } = household(
    livre('Sido'),
    livre('Atlas'),
    "INSERT INTO Serie (titre) VALUES ('Cycle')",
    "INSERT INTO Place (serieId, position, titre, livreId) VALUES (1, 0, 'Un', 1)",
  );
  const ids = (tri: 'serie' | 'emplacement') =>
    catalogue.search({ tri }, new Map()).map(({ id }) => id);
  expect([ids('serie'), ids('emplacement')]).toEqual([
    [1, 2],
    [2, 1],
  ]);
  run(
    database,
    'DELETE FROM Serie',
    "INSERT INTO Emplacement (nom, nomNormalise) VALUES ('Salon', 'salon')",
    'UPDATE Livre SET emplacementId = 1 WHERE id = 1',
  );
  expect([ids('serie'), ids('emplacement')]).toEqual([
    [2, 1],
    [1, 2],
  ]);
});

test('takes at the next commit what it could not before', () => {
  const { database, catalogue } = household(livre('Sido'));
  const reported = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const failing = vi.spyOn(catalogue, 'applyLivres').mockImplementationOnce(() => {
    throw new Error('plus de mémoire');
  });
  run(database, livre('Atlas'));
  expect(titles(catalogue)).toEqual(['Sido']);
  expect(reported).toHaveBeenCalled();
  run(database, pret(1));
  expect(titles(catalogue)).toEqual(['Atlas', 'Sido']);
  failing.mockRestore();
  reported.mockRestore();
});

test('misses nothing written while it loads a large household', async () => {
  const all = Array.from({ length: 2500 }, (_, i) => livre(`Titre ${String(i)}`));
  const { database, catalogue } = household(...all);
  expect(catalogue.size).toBeLessThan(2500);
  run(database, livre('Sido'), 'DELETE FROM Livre WHERE id = 1');
  await catalogue.ready;
  expect(catalogue.size).toBe(2500);
  run(database, livre('Atlas'));
  expect(catalogue.size).toBe(2501);
});
