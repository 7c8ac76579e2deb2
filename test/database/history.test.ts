import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '#server/plumbing/database/database';
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

/** Opens a database, runs work, closes it; returns its epoch. */
function visit(path: string, ...noms: string[]): string {
  const database = temporaryDatabase(path);
  for (const nom of noms) addAuteur(database, nom);
  database.close();
  return database.history.epoque;
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

test('an older file holds nothing that a later one gave', () => {
  const path = household();
  const epoque = visit(path, 'Ana');
  copyFileSync(path, `${path}.sauvegarde`);
  const later = temporaryDatabase(path);
  addAuteur(later, 'Bea');
  const { origin } = later.history;
  later.close();

  copyFileSync(`${path}.sauvegarde`, path);
  const restored = temporaryDatabase(path);
  expect([restored.history.epoque, restored.history.holds(origin, 1)]).toEqual([epoque, false]);
});

test('stays when the restored file has everything', () => {
  const path = household();
  const epoque = visit(path, 'Ana');
  copyFileSync(path, `${path}.sauvegarde`);
  rmSync(path);
  copyFileSync(`${path}.sauvegarde`, path);
  expect(visit(path)).toBe(epoque);
});
