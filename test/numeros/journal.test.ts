import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { linesOf, run } from '../support/lines.ts';

/** Periodical 1 has issues 1 (theme Mer, an article) and 2 (themes Mer and Ville); 2 has none. */
function openRevues() {
  const database = temporaryDatabase();
  run(
    database,
    "INSERT INTO Revue (titre, issn) VALUES ('Une', '0988-2480'), ('Deux', NULL)",
    "INSERT INTO Numero (revueId, numero, numeroNormalise) VALUES (1, '1', '1'), (1, '2', '2')",
    "INSERT INTO Theme (nom, nomNormalise) VALUES ('Mer', 'mer'), ('Ville', 'ville'), ('Rien', 'rien')",
    'INSERT INTO NumeroTheme (numeroId, themeId, position) VALUES (1, 1, 0), (2, 1, 0), (2, 2, 1)',
    "INSERT INTO Article (numeroId, position, titre) VALUES (1, 0, 'A')",
  );
  return database;
}

test.each<[what: string, sql: string[], expected: string[]]>([
  ['a periodical comes', ["INSERT INTO Revue (titre) VALUES ('T')"], ['+revues/3']],
  ['a periodical is renamed', ["UPDATE Revue SET titre = 'T' WHERE id = 1"], ['+revues/1']],
  [
    'a periodical goes, with its issues',
    ['DELETE FROM Revue WHERE id = 1'],
    ['-numeros/1', '-numeros/2', '-revues/1'],
  ],
  [
    'a periodical is overwritten by another',
    ["UPDATE OR REPLACE Revue SET issn = '0988-2480' WHERE id = 2"],
    ['+revues/2', '-numeros/1', '-numeros/2', '-revues/1'],
  ],
  [
    'an issue comes',
    ["INSERT INTO Numero (revueId, numero, numeroNormalise) VALUES (2, '1', '1')"],
    ['+numeros/3'],
  ],
  ['an issue changes', ["UPDATE Numero SET une = 'U' WHERE id = 2"], ['+numeros/2']],
  ['an issue goes', ['DELETE FROM Numero WHERE id = 2'], ['-numeros/2']],
  [
    'a theme is put on an issue',
    ['INSERT INTO NumeroTheme (numeroId, themeId, position) VALUES (1, 3, 1)'],
    ['+numeros/1'],
  ],
  [
    'a theme goes from one issue to another',
    ['UPDATE NumeroTheme SET numeroId = 1, position = 1 WHERE themeId = 2'],
    ['+numeros/1', '+numeros/2'],
  ],
  ['a theme is taken off', ['DELETE FROM NumeroTheme WHERE themeId = 2'], ['+numeros/2']],
  [
    'a theme is spelled anew',
    ["UPDATE Theme SET nom = 'MER' WHERE id = 1"],
    ['+numeros/1', '+numeros/2'],
  ],
  ['a theme of none goes', ['DELETE FROM Theme WHERE id = 3'], []],
  [
    'an article comes',
    ["INSERT INTO Article (numeroId, position, titre) VALUES (2, 0, 'B')"],
    ['+numeros/2'],
  ],
  ['an article changes', ["UPDATE Article SET titre = 'B'"], ['+numeros/1']],
  ['an article moves', ['UPDATE Article SET numeroId = 2'], ['+numeros/1', '+numeros/2']],
  ['an article goes', ['DELETE FROM Article'], ['+numeros/1']],
])('%s', (_, statements, expected) => {
  expect(linesOf(openRevues(), ...statements)).toEqual(expected);
});

test('a number stays what it is', () => {
  for (const table of ['Revue', 'Numero', 'Theme'])
    expect(() => run(openRevues(), `UPDATE ${table} SET id = 99 WHERE id = 1`)).toThrow(
      'never changes',
    );
});

test('the schema refuses what breaks the rules of periodicals', () => {
  for (const sql of [
    "UPDATE Revue SET issn = '0988-2480'",
    "UPDATE Numero SET numeroNormalise = '1'",
    "UPDATE Theme SET nomNormalise = 'mer'",
    "UPDATE Numero SET date = ''",
    'DELETE FROM Theme',
  ])
    expect(() => run(openRevues(), sql), sql).toThrow('constraint failed');
});
