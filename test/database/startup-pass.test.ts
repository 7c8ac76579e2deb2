import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { ajouterLivre } from '#server/subjects/livres/livres';
import { renewAll } from '#server/start/context';
import { Server } from '../e2e/support/server.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { recordsOf } from '../support/records.ts';
import { databaseOf, FULL } from '../support/rows.ts';

/** A database with one book, normalised by the rules « one ». */
function household(): string {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const database = temporaryDatabase(path);
  database.write((tx) =>
    ajouterLivre(tx, { titre: 'Sido', format: 'Physique' }, { confirmed: true, utilisateur: null }),
  );
  database.close();
  start(path, 'one');
  return path;
}

/** Opens the database, updates its records if the rules have changed, runs statements, and returns the book's key. */
function start(path: string, rules: string | null, ...statements: string[]): unknown {
  const database = temporaryDatabase(path);
  renewAll(database, rules ?? undefined);
  const key = database.value('SELECT titreNormalise FROM Livre');
  run(database, ...statements);
  database.close();
  return key;
}

const SPOIL = "UPDATE Livre SET titreNormalise = 'autrefois'";

/** Writes as another program, without the service. */
function writeBeside(path: string, sql: string): void {
  const beside = new Sqlite(path);
  beside.exec(sql);
  beside.close();
}

/** Written by triggers, and by the saving of a search. */
const OF_NO_PASS = ['SelectionLivre.utilisateur', 'Selection.actuels'];

test('all that rules derive is derived anew, in every table', () => {
  const database = databaseOf(FULL);
  const records = recordsOf(database);
  const columns = database.capture.tables
    .flatMap((table) =>
      (records.rulesOf(table).derived ?? []).map((name) => [table, name] as const),
    )
    .filter((column) => !OF_NO_PASS.includes(column.join('.')));
  const values = () =>
    columns.map(([table, name]) => {
      const some = database.values(`SELECT ${name} FROM ${table} ORDER BY rowid`);
      return `${table}.${name}: ${JSON.stringify(some)}`;
    });
  renewAll(database);
  const before = values();
  for (const [table, name] of columns)
    run(database, `UPDATE ${table} SET ${name} = 'autrefois ' || rowid`);
  expect(values().filter((spoilt) => before.includes(spoilt))).toEqual([]);
  renewAll(database);
  expect(values()).toEqual(before);
});

test('a key that cannot be given keeps no other one back', () => {
  const database = databaseOf(FULL);
  run(
    database,
    "UPDATE Auteur SET nom = 'Jean Martin', cleRegroupement = 'x' WHERE id = 1",
    "UPDATE Auteur SET nom = 'JEAN MARTIN', cleRegroupement = 'y' WHERE id = 2",
    'INSERT INTO FusionRefusee (premierId, secondId) VALUES (1, 2)',
    "UPDATE Selection SET nomNormalise = 'autrefois' WHERE id = 1",
  );
  renewAll(database);
  const keys = database.values('SELECT cleRegroupement FROM Auteur ORDER BY id');
  expect(keys).toEqual(['jean martin', 'y']);
  expect(database.value('SELECT nomNormalise FROM Selection WHERE id = 1')).toBe('a lire');
});

test('a start by unchanged rules reads no record', () => {
  const path = household();
  expect(start(path, 'one', SPOIL)).toBe('sido');
  expect(start(path, 'one')).toBe('autrefois');
  expect(start(path, 'two')).toBe('sido');
});

test.each([
  [SPOIL, 'SELECT titreNormalise FROM Livre', 'sido'],
  ["UPDATE Livre SET isbn = '2-07-036002-4'", 'SELECT isbn FROM Livre', '9782070360024'],
  [
    "INSERT INTO Revue (titre, issn) VALUES ('Rivages', '09882480')",
    'SELECT issn FROM Revue',
    '0988-2480',
  ],
  [
    "INSERT INTO Souhait (utilisateur, titre, isbn, cleOeuvre, auteurNormalise, dateAjout, rang) VALUES ('ana', 'Ida', '2-07-036002-4', 'ida', '', '2026-01-01T00:00:00.000Z', 1)",
    'SELECT isbn FROM Souhait',
    '9782070360024',
  ],
  [
    "INSERT INTO Lecture (utilisateur, titre, isbn) VALUES ('ana', 'Ida', '2-07-036002-4')",
    'SELECT isbn FROM Lecture',
    '9782070360024',
  ],
  [
    "INSERT INTO Serie (titre, position) VALUES ('Claudine', 0); INSERT INTO Place (serieId, position, titre, isbn) VALUES (1, 0, 'Claudine', '2-07-036002-4')",
    'SELECT isbn FROM Place',
    '9782070360024',
  ],
  ["UPDATE Livre SET isbn = 'sans code 123'", 'SELECT isbn FROM Livre', 'sans code 123'],
  ["UPDATE Livre SET titre = '  Sido' || char(10)", 'SELECT titre FROM Livre', 'Sido'],
  [
    "UPDATE Livre SET editeur = 'Gras' || char(10) || 'set '",
    'SELECT editeur FROM Livre',
    'Gras set',
  ],
  [
    "INSERT INTO Serie (titre, position) VALUES (' Claudine ', 0)",
    'SELECT titre FROM Serie',
    'Claudine',
  ],
  ["UPDATE Livre SET titre = ' '", 'SELECT titre FROM Livre', ' '],
  [
    "INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('Colette', 'X', 'X');" +
      'INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (1, 1, 0)',
    'SELECT cleRegroupement FROM Auteur',
    'colette',
  ],
])('another program’s writes are found at the next start: %s', (sql, query, expected) => {
  const path = household();
  writeBeside(path, sql);
  start(path, 'one');
  const database = temporaryDatabase(path);
  expect(database.value(query)).toBe(expected);
  expect(database.holdsForeignWrites).toBe(false);
  database.close();
});

test('another program’s writes before the service’s last write are found, too', () => {
  const path = household();
  const database = temporaryDatabase(path);
  writeBeside(path, SPOIL);
  database.write((tx) => tx.run("UPDATE Livre SET editeur = 'Grasset'"));
  database.close();
  start(path, 'one');
  expect(start(path, 'one')).toBe('sido');
});

test('unnamed rules are applied at every start', () => {
  const path = household();
  start(path, 'one', SPOIL);
  expect(start(path, null, SPOIL)).toBe('sido');
  expect(start(path, 'one')).toBe('sido');
});

test('goes through everything while a key could not be given', () => {
  const path = household();
  start(
    path,
    'one',
    `INSERT INTO Theme (nom, nomNormalise) VALUES ('Mer', 'x'), ('MER', 'mer')`,
    SPOIL,
  );
  expect(start(path, 'two', SPOIL)).toBe('sido');
  expect(start(path, 'two')).toBe('sido');
});

test('goes through everything after undoing an earlier version’s act', async () => {
  const path = household();
  const house = await openHouse(path);
  const deleted = await house.ask(null, 'DELETE', '/api/livres/1');
  house.context.database.write((tx) => tx.noteRules('one'));
  const id = String(deleted.headers.get('X-Modification'));
  expect((await house.ask(null, 'POST', `/api/modifications/${id}/annulation`)).status).toBe(201);
  run(house.context.database, SPOIL);
  await house.close();
  expect(start(path, 'one')).toBe('sido');
});

test('a service that was built goes by its own sources', async () => {
  const path = household();
  const startBuilt = async () => (await Server.start(path)).stop();
  await startBuilt();
  const database = temporaryDatabase(path);
  run(database, SPOIL);
  database.close();
  await startBuilt();
  expect(temporaryDatabase(path).value('SELECT titreNormalise FROM Livre')).toBe('autrefois');
});

// Otherwise a start with new rules would appear in the history, and prevent people from undoing.
test('each table names the columns that rules compute', () => {
  const database = temporaryDatabase();
  const { capture } = database;
  const records = recordsOf(database);
  const named = (columns: (table: string) => readonly string[]) =>
    Object.fromEntries(capture.tables.map((table) => [table, columns(table)]));
  expect(named((table) => records.rulesOf(table).derived ?? [])).toEqual(
    named((table) =>
      capture.columnsOf(table).filter(
        (name) =>
          /Normalise$|^cle[A-Z]|^actuels$/.test(name) ||
          // Written by a trigger.
          (table === 'SelectionLivre' && name === 'utilisateur'),
      ),
    ),
  );
});

test('each column that is not in the history exists', () => {
  const database = temporaryDatabase();
  const { capture } = database;
  const records = recordsOf(database);
  const strange = capture.tables.flatMap((table) =>
    (records.rulesOf(table).notInHistory ?? []).filter(
      (name) => !capture.columnsOf(table).includes(name),
    ),
  );
  expect(capture.tables.length).toBeGreaterThan(0);
  expect(strange).toEqual([]);
});
