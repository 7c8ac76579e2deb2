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
  // All statements, except those assembled at run time from names of tables and columns.
  expect(statements.length).toBeGreaterThan(150);
  expect(made.length).toBeLessThan(statements.length / 2);
});
