import { afterEach, expect, test, vi } from 'vitest';
import { openHouse } from '../support/house.ts';

const DAY_MS = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a full disk during daily work ends no service', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
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
  vi.advanceTimersByTime(2 * DAY_MS);
  expect(write).toHaveBeenCalledTimes(4);
  expect(told.mock.calls.filter(([line]) => String(line).startsWith('Daily work'))).toHaveLength(6);
});
