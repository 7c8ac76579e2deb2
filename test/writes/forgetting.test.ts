import { expect, test, vi } from 'vitest';
import type { Database } from '#server/plumbing/database/database';
import { MODIFICATION_COUNT } from '#shared/modifications';
import { countTouched } from '#server/plumbing/writes/traces';
import { deleteExpired } from '#server/subjects/importations/store';
import { forgetOldModifications } from '#server/subjects/modifications/modifications';
import { openHouse } from '../support/house.ts';
import { run } from '../support/lines.ts';

/** How many rows a transaction may write without delaying others noticeably. */
const MOST_A_TURN = 1_000;

/** The number of rows written by each transaction during some work, including triggers. */
async function rowsByTurn(database: Database, work: () => Promise<unknown>): Promise<number[]> {
  const written = () => database.value<number>('SELECT total_changes()') ?? 0;
  const totals = [written()];
  const forget = database.onCommit(() => void totals.push(written()));
  await work();
  forget();
  return totals.slice(1).map((total, nth) => total - (totals[nth] ?? 0));
}

const numbers = (count: number): string =>
  `(WITH RECURSIVE n (value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT ${String(count)}) SELECT value FROM n)`;

const LONG_AGO = '2000-01-01T00:00:00.000Z';

test('expired modifications are deleted in short transactions, with everything that only they needed', async () => {
  const house = await openHouse();
  const { database } = house.context;
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Sido', format: 'Physique' });
  run(
    database,
    `UPDATE Modification SET date = '${LONG_AGO}'`,
    `INSERT INTO Trace (acte, nom, cle, apres) SELECT 1, 'Livre', value, '{}' FROM ${numbers(2500)}`,
    `INSERT INTO Dormant (kind, id, cle, image, depuis)
     SELECT 'Theme', value, value, '{}', '1999-01-01T00:00:00.000Z' FROM ${numbers(2500)}`,
    `INSERT INTO Modification (operation, proprietaire, date, avec, fiches)
     SELECT 'lot', '', '${LONG_AGO}', '[]', '[]' FROM ${numbers(MODIFICATION_COUNT + 1200)}`,
  );
  const turns = await rowsByTurn(database, () => forgetOldModifications(database));
  const rowCount = (table: string) => database.value(`SELECT count(*) FROM "${table}"`);
  expect([rowCount('Modification'), rowCount('Trace'), rowCount('Dormant')]).toEqual([
    MODIFICATION_COUNT,
    0,
    0,
  ]);
  expect(Math.max(...turns)).toBeLessThan(3 * MOST_A_TURN);
});

test('an act of which the forgetting has begun is not undone by halves', async () => {
  const house = await openHouse();
  const { database } = house.context;
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Sido', format: 'Physique' });
  run(
    database,
    `UPDATE Modification SET date = '${LONG_AGO}'`,
    `UPDATE sqlite_sequence SET seq = ${String(MODIFICATION_COUNT + 2)} WHERE name = 'Modification'`,
  );
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Gigi', format: 'Physique' });
  const undone = await house.ask('ana', 'POST', '/api/modifications/1/annulation');
  expect(undone.status).toBe(404);
  expect(database.value('SELECT count(*) FROM Livre')).toBe(2);
});

test('dry runs that have lived their day go in short turns', async () => {
  const house = await openHouse();
  const { database } = house.context;
  run(
    database,
    `INSERT INTO Importation (utilisateur, date, etat, format, encodage, aLire, headers, counts)
     VALUES ('', 0, 'essai', 'table', 'utf-8', 'statut', '[]', '{}'), ('', 0, 'faite', 'table', 'utf-8', 'statut', '[]', '{}')`,
    `INSERT INTO ImportationLigne (importationId, ligne, sort, content)
     SELECT 1, value, 'nouveau', '{}' FROM ${numbers(2500)}`,
    `INSERT INTO ImportationLigne (importationId, ligne, sort, content)
     SELECT 2, value, iif(value = 7, 'refuse', 'nouveau'), '{}' FROM ${numbers(2500)}`,
    `INSERT INTO ImportationReste (importationId, position, kind, content)
     SELECT 1, value, 'souhaits', '{}' FROM ${numbers(1500)}`,
    `INSERT INTO ImportationAvertissement (importationId, ligne, raison)
     SELECT 1, value, 'Illisible' FROM ${numbers(1500)}`,
  );
  const turns = await rowsByTurn(database, () => database.writeInTurns(deleteExpired));
  const rowCounts = (table: string) => database.values(`SELECT count(*) FROM "${table}"`);
  expect(database.values('SELECT id FROM Importation')).toEqual([2]);
  expect(database.values('SELECT ligne FROM ImportationLigne')).toEqual([7]);
  expect([...rowCounts('ImportationReste'), ...rowCounts('ImportationAvertissement')]).toEqual([
    0, 0,
  ]);
  expect(Math.max(...turns)).toBeLessThan(MOST_A_TURN);
});

test('how much an undoing may touch is known after few questions, however often one record was changed', async () => {
  const house = await openHouse();
  const { database } = house.context;
  run(
    database,
    `INSERT INTO Modification (operation, proprietaire, date, avec, fiches)
     SELECT 'modifierLivre', '', '${LONG_AGO}', '[]', '[]' FROM ${numbers(900)}`,
    `INSERT INTO Trace (acte, nom, cle, avant, apres)
     SELECT id, 'Livre', '[1]', '{}', '{}' FROM Modification`,
  );
  const values = vi.spyOn(database, 'values');
  expect(countTouched(database, 1)).toBeGreaterThan(100);
  expect(values.mock.calls.length).toBeLessThan(3);
});
