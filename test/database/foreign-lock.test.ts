import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Database, WriteLock } from '#server/plumbing/database/database';
import { toUnusable } from '#server/plumbing/database/unusable';
import { BatchedWrites } from '#server/subjects/couvertures/fetcher';
import { VirtualClock } from '../couvertures/support/clock.ts';
import { temporaryDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { sendFile } from '../importations/support.ts';

const HOUR_MS = 3_600_000;
const LIVRE = { titre: 'Un', format: 'Physique' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Holds the database's lock as another program, until the returned function is called. */
function lockFromOutside({ options }: Database, begin = 'BEGIN IMMEDIATE'): () => void {
  const foreign = new Sqlite(options.path);
  onTestFinished(() => void foreign.close());
  foreign.exec(begin);
  return () => void foreign.exec('ROLLBACK');
}

/** Sends a writing request, and waits until it waits for the lock. */
async function untilItWaits<T>(
  { context }: House,
  request: () => Promise<T>,
): Promise<Promise<T>[]> {
  const write = vi.spyOn(context.database, 'write');
  const answer = request();
  await eventually(() => write.mock.calls.length).toBeGreaterThan(1);
  write.mockRestore();
  // Wrapped in a list, since an async function would await the response.
  return [answer];
}

test.each(['BEGIN IMMEDIATE', 'BEGIN EXCLUSIVE'])(
  'reads are answered while a write waits for another program’s %s',
  async (begin) => {
    const house = await openHouse();
    const free = lockFromOutside(house.context.database, begin);
    const [adding] = await untilItWaits(house, () =>
      house.ask('alice', 'POST', '/api/livres', LIVRE),
    );
    expect(await house.ask('bruno', 'GET', '/api/livres')).toMatchObject({ status: 200, body: [] });
    expect((await house.ask('bruno', 'GET', '/api/sante')).status).toBe(200);
    free();
    expect(await adding).toMatchObject({ status: 201, body: LIVRE });
    expect((await house.ask('bruno', 'GET', '/api/livres')).body).toHaveLength(1);
  },
);

test('writes that have waited together leave turns to others', async () => {
  const database = temporaryDatabase();
  database.neverBlock();
  const free = lockFromOutside(database);
  const done: string[] = [];
  const writes = ['first', 'second', 'third'].map((name) =>
    database.writeLock.whenFree(() =>
      database.write(() => {
        done.push(name);
        setImmediate(() => done.push(`after ${name}`));
      }),
    ),
  );
  free();
  await Promise.all(writes);
  const order = ['first', 'after first', 'second', 'after second', 'third'];
  expect(done.slice(0, order.length)).toEqual(order);
});

test('a write that another program keeps out for four seconds is refused', async () => {
  const house = await openHouse();
  const free = lockFromOutside(house.context.database);
  const [adding] = await untilItWaits(house, () =>
    house.ask('alice', 'POST', '/api/livres', LIVRE),
  );
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 4_000);
  expect(await adding).toMatchObject({ status: 503, body: { code: 'BASE_INJOIGNABLE' } });
  clock.mockRestore();
  free();
  expect((await house.ask('alice', 'GET', '/api/livres')).body).toEqual([]);
  expect((await house.ask('alice', 'POST', '/api/livres', LIVRE)).status).toBe(201);
});

test('each of many waiting writes is refused in its time', async () => {
  const lock = new WriteLock();
  const busy = new Sqlite.SqliteError('database is locked', 'SQLITE_BUSY');
  const tries: string[] = [];
  const waiting = ['first', 'second'].map((name) =>
    lock.whenFree(() => {
      tries.push(name);
      throw busy;
    }, 10_000),
  );
  const outcomes = Promise.allSettled(waiting);
  await eventually(() => tries.length).toBeGreaterThan(2);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 4_000);
  const refused = { status: 'rejected', reason: busy };
  expect(await outcomes).toEqual([refused, refused]);
});

test('an import in a thread waits for another program', async () => {
  const house = await openHouse();
  const titres = Array.from({ length: 150 }, (_, n) => `Livre ${String(n)}`);
  const { body } = await sendFile(house, ['Titre', ...titres].join('\n'));
  const free = lockFromOutside(house.context.database);
  const path = `/api/importations/${String(body.id)}/execution`;
  const begin = vi.spyOn(house.context.database.history, 'begin');
  const importing = house.ask('alice', 'POST', path, {});
  await eventually(() => begin.mock.calls.length).toBeGreaterThan(0);
  expect((await house.ask('bruno', 'GET', '/api/livres')).status).toBe(200);
  free();
  expect(await importing).toMatchObject({ status: 200, body: { nouveaux: 150 } });
});

test('daily work waits for another program', async () => {
  const { context } = await openHouse();
  const { database } = context;
  database.write((tx) =>
    tx.run(
      `INSERT INTO Importation (utilisateur, date, etat, format, encodage, aLire, headers, counts)
       VALUES ('', 0, 'essai', 'table', 'utf-8', 'statut', '[]', '{}')`,
    ),
  );
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const remaining = () => database.value('SELECT count(*) FROM Importation');
  const free = lockFromOutside(database);
  const now = performance.now();
  vi.advanceTimersByTime(24 * HOUR_MS);
  vi.spyOn(performance, 'now').mockReturnValue(now + HOUR_MS);
  expect(remaining()).toBe(1);
  free();
  await eventually(remaining).toBe(0);
  expect(stderr).not.toHaveBeenCalled();
});

test('covers wait for another program', async () => {
  const database = temporaryDatabase();

  database.neverBlock();
  const clock = new VirtualClock();
  const done: unknown[] = [];
  const batched = new BatchedWrites(database, clock, (error) => done.push(error));
  const free = lockFromOutside(database);
  batched.add('a', () => done.push('a'));
  await clock.run(5_000, () => false);
  expect([done, batched.size]).toEqual([[], 1]);
  free();
  await clock.run(5_000, () => false);
  expect([done, batched.size]).toEqual([['a', null], 0]);
});

test('a start blocked by another program reports it', () => {
  const busy = new Sqlite.SqliteError('database is locked', 'SQLITE_BUSY');
  expect(toUnusable('/maison/base.sqlite', busy).message).toBe(
    'La base /maison/base.sqlite est verrouillée par un autre programme : fermez-le d’abord.',
  );
});
