import { expect, test, vi } from 'vitest';
import type { Database } from '#server/plumbing/database/database';
import { Journal } from '#server/plumbing/records/journal';
import { temporaryDatabase } from '../support/database.ts';
import { linesOf, run } from '../support/lines.ts';

/**
 * Two books of one author and a third without; book 1 has a closed loan, book 2 an open one. Ana has a status on
 * books 1 and 2, Bob on book 1.
 */
const HOUSEHOLD = [
  `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout) VALUES
     ('Sido', 'sido', 'sido', 'Physique', '2024-01-01T00:00:00.000Z'),
     ('Chéri', 'cheri', 'cheri', 'Physique', '2024-01-01T00:00:00.000Z'),
     ('Atlas', 'atlas', 'atlas', 'Physique', '2024-01-01T00:00:00.000Z')`,
  `INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES
     ('Colette', 'colette', 'colette'), ('Willy', 'willy', 'willy')`,
  'INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (1, 1, 0), (2, 1, 0), (2, 2, 1)',
  `INSERT INTO Pret (livreId, emprunteur, datePret, dateRetour) VALUES
     (1, 'Zoé', '2024-01-01T00:00:00.000Z', '2024-02-01T00:00:00.000Z'),
     (2, 'Léa', '2024-03-01T00:00:00.000Z', NULL)`,
  `INSERT INTO Statut (livreId, utilisateur, statut) VALUES
     (1, 'ana', 0), (2, 'ana', 2), (1, 'bob', 1)`,
];

function household(): Database {
  const database = temporaryDatabase();
  run(database, ...HOUSEHOLD);
  return database;
}

const lines = (...statements: string[]) => linesOf(household(), ...statements);

test('every new record has its line', () => {
  const database = household();
  const rows = database
    .prepare<[], { line: string }>(
      "SELECT collection || '/' || id || '@' || utilisateur || supprime AS line FROM Journal",
    )
    .all();
  expect(rows.map(({ line }) => line).sort()).toEqual([
    'auteurs/1@0',
    'auteurs/2@0',
    'livres/1@0',
    'livres/2@0',
    'livres/3@0',
    'prets/1@0',
    'prets/2@0',
    'statuts/1@ana0',
    'statuts/1@bob0',
    'statuts/2@ana0',
  ]);
});

test.each<[what: string, sql: string[], expected: string[]]>([
  ['a book is edited', ["UPDATE Livre SET editeur = 'Ferenczi' WHERE id = 1"], ['+livres/1']],
  [
    'an author is put on a book',
    ['INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (3, 2, 0)'],
    ['+livres/3'],
  ],
  [
    'the authors of a book change places',
    [
      'DELETE FROM LivreAuteur WHERE livreId = 2',
      'INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (2, 2, 0), (2, 1, 1)',
    ],
    ['+livres/2'],
  ],
  [
    'a book is given to another author',
    ['UPDATE LivreAuteur SET auteurId = 2 WHERE livreId = 1'],
    ['+livres/1'],
  ],
  [
    'an author moves from one book to another',
    ['UPDATE LivreAuteur SET livreId = 3 WHERE livreId = 1'],
    ['+livres/1', '+livres/3'],
  ],
  [
    'an author is taken off a book',
    ['DELETE FROM LivreAuteur WHERE livreId = 2 AND auteurId = 2'],
    ['+livres/2'],
  ],
  [
    'an author goes with the last book',
    ['DELETE FROM LivreAuteur WHERE auteurId = 2', 'DELETE FROM Auteur WHERE id = 2'],
    ['+livres/2', '-auteurs/2'],
  ],
  [
    'an author is renamed',
    ["UPDATE Auteur SET nom = 'COLETTE' WHERE id = 1"],
    ['+auteurs/1', '+livres/1', '+livres/2'],
  ],
  [
    'an author keeps the name',
    ["UPDATE Auteur SET nom = 'Colette', nomNormalise = 'colette' WHERE id = 1"],
    ['+auteurs/1'],
  ],
  [
    'an author is overwritten by another',
    [
      "INSERT OR REPLACE INTO Auteur (id, nom, nomNormalise, cleRegroupement) VALUES (9, 'Anon', 'anon', 'anon')",
      "UPDATE OR REPLACE Auteur SET cleRegroupement = 'anon' WHERE id = 2",
    ],
    ['+auteurs/2', '-auteurs/9'],
  ],
  [
    'a loan is closed',
    ["UPDATE Pret SET dateRetour = '2024-04-01T00:00:00.000Z' WHERE id = 2"],
    ['+prets/2'],
  ],
  ['a loan is deleted', ['DELETE FROM Pret WHERE id = 1'], ['-prets/1']],
  [
    'a status changes',
    ["UPDATE Statut SET statut = 2 WHERE livreId = 1 AND utilisateur = 'bob'"],
    ['+statuts/1@bob'],
  ],
  [
    'a status is written over',
    [
      "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'bob', 2) ON CONFLICT DO UPDATE SET statut = excluded.statut",
    ],
    ['+statuts/1@bob'],
  ],
  [
    'a status is replaced',
    ["INSERT OR REPLACE INTO Statut (livreId, utilisateur, statut) VALUES (1, 'bob', 2)"],
    ['+statuts/1@bob'],
  ],
  [
    'a status goes to someone else',
    ["UPDATE Statut SET utilisateur = 'bob' WHERE livreId = 2"],
    ['+statuts/2@bob', '-statuts/2@ana'],
  ],
  ['a status goes', ["DELETE FROM Statut WHERE utilisateur = 'bob'"], ['-statuts/1@bob']],
  [
    'a book goes, with its loans and everyone’s statuses',
    ['DELETE FROM Livre WHERE id = 1'],
    ['-livres/1', '-prets/1', '-statuts/1@ana', '-statuts/1@bob'],
  ],
  [
    'a book is replaced',
    [
      `INSERT OR REPLACE INTO Livre (id, titre, titreNormalise, cleOeuvre, format, dateAjout)
       SELECT id, titre, titreNormalise, cleOeuvre, format, dateAjout FROM Livre WHERE id = 1`,
    ],
    ['+livres/1', '-prets/1', '-statuts/1@ana', '-statuts/1@bob'],
  ],
  [
    'a conflict is ignored',
    ["UPDATE OR IGNORE Auteur SET cleRegroupement = 'colette'"],
    ['+auteurs/1'],
  ],
  ['nothing is touched', ['DELETE FROM Livre WHERE id = 99'], []],
])('%s', (_, statements, expected) => {
  expect(lines(...statements)).toEqual(expected);
});

test('a document back under its number has one line again', () => {
  const database = household();
  run(database, "DELETE FROM Statut WHERE utilisateur = 'bob'");
  run(database, "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'bob', 0)");
  const row = database.prepare(
    "SELECT count(*) AS n, max(supprime) AS supprime FROM Journal WHERE collection = 'statuts' AND utilisateur = 'bob'",
  );
  expect(row.get()).toEqual({ n: 1, supprime: 0 });
});

test('a number stays what it is', () => {
  const database = household();
  for (const table of ['Livre', 'Auteur', 'Pret']) {
    expect(() => run(database, `UPDATE ${table} SET id = 99 WHERE id = 1`)).toThrow(
      'never changes',
    );
  }
});

test('an undone write leaves no line and no revision', () => {
  const database = household();
  const before = database.revision();
  expect(() => run(database, 'DELETE FROM Livre WHERE id = 3', 'DELETE FROM Auteur')).toThrow();
  expect(database.revision()).toBe(before);
  run(database, 'DELETE FROM Livre WHERE id = 3');
  expect(database.revision()).toBe(before + 1);
});

test('publishes each commit once, with the owners it concerns', () => {
  const database = household();
  const journal = new Journal(database);
  const heard = vi.fn();
  const leave = journal.subscribe(heard);
  database.write(() => undefined);
  expect(heard).not.toHaveBeenCalled();
  run(database, 'DELETE FROM Livre WHERE id = 3');
  run(database, "DELETE FROM Statut WHERE utilisateur = 'bob'");
  leave();
  run(database, 'DELETE FROM Pret');
  expect(heard.mock.calls).toEqual([
    [{ revision: database.revision() - 3, owners: new Set(['']) }],
    [{ revision: database.revision() - 2, owners: new Set(['bob']) }],
  ]);
});

test('a listener that fails keeps nothing from the others', () => {
  const database = household();
  const journal = new Journal(database);
  const reported = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const heard = vi.fn();
  journal.subscribe(() => {
    throw new Error('sourd');
  });
  journal.subscribe(heard);
  run(database, 'DELETE FROM Livre WHERE id = 3');
  expect(heard).toHaveBeenCalledTimes(1);
  expect(reported).toHaveBeenCalledTimes(1);
  reported.mockRestore();
});

test('knows whose documents have changed since a revision', () => {
  const database = household();
  const journal = new Journal(database);
  const before = database.revision();
  expect([...journal.ownersSince(before)]).toEqual([]);
  run(database, "DELETE FROM Statut WHERE utilisateur = 'bob'");
  expect([...journal.ownersSince(before)]).toEqual(['bob']);
  run(database, 'DELETE FROM Livre WHERE id = 3');
  expect([...journal.ownersSince(before)].sort()).toEqual(['', 'bob']);
});
