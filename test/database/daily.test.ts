import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openHouse } from '../support/house.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a full disk during daily work ends no service', async () => {
  const { context } = await openHouse();
  context.database.write((tx) =>
    tx.run(
      `CREATE TEMP TRIGGER Full BEFORE UPDATE ON main.Installation BEGIN
         SELECT raise(ABORT, 'full');
       END`,
    ),
  );
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const write = vi.spyOn(context.database, 'write').mockImplementation(() => {
    throw full;
  });
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.advanceTimersByTime(DAY_MS + HOUR_MS);
  expect(write).toHaveBeenCalledTimes(4);
  expect(told.mock.calls.filter(([line]) => String(line).startsWith('Daily work'))).toHaveLength(6);
});

test('what a long write kept from being deleted goes soon', async () => {
  const { database } = (await openHouse()).context;
  database.write((tx) =>
    tx.run(
      `INSERT INTO Importation (utilisateur, date, etat, format, encodage, aLire, headers, counts)
       VALUES ('', 0, 'essai', 'table', 'utf-8', 'statut', '[]', '{}')`,
    ),
  );
  const left = () => database.value('SELECT count(*) FROM Importation');
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await database.handOver('Un import', async () => void vi.advanceTimersByTime(DAY_MS));
  expect(left()).toBe(1);
  vi.advanceTimersByTime(HOUR_MS);
  expect(left()).toBe(0);
  const once = vi.spyOn(database, 'write');
  vi.advanceTimersByTime(DAY_MS - HOUR_MS);
  expect(once).not.toHaveBeenCalled();
});
