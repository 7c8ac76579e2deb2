import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleRegroupement, normaliser } from '#shared/text';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { renewAll } from '#server/start/context';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { openAuteurHouse } from './support.ts';

/** Inserts an author as earlier rules stored it, with one book; returns its id. */
function insertLegacyAuteur(
  database: Transaction,
  nom: string,
  cle = cleRegroupement(nom),
): number {
  const insert = (sql: string, ...values: (string | number)[]) =>
    Number(database.prepare<(string | number)[]>(sql).run(...values).lastInsertRowid);
  const auteur = insert(
    'INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES (?, ?, ?)',
    nom,
    normaliser(nom),
    cle,
  );
  const livre = insert(
    `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
     VALUES (?, ?, ?, 'Physique', '2020-01-01T00:00:00.000Z')`,
    nom,
    normaliser(nom),
    normaliser(nom),
  );
  insert('INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (?, ?, 0)', livre, auteur);
  return auteur;
}

const refuse = (database: Transaction, a: number, b: number) =>
  database
    .prepare<[number, number]>('INSERT INTO FusionRefusee VALUES (?, ?)')
    .run(Math.min(a, b), Math.max(a, b));

const noms = (database: Database) =>
  database
    .prepare<[], { nom: string }>('SELECT nom FROM Auteur ORDER BY id')
    .all()
    .map(({ nom }) => nom);

const keys = (database: Database) =>
  database
    .prepare<[], { cle: string }>('SELECT cleRegroupement AS cle FROM Auteur ORDER BY id')
    .all()
    .map(({ cle }) => cle);

/** Everything that the pass may change, as text. */
const snapshot = (database: Database) =>
  ['Auteur', 'LivreAuteur', 'Livre', 'FusionRefusee', 'Journal'].map((table) =>
    JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all()),
  );

describe('the start-up pass', () => {
  it('merges the name forms of each author who has books', () => {
    const database = temporaryDatabase();
    database.write((tx) => insertLegacyAuteur(tx, 'Hugo, Victor', 'hugo, victor'));
    database.write((tx) => insertLegacyAuteur(tx, 'VICTOR HUGO', 'VICTOR HUGO'));
    database.write((tx) => insertLegacyAuteur(tx, 'V. Hugo'));
    database.write((tx) => insertLegacyAuteur(tx, 'Victor Hugo'));
    // The first name abbreviates the second one too, until that is merged with the third.
    for (const nom of ['J. P. Sartre', 'Jean P. Sartre', 'Jean Paul Sartre'])
      database.write((tx) => insertLegacyAuteur(tx, nom));
    const single = database.write((tx) => insertLegacyAuteur(tx, 'Personne'));
    database.write((tx) =>
      tx.prepare<[number]>('DELETE FROM LivreAuteur WHERE auteurId = ?').run(single),
    );
    renewAll(database);
    expect(noms(database)).toEqual(['Victor Hugo', 'Jean Paul Sartre']);
    expect(database.prepare('SELECT DISTINCT auteurId FROM LivreAuteur').all()).toHaveLength(2);
  });

  it('writes nothing the second time, not even a journal line', () => {
    const database = temporaryDatabase();
    for (const nom of ['J. Martin', 'Jean Martin', 'Jacques Martin', 'J. Verne', 'JULES VERNE'])
      database.write((tx) => insertLegacyAuteur(tx, nom, nom));
    database.write((tx) => tx.prepare("UPDATE Livre SET titreNormalise = 'autrefois'").run());
    renewAll(database);
    expect(noms(database)).toEqual(['J. Martin', 'Jean Martin', 'Jacques Martin', 'J. Verne']);
    const after = snapshot(database);
    renewAll(database);
    expect(snapshot(database)).toEqual(after);
  });

  it('never undoes a refusal, even between names of one key', () => {
    const database = temporaryDatabase();
    const [a, b] = [
      database.write((tx) => insertLegacyAuteur(tx, 'Jean Martin', 'x')),
      database.write((tx) => insertLegacyAuteur(tx, 'JEAN MARTIN', 'y')),
    ];
    const [c, d] = [
      database.write((tx) => insertLegacyAuteur(tx, 'V. Hugo')),
      database.write((tx) => insertLegacyAuteur(tx, 'Victor Hugo')),
    ];
    database.write((tx) => refuse(tx, b, a));
    database.write((tx) => refuse(tx, d, c));
    renewAll(database);
    expect(noms(database)).toEqual(['Jean Martin', 'JEAN MARTIN', 'V. Hugo', 'Victor Hugo']);
    expect(keys(database)).toEqual(['jean martin', 'y', 'hugo v', 'hugo victor']);
    const after = snapshot(database);
    renewAll(database);
    expect(snapshot(database)).toEqual(after);
  });

  it('keeps a refusal of a spelling that is replaced', () => {
    const database = temporaryDatabase();
    const spelling = database.write((tx) => insertLegacyAuteur(tx, 'JEAN MARTIN', 'x'));
    database.write((tx) => insertLegacyAuteur(tx, 'Jean Martin'));
    database.write((tx) => refuse(tx, spelling, insertLegacyAuteur(tx, 'J. Martin')));
    renewAll(database);
    expect(noms(database)).toEqual(['Jean Martin', 'J. Martin']);
  });

  it('gives an author the right key once another frees it', () => {
    const database = temporaryDatabase();
    database.write((tx) => insertLegacyAuteur(tx, 'Anne Martin', 'ancienne cle'));
    database.write((tx) => insertLegacyAuteur(tx, 'Anne Durand', 'anne martin'));
    renewAll(database);
    expect(keys(database)).toEqual(['anne martin', 'anne durand']);
  });

  it('runs before the house opens and reads its books', async () => {
    const path = join(temporaryFolder(), 'bibliotheque.sqlite');
    const database = temporaryDatabase(path);
    database.write((tx) => insertLegacyAuteur(tx, 'V. Hugo'));
    database.write((tx) => insertLegacyAuteur(tx, 'Victor Hugo'));
    database.close();
    const house = await openAuteurHouse(path);
    expect(await house.noms()).toEqual(['Victor Hugo 2']);
    expect(await house.request(200, 'GET', '/api/livres?recherche=victor')).toHaveLength(2);
  });
});
