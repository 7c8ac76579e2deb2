import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';

afterEach(() => vi.restoreAllMocks());

const addAuteur = (database: Transaction, nom: string) =>
  database
    .prepare<[string, string, string]>(
      'INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES (?, ?, ?)',
    )
    .run(nom, nom, nom);

const noms = (database: Database) =>
  database
    .prepare<[], { nom: string }>('SELECT nom FROM Auteur ORDER BY id')
    .all()
    .map((row) => row.nom);

test('SQLite runs in WAL mode, durable, with foreign keys', () => {
  const database = temporaryDatabase();
  const pragma = (name: string) => database.write((tx) => tx.get(`PRAGMA ${name}`));
  expect(pragma('journal_mode')).toEqual({ journal_mode: 'wal' });
  expect(pragma('synchronous')).toEqual({ synchronous: 2 });
  expect(pragma('foreign_keys')).toEqual({ foreign_keys: 1 });
  expect(pragma('busy_timeout')).toEqual({ timeout: 5000 });
});

test('an id that an address may name is never given twice, in any table', () => {
  const database = temporaryDatabase();
  const reusing = database.values<string>(
    `SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       ON c.name = 'id' AND c.pk = 1
       WHERE t.type = 'table' AND t.sql NOT LIKE '%id INTEGER PRIMARY KEY AUTOINCREMENT%'
       ORDER BY t.name`,
  );
  // Two tables with a single row, and two whose ids are internal.
  const internal = ['CouvertureDemande', 'ImportationAvertissement'];
  expect(reusing).toEqual(['Bibliotheque', ...internal, 'Installation']);
});

test('compiles an SQL text once', () => {
  const database = temporaryDatabase();
  expect(database.prepare('SELECT 1')).toBe(database.prepare('SELECT 1'));
});

test('a write that throws is rolled back completely', () => {
  const database = temporaryDatabase();
  expect(database.write((tx) => addAuteur(tx, 'Ana').changes)).toBe(1);
  const failing = () =>
    database.write((tx) => {
      addAuteur(tx, 'Bea');
      throw new Error('non');
    });
  expect(failing).toThrow('non');
  expect(noms(database)).toEqual(['Ana']);
});

test('a failed attempt within a write is undone alone', () => {
  const database = temporaryDatabase();
  const listener = vi.fn();
  database.onCommit(listener);
  database.write((tx) => {
    addAuteur(tx, 'Ana');
    tx.attempt(() => addAuteur(tx, 'Bea'));
    const undone = () =>
      tx.attempt(() => {
        addAuteur(tx, 'Cid');
        throw new Error('non');
      });
    expect(undone).toThrow('non');
    expect(listener).not.toHaveBeenCalled();
  });
  expect(noms(database)).toEqual(['Ana', 'Bea']);
  expect(listener).toHaveBeenCalledTimes(1);
});

test('a write inside a write is refused', () => {
  const database = temporaryDatabase();
  const listener = vi.fn();
  database.onCommit(listener);
  database.write((tx) => {
    addAuteur(tx, 'Ana');
    expect(() => database.write(() => undefined)).toThrow('inside a transaction');
    expect(listener).not.toHaveBeenCalled();
  });
  expect(noms(database)).toEqual(['Ana']);
  expect(listener).toHaveBeenCalledTimes(1);
});

test('only an open transaction writes', () => {
  const database = temporaryDatabase();
  const sql = "INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('a', 'a', 'a')";
  expect(() => database.value(`${sql} RETURNING id`)).toThrow('Only a transaction writes');
  let ended: Transaction | undefined;
  database.write((tx) => (ended = tx));
  expect(() => ended?.run(sql)).toThrow('The write has ended');
  expect(noms(database)).toEqual([]);
});

test('a write that continues asynchronously is refused', () => {
  const database = temporaryDatabase();
  const late = () =>
    database.write(async (tx) => {
      addAuteur(tx, 'Ana');
    });
  expect(late).toThrow(TypeError);
  expect(noms(database)).toEqual([]);
});

test('a read sees one state, and writes nothing', () => {
  const database = temporaryDatabase();
  expect(database.read(() => database.read(() => noms(database)))).toEqual([]);
  expect(() => database.read(() => database.write((tx) => addAuteur(tx, 'Ana')))).toThrow(
    'inside a transaction',
  );
  expect(database.write((tx) => database.read(() => addAuteur(tx, 'Bea').changes))).toBe(1);
});

test('notifies its listeners of commits only, until they unsubscribe', () => {
  const database = temporaryDatabase();
  const listener = vi.fn();
  const leave = database.onCommit(listener);
  database.write((tx) => addAuteur(tx, 'Ana'));
  expect(() => database.write((tx) => addAuteur(tx, 'Ana'))).toThrow('UNIQUE');
  expect(listener).toHaveBeenCalledTimes(1);
  leave();
  database.write((tx) => addAuteur(tx, 'Bea'));
  expect(listener).toHaveBeenCalledTimes(1);
});

test('reports a failing listener, and notifies the others', () => {
  const database = temporaryDatabase();
  const reported = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const failing = vi.fn(() => {
    throw new Error('sourd');
  });
  const listener = vi.fn();
  database.onCommit(failing);
  database.onCommit(listener);
  database.write((tx) => addAuteur(tx, 'Ana'));
  expect(failing).toHaveBeenCalledTimes(1);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(reported).toHaveBeenCalledTimes(1);
});

test('a finished write is in the file at once', () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const database = temporaryDatabase(path);
  database.write((tx) => addAuteur(tx, 'Ana'));
  const other = new Sqlite(path, { readonly: true });
  expect(other.prepare('SELECT nom FROM Auteur').pluck().all()).toEqual(['Ana']);
  other.close();
});

test('gives the rules of shared/ to SQL', () => {
  const database = temporaryDatabase();
  const row = database.prepare(
    `SELECT normaliser('L’Œuvre !') AS n, cle_regroupement('Hugo, Victor') AS c,
       format_isbn('9782070368228') AS isbn, normaliser(NULL) AS absent, normaliser(12) AS nombre`,
  );
  expect(row.get()).toEqual({
    n: 'l oeuvre',
    c: 'hugo victor',
    isbn: '978-2-07-036822-8',
    absent: null,
    nombre: null,
  });
});

test('closes twice without complaint', () => {
  const database = temporaryDatabase();
  database.close();
  database.close();
});
