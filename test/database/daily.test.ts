import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '#shared/refusals';
import { eventually } from '../support/eventually.ts';
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
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const write = vi.spyOn(context.database, 'write').mockImplementation(() => {
    throw full;
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(DAY_MS + 5 * HOUR_MS);
  // Twelve tries of each of the two daily jobs that write; each kind of failure is logged once.
  expect(write).toHaveBeenCalledTimes(12);
  const lines = () => stderr.mock.calls.filter(([line]) => String(line).startsWith('Daily work'));
  expect(lines()).toHaveLength(2);
  write.mockRestore();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  vi.spyOn(context.database, 'write').mockImplementation(() => {
    throw full;
  });
  await vi.advanceTimersByTimeAsync(DAY_MS);
  expect(lines()).toHaveLength(4);
});

test('daily work that writes nothing makes no failing disk a sound one', async () => {
  const { database } = (await openHouse()).context;
  const pages = database.value<number>('SELECT page_count FROM pragma_page_count') ?? 0;
  database.prepare(`PRAGMA max_page_count = ${pages}`).get();
  database.health.noteLongWrite(new Refusal('DISQUE_PLEIN'));
  await vi.advanceTimersByTimeAsync(DAY_MS + HOUR_MS);
  expect(() => database.verify()).toThrow(new Refusal('DISQUE_PLEIN').message);
});

test('rows that a long write kept from deletion are deleted soon after', async () => {
  const { database } = (await openHouse()).context;
  database.write((tx) =>
    tx.run(
      `INSERT INTO Importation (utilisateur, date, etat, format, encodage, aLire, headers, counts)
       VALUES ('', 0, 'essai', 'table', 'utf-8', 'statut', '[]', '{}')`,
    ),
  );
  const remaining = () => database.value('SELECT count(*) FROM Importation');
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await database.handOver('import', async () => {
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(remaining()).toBe(1);
  });
  await eventually(remaining).toBe(0);
  // Other daily work has waited for the same lock.
  await database.writeLock.whenFree(() => undefined);
  const once = vi.spyOn(database, 'write');
  await vi.advanceTimersByTimeAsync(DAY_MS - HOUR_MS);
  expect(once).not.toHaveBeenCalled();
});
