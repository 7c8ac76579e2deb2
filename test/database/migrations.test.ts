import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrations } from '#server/plumbing/database/migrations';
import { makeLegacy, type LegacyLivre } from '../support/legacy.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';

/** Migrates a legacy database with these books, and opens it. */
function migrated(...livres: LegacyLivre[]) {
  const path = join(temporaryFolder(), 'maison.sqlite');
  makeLegacy(path, livres).close();
  return temporaryDatabase(path);
}

test('records every migration with the digest of its file', () => {
  const database = temporaryDatabase();
  const rows = database
    .prepare('SELECT numero, nom, empreinte FROM Migration ORDER BY numero')
    .all();
  expect(rows).toEqual(
    readMigrations().map(({ numero, nom, empreinte }) => ({ numero, nom, empreinte })),
  );
});

test('gives a shared status to whoever added the book', () => {
  const database = migrated(
    { titre: 'A', statut: 0, ajoutePar: 'camille' },
    { titre: 'B', statut: 1, ajoutePar: 'camille' },
    { titre: 'C', statut: 2, ajoutePar: 'Élodie' },
    { titre: 'D', statut: null, ajoutePar: 'camille' },
    { titre: 'E', statut: 2, ajoutePar: null },
    { titre: 'F', statut: 1, ajoutePar: '  ' },
    { titre: 'G', statut: 7, ajoutePar: 'camille' },
    { titre: 'H', statut: 'lu', ajoutePar: 'camille' },
  );
  expect(database.prepare('SELECT livreId, utilisateur, statut FROM Statut').all()).toEqual([
    { livreId: 1, utilisateur: 'camille', statut: 0 },
    { livreId: 2, utilisateur: 'camille', statut: 1 },
    { livreId: 3, utilisateur: 'Élodie', statut: 2 },
  ]);
  expect(database.prepare('SELECT ajoutePar FROM Livre WHERE id IN (5, 6)').all()).toEqual([
    { ajoutePar: null },
    { ajoutePar: null },
  ]);
});

test('joins the spellings of an author under the best one', () => {
  const database = migrated(
    { titre: 'A', auteur: 'HUGO, VICTOR' },
    { titre: 'B', auteur: '  Victor Hugo ' },
    { titre: 'C', auteur: 'victor hugo' },
    { titre: 'D', auteur: 'Emile Zola' },
    { titre: 'E', auteur: 'Zola, Émile' },
    { titre: 'F', auteur: "Jeanne d'Arc" },
    { titre: 'G', auteur: 'Robert "Bob" O\'Neil; DROP TABLE Livre' },
    { titre: 'H', auteur: '' },
    { titre: 'I', auteur: ' \u00a0\t' },
    { titre: 'J', auteur: null },
    { titre: 'K', auteur: '???' },
    { titre: 'L', auteur: 'E\u0301mile Zola' },
    { titre: 'M', auteur: '村上 春樹' },
  );
  const cited = database.prepare(
    `SELECT l.titre, a.nom, la.position FROM Livre l
     LEFT JOIN LivreAuteur la ON la.livreId = l.id LEFT JOIN Auteur a ON a.id = la.auteurId
     ORDER BY l.id`,
  );
  expect(cited.all()).toEqual([
    { titre: 'A', nom: 'Victor Hugo', position: 0 },
    { titre: 'B', nom: 'Victor Hugo', position: 0 },
    { titre: 'C', nom: 'Victor Hugo', position: 0 },
    { titre: 'D', nom: 'Émile Zola', position: 0 },
    { titre: 'E', nom: 'Émile Zola', position: 0 },
    { titre: 'F', nom: "Jeanne d'Arc", position: 0 },
    { titre: 'G', nom: 'Robert "Bob" O\'Neil; DROP TABLE Livre', position: 0 },
    { titre: 'H', nom: null, position: null },
    { titre: 'I', nom: null, position: null },
    { titre: 'J', nom: null, position: null },
    { titre: 'K', nom: '???', position: 0 },
    { titre: 'L', nom: 'Émile Zola', position: 0 },
    { titre: 'M', nom: '村上 春樹', position: 0 },
  ]);
  expect(
    database.prepare('SELECT nomNormalise, cleRegroupement FROM Auteur WHERE id = 1').get(),
  ).toEqual({ nomNormalise: 'victor hugo', cleRegroupement: 'hugo victor' });
});

test('adapts an older file’s values to the constraints', () => {
  const database = migrated(
    {
      titre: ' Le Cœur cousu : roman ',
      isbn: '2-07-036822-X',
      format: 'Numerique',
      typeDocument: 'Roman',
      nombrePages: 0,
      annee: 2007,
      dateAjout: '2021-03-04 05:06:07.1234567',
    },
    {
      titre: '',
      isbn: '123',
      format: 'Parchemin',
      typeDocument: '',
      nombrePages: 'beaucoup',
      annee: 99999,
      dateAjout: 'jadis',
    },
  );
  const [first, second] = database.prepare('SELECT * FROM Livre ORDER BY id').all();
  expect(first).toMatchObject({
    titre: 'Le Cœur cousu : roman',
    titreNormalise: 'le coeur cousu roman',
    cleOeuvre: 'le coeur cousu',
    isbn: '9782070368228',
    format: 'Numerique',
    typeDocument: 'Roman',
    nombrePages: null,
    annee: 2007,
    dateAjout: '2021-03-04T05:06:07.123Z',
  });
  expect(second).toMatchObject({
    titre: 'Sans titre',
    isbn: null,
    format: 'Physique',
    typeDocument: 'NonPrecise',
    nombrePages: null,
    annee: null,
  });
  expect(Object(second)).toHaveProperty('dateAjout', expect.stringMatching(/^\d{4}-.*T.*Z$/));
});

test('keeps loans, and never reuses the numbers of deleted records', () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const legacy = makeLegacy(path, [{ titre: 'A' }, { titre: 'B' }, { titre: 'C' }]);
  legacy.exec(`
    INSERT INTO Pret (livreId, emprunteur, datePret, dateRetour)
    VALUES (1, ' Paul ', '2020-01-02 03:04:05', '2020-02-01T00:00:00Z'), (1, 'Léa', '2021-01-01', NULL),
           (2, 'Zoé', '2022-01-01', NULL);
    DELETE FROM Pret WHERE id = 3;
    DELETE FROM Livre WHERE id = 3;
  `);
  legacy.close();
  const database = temporaryDatabase(path);
  expect(database.prepare('SELECT * FROM Pret ORDER BY id').all()).toEqual([
    {
      id: 1,
      livreId: 1,
      emprunteur: 'Paul',
      emprunteurNormalise: 'paul',
      datePret: '2020-01-02T03:04:05.000Z',
      dateRetour: '2020-02-01T00:00:00.000Z',
      dateRetourPrevue: null,
    },
    {
      id: 2,
      livreId: 1,
      emprunteur: 'Léa',
      emprunteurNormalise: 'lea',
      datePret: '2021-01-01T00:00:00.000Z',
      dateRetour: null,
      dateRetourPrevue: null,
    },
  ]);
  database.write((tx) => {
    const livre = tx.prepare(
      `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
       VALUES ('D', 'd', 'd', 'Physique', '2024-01-01T00:00:00.000Z')`,
    );
    expect(livre.run().lastInsertRowid).toBe(4);
    const pret = tx.prepare(
      `INSERT INTO Pret (livreId, emprunteur, datePret) VALUES (4, 'Ana', '2024-01-01T00:00:00.000Z')`,
    );
    expect(pret.run().lastInsertRowid).toBe(4);
  });
});

test('carries over ten thousand books, each with its journal line', { tags: 'large' }, () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const livres = Array.from({ length: 10_000 }, (_, i) => ({
    titre: `Livre ${String(i)}`,
    auteur: i % 10 === 0 ? null : `Auteur ${String(i % 700)}`,
    statut: i % 3,
    ajoutePar: i % 4 === 0 ? null : `membre${String(i % 5)}`,
  }));
  makeLegacy(path, livres).close();
  const database = temporaryDatabase(path);
  const count = (sql: string) =>
    database.prepare<[], { n: number }>(`SELECT count(*) AS n ${sql}`).get();
  expect(count('FROM Livre')).toEqual({ n: 10_000 });
  expect(count('FROM LivreAuteur')).toEqual({ n: livres.filter((l) => l.auteur).length });
  expect(count('FROM Auteur')).toEqual({ n: new Set(livres.map((l) => l.auteur)).size - 1 });
  expect(count('FROM Statut')).toEqual({ n: livres.filter((l) => l.ajoutePar).length });
  expect(count("FROM Journal WHERE collection = 'livres'")).toEqual({ n: 10_000 });
  expect(count('FROM Journal')).toEqual({ n: database.revision() });
});

test('takes a legacy database that records its one migration', () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const legacy = makeLegacy(path, [{ titre: 'A' }]);
  legacy.exec(
    'CREATE TABLE Migration (numero INTEGER PRIMARY KEY, nom TEXT NOT NULL, empreinte TEXT NOT NULL, dateApplication TEXT NOT NULL)',
  );
  const [first] = readMigrations();
  legacy
    .prepare("INSERT INTO Migration VALUES (1, ?, ?, '2020-01-01T00:00:00.000Z')")
    .run(first?.nom, first?.empreinte);
  legacy.close();
  const database = temporaryDatabase(path);
  expect(database.prepare('SELECT count(*) AS n FROM Migration').get()).toEqual({
    n: readMigrations().length,
  });
});
