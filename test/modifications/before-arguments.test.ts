import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '#server/plumbing/database/connection';
import { Database } from '#server/plumbing/database/database';
import { readMigrations } from '#server/plumbing/database/migrations';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { pullAll } from '../support/replication.ts';

/** The migration before modifications were stored as data. */
const BEFORE = readMigrations().findIndex(({ nom }) => nom === 'actes-en-donnees');

interface Act {
  readonly operation: string;
  readonly resume: string;
  readonly titre?: string;
  readonly annuleId?: number;
}

const ACTS: readonly (readonly [Act, told: object])[] = [
  [
    { operation: 'ajouterLivre', resume: 'Livre ajouté : Dune', titre: 'Dune' },
    { fait: 'livreAjoute', nom: 'Dune', serie: null },
  ],
  [
    { operation: 'preter', resume: 'Prêté à Luc : Dune', titre: 'Dune' },
    { fait: 'livrePrete', emprunteur: 'Luc', nom: 'Dune' },
  ],
  [
    { operation: 'annulerModification', resume: 'L’ajout de « Dune » est annulé.', annuleId: 1 },
    { fait: 'annulation', operation: 'ajouterLivre', nom: 'Dune', autres: 0, retabli: false },
  ],
  [
    { operation: 'annulerModification', resume: 'L’ajout de « Dune » est rétabli.', annuleId: 3 },
    { fait: 'annulation', operation: 'ajouterLivre', nom: 'Dune', autres: 0, retabli: true },
  ],
  [
    { operation: 'importer', resume: 'Import : 1\u202f200 livres, 2 prêts rendus' },
    { fait: 'importation', livres: 1200, pretsRendus: 2 },
  ],
  [
    { operation: 'annulerImportation', resume: 'Import annulé : 2 livres retirés' },
    { fait: 'importationAnnulee', retires: 2, gardes: 0 },
  ],
  [
    { operation: 'traiterLot', resume: '3 livres rendus' },
    { fait: 'phrase', phrase: '3 livres rendus' },
  ],
];

test('modifications of an older database read as before, by the API and by devices', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  Database.open(path, readMigrations().slice(0, BEFORE)).close();
  const old = connect({ path, coversUrl: '' });
  const insert = old.prepare(
    `INSERT INTO Modification (date, proprietaire, operation, resume, fiches, annuleId)
     VALUES ('2026-11-20T10:00:00.000Z', '', @operation, @resume, @fiches, @annuleId)`,
  );
  for (const [{ operation, resume, titre, annuleId = null }] of ACTS) {
    const fiche = { collection: 'livres', id: 1, titre, ajoutee: false, supprimee: false };
    const fiches = JSON.stringify(titre === undefined ? [] : [{ ...fiche, champs: [] }]);
    insert.run({ operation, resume, fiches, annuleId });
  }
  const revision = Number(old.prepare('SELECT max(revision) FROM Journal').pluck().get());
  old.close();
  const house = await openHouse(path);
  const { body } = await house.ask('ana', 'GET', '/api/modifications');
  const expected = ACTS.map(([{ operation, resume }, expected]) => ({
    operation,
    resume,
    arguments: expected,
  }));
  expect(body).toMatchObject(expected.toReversed());
  const { changements } = await pullAll(house, 'ana', undefined, 1000, true);
  const heard = changements.filter((change) => change.revision > revision);
  expect(heard.map(({ document }) => document)).toMatchObject(
    expected.map(({ resume: _, ...act }) => act),
  );
});
