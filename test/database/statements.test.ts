import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { readStatements } from './support/statements.ts';

test('the type beside each statement has the columns that SQLite gives it', () => {
  const { statements, made } = readStatements();
  const database = temporaryDatabase();
  const faults = database.write((tx) =>
    statements.flatMap(({ place, sql, faults: faultsOf }) =>
      faultsOf(tx.prepare(sql).columns()).map((fault) => `${place}: ${fault}`),
    ),
  );
  expect(faults).toEqual([]);
  // All but those that are put together as the program runs, of the names of tables and of the columns of shapes.
  expect(statements.length).toBeGreaterThan(150);
  expect(made.length).toBeLessThan(statements.length / 2);
});
