import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '#server/plumbing/database/database';
import { eventually } from '../support/eventually.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';

function addAuteur(database: Database, nom: string): void {
  database.write((tx) =>
    tx
      .prepare<[string, string, string]>(
        'INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES (?, ?, ?)',
      )
      .run(nom, nom, nom),
  );
}

/** Opens, lets something happen, closes; returns the epoch that it had. */
function visit(path: string, ...noms: string[]): string {
  const database = temporaryDatabase(path);
  for (const nom of noms) addAuteur(database, nom);
  database.close();
  return database.epoque;
}

const household = () => join(temporaryFolder(), 'maison.sqlite');

test('stays the same from start to start', () => {
  const path = household();
  const epoque = visit(path, 'Ana');
  expect(visit(path, 'Bea')).toBe(epoque);
  expect(visit(path)).toBe(epoque);
});

test('differs between databases', () => {
  expect(visit(household())).not.toBe(visit(household(), 'Ana'));
});

test('is drawn again when an older file comes back', () => {
  const path = household();
  const epoque = visit(path, 'Ana');
  copyFileSync(path, `${path}.sauvegarde`);
  expect(visit(path, 'Bea', 'Cid')).toBe(epoque);

  copyFileSync(`${path}.sauvegarde`, path);
  const restored = visit(path);
  expect(restored).not.toBe(epoque);
  expect(visit(path, 'Dan')).toBe(restored);
});

test('stays when the copy that comes back has everything', () => {
  const path = household();
  const epoque = visit(path, 'Ana');
  copyFileSync(path, `${path}.sauvegarde`);
  rmSync(path);
  copyFileSync(`${path}.sauvegarde`, path);
  expect(visit(path)).toBe(epoque);
});

test.each(['', '{', 'null', '[]', '{"epoque":"x"}', '{"epoque":1,"revision":"2"}'])(
  'is not disturbed by a mark that says %s',
  (text) => {
    const path = household();
    const epoque = visit(path, 'Ana');
    writeFileSync(`${path}.jalon`, text);
    expect(visit(path)).toBe(epoque);
  },
);

test('goes without the mark where it cannot be written', () => {
  const path = household();
  const epoque = visit(path, 'Ana');
  rmSync(`${path}.jalon`);
  mkdirSync(`${path}.jalon`);
  expect(visit(path, 'Bea')).toBe(epoque);
});

test('the mark follows the commits while the service runs', async () => {
  const path = household();
  const database = temporaryDatabase(path);
  addAuteur(database, 'Ana');
  addAuteur(database, 'Bea');
  const mark = JSON.stringify({ epoque: database.epoque, revision: 2 });
  await eventually(() => readFileSync(`${path}.jalon`, 'utf8')).toBe(mark);
  expect(existsSync(`${path}.jalon.partiel`)).toBe(false);
});
