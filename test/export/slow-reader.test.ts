import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WANTED_RATE } from '#server/plumbing/http/request';
import { formatArchive } from '#server/subjects/export';
import { addLivreEntry } from '#server/subjects/livres/livres';
import { temporaryDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { recordsOf } from '../support/records.ts';
import { unzip } from './support.ts';

test('an export is complete, however slowly it is read', async () => {
  const database = temporaryDatabase();
  database.write((tx) => {
    for (let i = 0; i < 300; i++)
      addLivreEntry(tx, { titre: `Livre ${i}`, format: 'Physique', auteurs: [] }, null);
  });
  const snapshot = database.openSnapshot();
  const chunks: Buffer[] = [];
  const archive = formatArchive(snapshot, recordsOf(database), null, new Date(0), () => null, 'fr');
  for await (const chunk of archive) {
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    chunks.push(Buffer.from(chunk as Uint8Array));
    // Later writes are not part of the export.
    database.write((tx) =>
      addLivreEntry(tx, { titre: 'Livre nouveau', format: 'Physique', auteurs: [] }, null),
    );
  }
  snapshot.close();
  const files = await unzip(Buffer.concat(chunks));
  expect(JSON.parse(files.get('json/livres.json') ?? '')).toHaveLength(300);
  expect(files.has('livres.ris')).toBe(true);
});

/** Requests an export without reading its body. */
function openExport(house: House, utilisateur: string, path = '/api/export.zip') {
  const asked = request(house.url + path, { headers: house.headersOf(utilisateur) });
  asked.on('error', () => undefined).end();
  onTestFinished(() => void asked.destroy());
  const response = once(asked, 'response') as Promise<[IncomingMessage]>;
  const status = response.then(([answer]) => ({
    status: answer.statusCode,
    headers: answer.headers,
    text: () => text(answer),
  }));
  return { status, end: () => void asked.destroy() };
}

/** Adds books whose export exceeds the socket buffers. */
function addLargeLivres({ context }: House, count: number): void {
  context.database.write((tx) => {
    addLivreEntry(tx, { titre: 'Un', format: 'Physique', auteurs: [] }, null);
    const columns = tx
      .values<string>("SELECT name FROM pragma_table_info('Livre')")
      .filter((name) => name !== 'id');
    const values = columns.map((name) => (name === 'coverUrl' ? '@url' : name));
    tx.run(
      `INSERT INTO Livre (${columns.join(', ')})
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count)
       SELECT ${values.join(', ')} FROM Livre, n WHERE id = 1`,
      { count, url: `https://couvertures.example/${'x'.repeat(1900)}` },
    );
  });
}

test('two exports run at a time, one per person; a refused request is told when to retry', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => waits.signal);
  const waits = new AbortController();
  onTestFinished(() => void vi.restoreAllMocks());
  const house = await openHouse();
  addLargeLivres(house, 8000);
  const opened = vi.spyOn(house.context.database, 'openSnapshot');
  const comes = async (utilisateur: string, nth: number) => {
    const asked = openExport(house, utilisateur, CSV);
    await expect.poll(() => timeout.mock.calls).toEqual(Array(nth).fill([20_000]));
    return asked;
  };
  const alice = await comes('alice', 1);
  const again = await comes('alice', 2);
  expect(opened).toHaveBeenCalledTimes(1);
  const bob = await comes('bob', 3);
  expect([(await alice.status).status, (await bob.status).status]).toEqual([200, 200]);
  const chloe = await comes('chloé', 4);
  expect(opened).toHaveBeenCalledTimes(2);
  bob.end();
  expect((await chloe.status).status).toBe(200);
  expect(opened).toHaveBeenCalledTimes(3);
  waits.abort();
  const { status, headers, text: read } = await again.status;
  expect([status, headers['retry-after'], headers['content-disposition']]).toEqual([
    429,
    '30',
    undefined,
  ]);
  expect(JSON.parse(await read())).toMatchObject({ code: 'EXPORTS_EN_COURS' });
});

test('one of two slow readers loses its slot to the client that waits', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const house = await openHouse();
  addLargeLivres(house, 8000);
  const slow = [openExport(house, 'alice', CSV), openExport(house, 'bob', CSV)];
  const answers = await Promise.all(slow.map(({ status }) => status));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  // Less than the two minutes after which an unread response is aborted anyway.
  vi.advanceTimersByTime(3 * WANTED_RATE.ms);
  const waits = vi.spyOn(AbortSignal, 'timeout');
  const chloe = openExport(house, 'chloé', CSV);
  await eventually(() => waits.mock.calls).toContainEqual([20_000]);
  // The socket buffers fill meanwhile; on a busy machine that takes several windows.
  for (let window = 0; window < 4; window++) {
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    vi.advanceTimersByTime(WANTED_RATE.ms);
  }
  expect((await chloe.status).status).toBe(200);
  const read = await Promise.allSettled(answers.map(({ text: whole }) => whole()));
  expect(read.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

const CSV = '/api/export/livres.csv';

test('a list whose client does not read is not held in memory', async () => {
  const house = await openHouse();
  addLargeLivres(house, 8000);
  const list = await (await fetch(`${house.url}/api/livres`)).arrayBuffer();
  expect(list.byteLength).toBeGreaterThan(16_000_000);
  const before = process.memoryUsage().arrayBuffers;
  const readers = Array.from({ length: 12 }, () => openExport(house, 'alice', '/api/livres'));
  const answers = await Promise.all(readers.map(({ status }) => status));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000);
});

test('an export whose client does not read is not held in memory', async () => {
  const house = await openHouse();
  addLargeLivres(house, 16_000);
  const before = process.memoryUsage().arrayBuffers;
  const readers = ['alice', 'bob'].map((who) => openExport(house, who, CSV));
  const answers = await Promise.all(readers.map(({ status }) => status));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (let turn = 0; turn < 5_000; turn++) await nextTurn();
  // Each export exceeds thirty million bytes.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
});
