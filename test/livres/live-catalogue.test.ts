import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Database } from '#server/plumbing/database/database';
import {
  HouseCatalogue,
  liveCatalogue,
  type LiveCatalogue,
} from '#server/subjects/livres/catalogue';
import { openHouse } from '../support/house.ts';
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
  const held = new HouseCatalogue();
  return { database, held, catalogue: liveCatalogue(recordsOf(database), held) };
}

const titles = (catalogue: LiveCatalogue) =>
  catalogue.read((held) => [...held.search({}, new Map())].map(({ titre }) => titre));

test('equals the database whenever it is read', async () => {
  const { database, catalogue } = household(
    livre('Sido'),
    livre('Atlas'),
    pret(1),
    "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'ana', 0), (2, 'bob', 2)",
  );
  expect(await titles(catalogue)).toEqual(['Atlas', 'Sido']);
  const statuts = () =>
    catalogue.read((held) => ['ana', 'bob', 'zoe', null].map((user) => [...held.statutsOf(user)]));
  const openPrets = () => catalogue.read((held) => [1, 2].map((id) => held.openPret(id)?.id));
  expect([await statuts(), await openPrets()]).toEqual([
    [[[1, 0]], [[2, 2]], [], []],
    [1, undefined],
  ]);

  run(
    database,
    livre('Idées'),
    pret(2),
    "UPDATE Pret SET dateRetour = '2024-02-01T00:00:00.000Z' WHERE livreId = 1",
    "DELETE FROM Statut WHERE utilisateur = 'ana'",
  );
  expect([await statuts(), await openPrets()]).toEqual([
    [[], [[2, 2]], [], []],
    [undefined, 2],
  ]);
  run(database, 'DELETE FROM Livre WHERE id = 1');
  expect(await titles(catalogue)).toEqual(['Atlas', 'Idées']);
});

test('holds an author of many books once', async () => {
  const cite = (livreId: number, auteurId: number, position = 0) =>
    `INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (${[livreId, auteurId, position].join()})`;
  const { database, catalogue } = household(
    `INSERT INTO Auteur (nom, nomNormalise, cleRegroupement)
       VALUES ('Colette', 'colette', 'colette'), ('Willy', 'willy', 'willy')`,
    ...['Sido', 'Atlas', 'Claudine', 'Chéri'].map(livre),
    cite(1, 1),
    cite(3, 2),
    cite(3, 1, 1),
    cite(4, 1),
  );
  const auteurs = () =>
    catalogue.read((held) => [1, 2, 3, 4].map((id) => held.livre(id)?.auteurs ?? []));
  const colette = { id: 1, nom: 'Colette' };
  const [first, none, both, last] = await auteurs();
  expect([first, none, both]).toEqual([[colette], [], [{ id: 2, nom: 'Willy' }, colette]]);
  expect(last).toBe(first);
  expect(both?.[1]).toBe(first?.[0]);
  run(database, "UPDATE Auteur SET nom = 'Colette Willy' WHERE id = 1");
  expect((await auteurs()).map((each) => each.map(({ nom }) => nom))).toEqual([
    ['Colette Willy'],
    [],
    ['Willy', 'Colette Willy'],
    ['Colette Willy'],
  ]);
});

test('sorts by the current series and locations', async () => {
  const { database, catalogue } = household(
    livre('Sido'),
    livre('Atlas'),
    "INSERT INTO Serie (titre) VALUES ('Cycle')",
    "INSERT INTO Place (serieId, position, titre, livreId) VALUES (1, 0, 'Un', 1)",
  );
  const orders = () =>
    catalogue.read((held) =>
      (['serie', 'emplacement'] as const).map((tri) =>
        held.search({ tri }, new Map()).map(({ id }) => id),
      ),
    );
  expect(await orders()).toEqual([
    [1, 2],
    [2, 1],
  ]);
  run(
    database,
    'DELETE FROM Serie',
    "INSERT INTO Emplacement (nom, nomNormalise) VALUES ('Salon', 'salon')",
    'UPDATE Livre SET emplacementId = 1 WHERE id = 1',
  );
  expect(await orders()).toEqual([
    [2, 1],
    [1, 2],
  ]);
});

test('a failed read is repaired by the next one', async () => {
  const { catalogue, held } = household(livre('Sido'));
  const failing = vi.spyOn(held, 'applyLivres').mockImplementationOnce(() => {
    throw new Error('plus de mémoire');
  });
  await expect(titles(catalogue)).rejects.toThrow('plus de mémoire');
  expect(await titles(catalogue)).toEqual(['Sido']);
  failing.mockRestore();
});

test('concurrent reads see a large write completely', async () => {
  const many = (from: number) =>
    Array.from({ length: 2500 }, (_, i) => livre(`Titre ${String(from + i)}`));
  const { database, catalogue } = household(...many(0));
  const size = () => catalogue.read((held) => held.size);
  const before = [size(), size()];
  await setImmediate();
  run(database, ...many(2500), 'DELETE FROM Livre WHERE id = 1');
  expect(await Promise.all([size(), size()])).toEqual([4999, 4999]);
  for (const one of await Promise.all(before)) expect([2500, 4999]).toContain(one);
});

test.each(['titre', 'auteur', 'note'] as const)(
  'many books are in the order by %s before the turn that lists them',
  async (tri) => {
    const house = await openHouse();
    const { context } = house;
    run(context.database, ...Array.from({ length: 2500 }, (_, n) => livre(`Titre ${String(n)}`)));
    const left: boolean[] = [];
    const held = await context.catalogue.read((catalogue) => catalogue);
    const page = held.page.bind(held);
    vi.spyOn(held, 'page').mockImplementation((...asked) => {
      left.push(held.sortNextChunk({ tri }));
      return page(...asked);
    });
    expect((await house.ask('ana', 'GET', `/api/livres?limite=1&tri=${tri}`)).status).toBe(200);
    expect(left).toEqual([false]);
  },
);
