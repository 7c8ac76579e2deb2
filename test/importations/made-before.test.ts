import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '#server/plumbing/database/connection';
import { Database } from '#server/plumbing/database/database';
import { readMigrations } from '#server/plumbing/database/migrations';
import { readImportation } from '#server/subjects/importations/store';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';

/** The migration after which what an import made is kept by kinds. */
const BEFORE = 25;

test('what an older version’s import made is known by kinds', () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  Database.open(path, readMigrations().slice(0, BEFORE)).close();
  const old = connect({ path, coversUrl: '' });
  const insert = (id: number, made: object | null) =>
    old
      .prepare(
        `INSERT INTO Importation (id, utilisateur, date, etat, format, encodage, aLire, headers, counts, made)
       VALUES (?, 'ana', ?, 'faite', 'rayonnage', 'utf-8', 'statut', '[]', '{"avertissements":[]}', ?)`,
      )
      .run(id, Date.now(), made && JSON.stringify(made));
  const rest = {
    auteurs: [4],
    refus: [[4, 5]],
    revues: [[1, 'a']],
    issns: [[2, '0988-2480']],
    numeros: [
      [7, 'b'],
      [8, 'c'],
    ],
    revuesSouhaitees: [[3, 'd']],
  };
  const of = { livres: [1], souhaits: [] };
  insert(1, { ...of, rest });
  insert(2, of);
  insert(3, null);
  old.close();
  const database = temporaryDatabase(path);
  const madeBy = (id: number) => readImportation(database, id, 'ana')?.made;
  expect(madeBy(1)).toEqual({
    ...of,
    rest: {
      auteurs: [4],
      refus: [[4, 5]],
      records: [
        ['revues', 1, 'a'],
        ['numeros', 7, 'b'],
        ['numeros', 8, 'c'],
        ['souhaits-revues', 3, 'd'],
      ],
      given: [['revues', 2, 'issn', '0988-2480']],
    },
  });
  expect([madeBy(2), madeBy(3)]).toEqual([of, null]);
});
