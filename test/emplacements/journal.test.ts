import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { linesOf, run } from '../support/lines.ts';

test.each<[what: string, sql: string[], expected: string[]]>([
  [
    'a location comes',
    ["INSERT INTO Emplacement (nom, nomNormalise) VALUES ('Q', 'q')"],
    ['+emplacements/3'],
  ],
  [
    'a location is moved',
    ['UPDATE Emplacement SET parentId = 1 WHERE id = 2'],
    ['+emplacements/2'],
  ],
  ['a location goes', ['DELETE FROM Emplacement WHERE id = 2'], ['-emplacements/2']],
  ['a book is put away', ['UPDATE Livre SET emplacementId = 1 WHERE id = 1'], ['+livres/1']],
])('the journal has an entry if %s', (_, sql, expected) => {
  const database = temporaryDatabase();
  run(
    database,
    `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
     VALUES ('A', 'a', 'a', 'Physique', '2024-01-01T00:00:00.000Z')`,
    "INSERT INTO Emplacement (nom, nomNormalise) VALUES ('Salon', 'salon'), ('Cave', 'cave')",
  );
  expect(linesOf(database, ...sql)).toEqual(expected);
});
