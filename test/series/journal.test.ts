import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { linesOf, run } from '../support/lines.ts';

/** Series 1 holds place 1 (book 1) and series 2; series 2 holds place 2 (book 1); 3 holds nothing. */
function cycle() {
  const database = temporaryDatabase();
  run(
    database,
    `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
     VALUES ('A', 'a', 'a', 'Physique', '2024-01-01T00:00:00.000Z')`,
    `INSERT INTO Serie (titre, parentId, position) VALUES
       ('Un', NULL, 0), ('Deux', 1, 1), ('Trois', NULL, 0)`,
    "INSERT INTO Place (serieId, position, titre, livreId) VALUES (1, 0, 'A', 1), (2, 0, 'B', 1)",
  );
  return database;
}

test.each<[what: string, sql: string[], expected: string[]]>([
  ['a series comes', ["INSERT INTO Serie (titre) VALUES ('Q')"], ['+series/4']],
  [
    'a series comes into another',
    ["INSERT INTO Serie (titre, parentId) VALUES ('Q', 3)"],
    ['+series/3', '+series/4'],
  ],
  ['a series is renamed', ["UPDATE Serie SET titre = 'X' WHERE id = 3"], ['+series/3']],
  [
    'a series in another is renamed',
    ["UPDATE Serie SET titre = 'X' WHERE id = 2"],
    ['+series/1', '+series/2'],
  ],
  [
    'a series changes its place in another',
    ['UPDATE Serie SET position = 9 WHERE id = 2'],
    ['+series/1', '+series/2'],
  ],
  [
    'a series moves',
    ['UPDATE Serie SET parentId = 3 WHERE id = 2'],
    ['+series/1', '+series/2', '+series/3'],
  ],
  [
    'a series comes out',
    ['UPDATE Serie SET parentId = NULL WHERE id = 2'],
    ['+series/1', '+series/2'],
  ],
  [
    'a series goes, with its places',
    ['DELETE FROM Serie WHERE id = 2'],
    ['+series/1', '-series/2'],
  ],
  [
    'a series that holds others goes',
    ['DELETE FROM Serie WHERE id = 1'],
    ['+series/2', '-series/1'],
  ],
  ['both go', ['DELETE FROM Serie WHERE id IN (1, 2)'], ['-series/1', '-series/2']],
  [
    'a place comes',
    ["INSERT INTO Place (serieId, position, titre) VALUES (3, 0, 'C')"],
    ['+series/3'],
  ],
  ['a place changes', ["UPDATE Place SET titre = 'C' WHERE id = 1"], ['+series/1']],
  ['a place moves', ['UPDATE Place SET serieId = 3 WHERE id = 1'], ['+series/1', '+series/3']],
  ['a place goes', ['DELETE FROM Place WHERE id = 1'], ['+series/1']],
  [
    'a book goes from its places',
    ['DELETE FROM Livre WHERE id = 1'],
    ['+series/1', '+series/2', '-livres/1'],
  ],
])('%s', (_, statements, expected) => {
  expect(linesOf(cycle(), ...statements)).toEqual(expected);
});

test('a series keeps its number', () => {
  expect(() => run(cycle(), 'UPDATE Serie SET id = 99 WHERE id = 1')).toThrow('never changes');
});

test('a series is not its own parent', () => {
  expect(() => run(cycle(), 'UPDATE Serie SET parentId = id')).toThrow('CHECK constraint failed');
});
