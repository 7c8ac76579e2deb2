import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { linesOf, run } from '../support/lines.ts';

const TABLES = [
  ['Souhait', 'souhaits'],
  ['RevueSouhaitee', 'souhaits-revues'],
] as const;

function openLists() {
  const database = temporaryDatabase();
  for (const [table] of TABLES)
    run(
      database,
      `INSERT INTO ${table} (utilisateur, titre, cleOeuvre, rang, dateAjout) VALUES
         ('ana', 'A', 'a', 1, '2024-01-01T00:00:00.000Z'),
         ('ana', 'B', 'b', 2, '2024-01-01T00:00:00.000Z'),
         ('bob', 'C', 'c', 1, '2024-01-01T00:00:00.000Z')`,
    );
  return database;
}

test.each(TABLES)('every change of %s is journalled for its owner', (table, collection) => {
  const values = "('bob', 'D', 'd', 2, '2024-01-01T00:00:00.000Z')";
  const cases: [sql: string, expected: string[]][] = [
    [
      `INSERT INTO ${table} (utilisateur, titre, cleOeuvre, rang, dateAjout) VALUES ${values}`,
      [`+${collection}/4@bob`],
    ],
    [`UPDATE ${table} SET titre = 'Z' WHERE id = 1`, [`+${collection}/1@ana`]],
    [
      `UPDATE ${table} SET rang = 3 - rang WHERE utilisateur = 'ana'`,
      [`+${collection}/1@ana`, `+${collection}/2@ana`],
    ],
    [`DELETE FROM ${table} WHERE id = 3`, [`-${collection}/3@bob`]],
    [
      `UPDATE OR REPLACE ${table} SET cleOeuvre = 'a' WHERE id = 2`,
      [`+${collection}/2@ana`, `-${collection}/1@ana`],
    ],
  ];
  for (const [sql, expected] of cases) expect(linesOf(openLists(), sql), sql).toEqual(expected);
});

test.each(TABLES)('a row of %s keeps its number and its owner', (table) => {
  for (const change of ['id = 99', "utilisateur = 'bob'"])
    expect(() => run(openLists(), `UPDATE ${table} SET ${change} WHERE id = 1`)).toThrow(
      'never change',
    );
});
