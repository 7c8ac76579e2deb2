import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import type { Base } from '#server/database/base';
import { temporaryBase, temporaryFolder } from '../support/base.ts';

afterEach(() => vi.restoreAllMocks());

const addAuteur = (base: Base, nom: string) =>
  base
    .prepare<[string, string, string]>(
      'INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES (?, ?, ?)',
    )
    .run(nom, nom, nom);

const noms = (base: Base) =>
  base
    .prepare<[], { nom: string }>('SELECT nom FROM Auteur ORDER BY id')
    .all()
    .map((row) => row.nom);

test('is in WAL mode, waits for the disk, keeps foreign keys, and waits for a busy file', () => {
  const base = temporaryBase();
  const pragma = (name: string) => base.prepare(`PRAGMA ${name}`).get();
  expect(pragma('journal_mode')).toEqual({ journal_mode: 'wal' });
  expect(pragma('synchronous')).toEqual({ synchronous: 2 });
  expect(pragma('foreign_keys')).toEqual({ foreign_keys: 1 });
  expect(pragma('busy_timeout')).toEqual({ timeout: 5000 });
});

test('compiles an SQL text once', () => {
  const base = temporaryBase();
  expect(base.prepare('SELECT 1')).toBe(base.prepare('SELECT 1'));
});

test('a write returns its result, and undoes everything when it throws', () => {
  const base = temporaryBase();
  expect(base.write(() => addAuteur(base, 'Ana').changes)).toBe(1);
  const failing = () =>
    base.write(() => {
      addAuteur(base, 'Bea');
      throw new Error('non');
    });
  expect(failing).toThrow('non');
  expect(noms(base)).toEqual(['Ana']);
});

test('a write inside a write joins it, and can be undone alone', () => {
  const base = temporaryBase();
  const told = vi.fn();
  base.onCommit(told);
  base.write(() => {
    addAuteur(base, 'Ana');
    base.write(() => addAuteur(base, 'Bea'));
    const undone = () =>
      base.write(() => {
        addAuteur(base, 'Cid');
        throw new Error('non');
      });
    expect(undone).toThrow('non');
    expect(told).not.toHaveBeenCalled();
  });
  expect(noms(base)).toEqual(['Ana', 'Bea']);
  expect(told).toHaveBeenCalledTimes(1);
});

test('a write that goes on asynchronously is refused', () => {
  const base = temporaryBase();
  const late = () =>
    base.write(async () => {
      addAuteur(base, 'Ana');
    });
  expect(late).toThrow(TypeError);
  expect(noms(base)).toEqual([]);
});

test('a read sees one state, and writes nothing', () => {
  const base = temporaryBase();
  expect(base.read(() => base.read(() => noms(base)))).toEqual([]);
  expect(() => base.read(() => base.write(() => addAuteur(base, 'Ana')))).toThrow('inside a read');
  expect(base.write(() => base.read(() => addAuteur(base, 'Bea').changes))).toBe(1);
});

test('tells its listeners of commits only, and survives one that fails', () => {
  const base = temporaryBase();
  const reported = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const failing = vi.fn(() => {
    throw new Error('sourd');
  });
  const told = vi.fn();
  base.onCommit(failing);
  const leave = base.onCommit(told);
  base.write(() => addAuteur(base, 'Ana'));
  expect(() => base.write(() => addAuteur(base, 'Ana'))).toThrow('UNIQUE');
  expect(failing).toHaveBeenCalledTimes(1);
  expect(told).toHaveBeenCalledTimes(1);
  expect(reported).toHaveBeenCalledTimes(1);
  leave();
  base.write(() => addAuteur(base, 'Bea'));
  expect(told).toHaveBeenCalledTimes(1);
});

test('what a write returned from is in the file, though the process dies', () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const base = temporaryBase(path);
  base.write(() => addAuteur(base, 'Ana'));
  const other = new Database(path, { readonly: true });
  expect(other.prepare('SELECT nom FROM Auteur').pluck().all()).toEqual(['Ana']);
  other.close();
});

test('gives the rules of shared/ to SQL', () => {
  const base = temporaryBase();
  const row = base.prepare(
    `SELECT normaliser('L’Œuvre !') AS n, cle_regroupement('Hugo, Victor') AS c,
       cle_oeuvre('Sido : suivi de') AS o, normaliser(NULL) AS rien, normaliser(12) AS nombre,
       lire_isbn('2-07-036822-X') AS isbn, texte_net('  ') AS vide`,
  );
  expect(row.get()).toEqual({
    n: 'l oeuvre',
    c: 'hugo victor',
    o: 'sido',
    rien: null,
    nombre: null,
    isbn: '9782070368228',
    vide: null,
  });
});

test('closes twice without complaint', () => {
  const base = temporaryBase();
  base.close();
  base.close();
});
