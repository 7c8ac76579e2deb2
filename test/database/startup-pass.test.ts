import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { ajouterLivre } from '#server/subjects/livres/livres';
import { renormaliser } from '#server/start/startup-pass';
import { Server } from '../e2e/support/server.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { run } from '../support/lines.ts';

/** A database with one book that was gone through by the rules « one ». */
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

/** A start: opens, goes through the records at need, lets statements run, and tells what the book had for its key. */
function start(path: string, rules: string | null, ...statements: string[]): unknown {
  const database = temporaryDatabase(path);
  renormaliser(database, rules ?? undefined);
  const key = database.value('SELECT titreNormalise FROM Livre');
  run(database, ...statements);
  database.close();
  return key;
}

const SPOIL = "UPDATE Livre SET titreNormalise = 'autrefois'";

test('a start by unchanged rules reads no record', () => {
  const path = household();
  expect(start(path, 'one', SPOIL)).toBe('sido');
  expect(start(path, 'one')).toBe('autrefois');
  expect(start(path, 'two')).toBe('sido');
});

test('unnamed rules are applied at every start', () => {
  const path = household();
  start(path, 'one', SPOIL);
  expect(start(path, null, SPOIL)).toBe('sido');
  expect(start(path, 'one')).toBe('sido');
});

test.each<[string, (path: string) => void]>([
  ['another program has written', (path) => new Sqlite(path).exec(SPOIL).close()],
  [
    'nothing tells how it was left',
    (path) => {
      start(path, 'one', SPOIL);
      rmSync(`${path}.jalon`);
    },
  ],
  [
    'its epoch is another, as of a backup',
    (path) => {
      start(path, 'one', SPOIL);
      new Sqlite(path).exec("UPDATE Installation SET epoque = 'autre'").close();
    },
  ],
])('goes through all where %s', (_, happen) => {
  const path = household();
  happen(path);
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

test.each([
  ['before its pass', true],
  ['after it', false],
])('goes through everything where another program has written, %s', (_, isEarly) => {
  const path = household();
  const database = temporaryDatabase(path);
  const spoil = () => new Sqlite(path).exec(SPOIL).close();
  if (isEarly) spoil();
  renormaliser(database, 'one');
  if (!isEarly) spoil();
  run(database, "UPDATE Livre SET editeur = 'Ferenczi'");
  database.close();
  expect(start(path, 'one')).toBe('sido');
});

test('a write by another program is noticed despite a cut', () => {
  const path = household();
  const database = temporaryDatabase(path);
  renormaliser(database, 'one');
  new Sqlite(path).exec(SPOIL).close();
  const jalon = readFileSync(`${path}.jalon`);
  run(database, "UPDATE Livre SET editeur = 'Ferenczi'");
  database.close();
  // As a process that is killed leaves it.
  writeFileSync(`${path}.jalon`, jalon);
  expect(start(path, 'one')).toBe('sido');
});

test('goes through all after a long write', async () => {
  const path = household();
  const database = temporaryDatabase(path);
  await database.handOver('Un import', async () => undefined);
  run(database, SPOIL);
  database.close();
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
