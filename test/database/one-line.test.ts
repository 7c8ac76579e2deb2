import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '#server/plumbing/database/connection';
import { Database } from '#server/plumbing/database/database';
import { readMigrations } from '#server/plumbing/database/migrations';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { pullAll } from '../support/replication.ts';

/** The migration before one-line texts were stored as one line. */
const BEFORE = 19;

test('a start turns line breaks into blanks, also on devices', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  Database.open(path, readMigrations().slice(0, BEFORE)).close();
  const old = connect({ path, coversUrl: '' });
  for (const sql of [
    `INSERT INTO Auteur (nom, nomNormalise, cleRegroupement)
     VALUES ('A' || char(10) || 'B', 'a b', 'a b')`,
    `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, editeur, format, typeDocument, dateAjout) VALUES
     ('Un' || char(13, 10) || ' deux', 'un deux', 'un deux', 'É' || char(9) || 'd', 'Physique', 'NonPrecise', '2026-01-01T00:00:00.000Z'),
     ('Net', 'net', 'net', NULL, 'Physique', 'NonPrecise', '2026-01-01T00:00:00.000Z'),
     (char(1), '', '', NULL, 'Physique', 'NonPrecise', '2026-01-01T00:00:00.000Z')`,
    'INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (1, 1, 0)',
    `INSERT INTO Revue (titre) VALUES ('R' || char(8232) || 's')`,
    `INSERT INTO Numero (revueId, numero, numeroNormalise, resume)
     VALUES (1, '1' || char(10), '1', 'Un' || char(10) || 'deux')`,
  ])
    old.prepare(sql).run();
  const revision = Number(old.prepare('SELECT max(revision) FROM Journal').pluck().get());
  old.close();
  const house = await openHouse(path);
  const { changements } = await pullAll(house, null);
  const heard = changements.filter((change) => change.revision > revision);
  expect(heard.map(({ collection, document }) => [collection, document])).toEqual(
    expect.arrayContaining(
      (
        [
          ['livres', { id: 1, titre: 'Un deux', editeur: 'É d', auteurs: [{ id: 1, nom: 'A B' }] }],
          ['revues', { titre: 'R s' }],
          ['numeros', { numero: '1', resume: 'Un\ndeux' }],
        ] as const
      ).map(([collection, document]) => [collection, expect.objectContaining(document) as unknown]),
    ),
  );
  expect(heard.map(({ collection }) => collection).sort()).toEqual([
    'auteurs',
    'livres',
    'numeros',
    'revues',
  ]);
  const livres = (await house.ask(null, 'GET', '/api/livres')).body as { titre: string }[];
  expect(livres.map(({ titre }) => titre).sort()).toEqual(['\u0001', 'Net', 'Un deux']);
});
