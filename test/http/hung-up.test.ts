import { request } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FairQueue, type QueueOwner } from '#server/plumbing/upstream/queue';
import { LongWrite } from '#server/plumbing/writes/thread';
import { photograph } from '../couvertures/support/pictures.ts';
import { openHome, PASSWORD } from '../identity/support.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse } from '../support/house.ts';

/** Blocks every queue; a queued request ends when its caller gives up. */
function holdQueues(): QueueOwner[] {
  const waiting: QueueOwner[] = [];
  const run = vi.spyOn(FairQueue.prototype, 'run').mockImplementation((asker) => {
    waiting.push(asker);
    const { promise, reject } = Promise.withResolvers<never>();
    asker.signal.addEventListener('abort', () => reject(new Error('Given up')));
    return promise;
  });
  onTestFinished(() => run.mockRestore());
  return waiting;
}

const json = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) });
const picture = async () => ({ type: 'image/jpeg', body: await photograph() });
const nothing = { type: '', body: '' };

test.each([
  ['a picture of oneself', 'PUT', '/api/moi/portrait', picture],
  ['a cover', 'PUT', '/api/livres/1/couverture', picture],
  ['a sign-in', 'POST', '/api/connexion', () => json({ identifiant: 'luc', motDePasse: PASSWORD })],
  [
    'a new password',
    'PUT',
    '/api/moi/mot-de-passe',
    () => json({ ancien: PASSWORD, nouveau: 'une autre longue phrase' }),
  ],
  ['the other covers', 'GET', '/api/livres/1/autres-couvertures', () => nothing],
  ['a code', 'GET', '/api/recherche-isbn/9782070360024', () => nothing],
  ['a bibliography', 'GET', '/api/bibliographie?auteur=Zola', () => nothing],
  ['an export', 'GET', '/api/export.zip', () => nothing],
])('%s whose client has hung up leaves the queue', async (_name, method, path, said) => {
  const home = await openHome();
  const claire = await home.member('Claire');
  await claire.ask('POST', '/api/livres', { titre: 'Nadja', format: 'Physique' });
  const { type, body } = await said();
  const waiting = holdQueues();
  const headers = claire.headers(type === '' ? {} : { 'Content-Type': type });
  const asking = request(home.url + path, { method, headers });
  const closed = new Promise((resolve) => asking.once('close', resolve));
  asking.on('error', () => undefined).end(body);
  await eventually(() => waiting.length).toBeGreaterThan(0);
  expect(waiting.map(({ signal }) => signal.aborted)).not.toContain(true);
  asking.destroy();
  await closed;
  await eventually(() => waiting.every(({ signal }) => signal.aborted)).toBe(true);
});

test('an import whose sender has gone while it was read is no error of the service', async () => {
  const house = await openHouse(undefined, { LOG_LEVEL: 'error' });
  const logged = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const reading = vi.spyOn(LongWrite.prototype, 'prepared');
  onTestFinished(() => {
    logged.mockRestore();
    reading.mockRestore();
  });
  const lines = Array.from({ length: 5_000 }, (_, nth) => `Livre ${String(nth)}`);
  const method = 'POST';
  const headers = { ...house.headersOf('alice'), 'Content-Type': 'text/csv' };
  const asking = request(`${house.url}/api/importations`, { method, headers });
  asking.on('error', () => undefined).end(['Titre', ...lines].join('\n'));
  await eventually(() => reading.mock.calls.length).toBe(1);
  asking.destroy();
  await eventually(() => reading.mock.settledResults[0]?.type).toBe('rejected');
  // The next one begins once the first is over.
  const again = () =>
    fetch(`${house.url}/api/importations`, { method, headers, body: 'Titre\nNadja' });
  await eventually(async () => (await again()).status).toBe(200);
  expect(logged.mock.calls.map(([line]) => line)).toEqual([]);
});

test('merges are looked for until all who wait for them have hung up', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const { database } = home.context;
  const read = database.all.bind(database);
  let hasBegun = false;
  const all = vi.spyOn(database, 'all').mockImplementation((sql, ...values) => {
    const [after, count] = values;
    const isEndless = sql.includes('AuteurForme') && !(after === 0 && hasBegun);
    if (!isEndless) return read(sql, ...values);
    hasBegun = true;
    const end = performance.now() + 12;
    while (performance.now() < end);
    const next = (nth: number) => ({ id: Number(after) + nth, nom: 'Nom', cle: '', signature: '' });
    return Array.from({ length: Number(count) }, (_, nth) => next(nth + 1));
  });
  onTestFinished(() => all.mockRestore());
  const asking = request(`${home.url}/api/auteurs/suggestions`, { headers: claire.headers() });
  asking.on('error', () => undefined).end();
  await eventually(() => hasBegun).toBe(true);
  asking.destroy();
  // Otherwise this request would wait for the end of the first.
  expect(await claire.ask('GET', '/api/auteurs/suggestions')).toMatchObject({
    status: 200,
    body: [],
  });
});
