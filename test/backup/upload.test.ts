import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { addLivreEntry } from '#server/subjects/livres/livres';
import { pictureTaker, takePictures } from '#server/subjects/importations/pictures';
import { download } from '../export/support.ts';
import { goodreads } from '../importations/samples.ts';
import { sendFile } from '../importations/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse } from '../support/house.ts';
import { ServerProcess } from '../support/process.ts';
import { backupOf, makeHousehold, titresAt, titresOf, upload } from './support.ts';

const TITRES = ['Nadja', 'Les Vagues', 'Zazie dans le métro'];

const epoqueAt = async (url: string): Promise<unknown> =>
  Reflect.get(Object(await (await fetch(`${url}/api/replication`)).json()), 'epoque');

/** Repeats a request until the restarting service answers it. */
const soon = <T>(ask: () => Promise<T>) => eventually(() => ask().catch(() => null));

test('a service takes up the backup that it is sent', { tags: 'process' }, async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'bibliotheque.sqlite');
  const service = new ServerProcess({ DATABASE_PATH: path });
  const url = await service.url();
  const before = await epoqueAt(url);
  const events = await fetch(`${url}/api/replication/evenements`);
  const answer = await upload(url, await backupOf(TITRES));
  expect(answer).toMatchObject({ status: 200, body: { nature: 'sauvegarde', livres: 3 } });
  await soon(() => titresAt(url)).toEqual([...TITRES].sort());
  const after = await epoqueAt(url);
  expect([after === before, typeof after]).toEqual([false, 'string']);
  expect(await (await fetch(`${url}/api/modifications`)).json()).toEqual([]);
  await events.body?.cancel();
  const names = readdirSync(folder);
  expect(
    names.filter((name) => name.includes('remplacee') && name.endsWith('.sqlite')),
  ).toHaveLength(1);
  expect(names.filter((name) => name.endsWith('.partiel'))).toEqual([]);
  // The service keeps running: it writes, refuses another restore, and can be stopped.
  const added = await fetch(`${url}/api/livres`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ titre: 'Après', format: 'Physique' }),
  });
  expect(added.status).toBe(201);
  expect(await upload(url, await backupOf(['Un']))).toMatchObject({
    status: 409,
    body: { code: 'BIBLIOTHEQUE_OCCUPEE' },
  });
  expect((await service.end('SIGTERM')).code).toBe(0);
  expect(titresOf(path)).toEqual([...TITRES, 'Après']);
});

test('a copied database is restored as a backup is', { tags: 'process' }, async () => {
  const source = makeHousehold(TITRES);
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const service = new ServerProcess({ DATABASE_PATH: path });
  const url = await service.url();
  const bytes = readFileSync(source.path);
  const cut = await upload(url, bytes.subarray(0, 5000));
  expect(cut).toMatchObject({ status: 400, body: { code: 'FICHIER_INVALIDE' } });
  const others = join(temporaryFolder(), 'autre.sqlite');
  const other = new Sqlite(others);
  other.exec(
    "CREATE TABLE Livre (id INTEGER PRIMARY KEY, titre TEXT); INSERT INTO Livre VALUES (1, 'Un')",
  );
  other.close();
  const foreign = readFileSync(others);
  for (const migrations of [0, 3, 9999]) {
    foreign.writeUInt32BE(migrations, 60);
    expect(await upload(url, foreign), String(migrations)).toMatchObject({
      status: 400,
      body: { code: 'FICHIER_INVALIDE' },
    });
  }
  expect(await titresAt(url)).toEqual([]);
  expect(await upload(url, bytes)).toMatchObject({
    status: 200,
    body: { nature: 'sauvegarde', livres: 3 },
  });
  await soon(() => titresAt(url)).toEqual([...TITRES].sort());
});

test(
  'a service killed right after its response starts with the restored database',
  { tags: 'process' },
  async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'bibliotheque.sqlite');
    const service = new ServerProcess({ DATABASE_PATH: path });
    const url = await service.url();
    const backup = await backupOf(TITRES);
    // The service waits for the response's connection to close before it replaces the database.
    const sent = request(`${url}/api/restauration`, { method: 'POST' });
    const status = new Promise((resolve) =>
      sent.once('response', (response) => resolve(response.statusCode)),
    );
    sent.end(backup);
    expect(await status).toBe(200);
    await service.end('SIGKILL');
    sent.destroy();
    const again = new ServerProcess({ DATABASE_PATH: path });
    expect(await titresAt(await again.url())).toEqual([...TITRES].sort());
    const names = [folder, join(folder, 'sauvegardes')].flatMap((each) =>
      existsSync(each) ? readdirSync(each) : [],
    );
    expect(names.filter((name) => /partiel|restauree/.test(name))).toEqual([]);
    await again.end('SIGTERM');
  },
);

test('a start deletes the unfinished files of a killed service', { tags: 'process' }, async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'bibliotheque.sqlite');
  const ended = new ServerProcess({ DATABASE_PATH: path });
  await ended.url();
  await ended.end('SIGKILL');
  const [left, kept] = [ended.pid, process.pid].map(
    (pid) => `bibliotheque.sqlite.partiel-${String(pid)}-aBcDeF`,
  );
  for (const name of [left, kept]) mkdirSync(join(folder, String(name)));
  await new ServerProcess({ DATABASE_PATH: path }).url();
  expect(readdirSync(folder)).not.toContain(left);
  // The process in its name is alive, so it is a running command.
  expect(readdirSync(folder)).toContain(kept);
});

/** Sends a book in two halves; a closing service waits for the second one. */
function beginToAdd(url: string, titre: string) {
  const body = Buffer.from(JSON.stringify({ titre, format: 'Physique' }));
  const sent = request(`${url}/api/livres`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
  });
  const answer = new Promise<{ titre: string; status: number | undefined; text: string }>(
    (resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ titre, status: response.statusCode, text }));
      });
    },
  );
  sent.write(body.subarray(0, 5));
  return { finish: () => sent.end(body.subarray(5)), answer };
}

test('no book acknowledged during a restore is lost', { tags: 'process' }, async () => {
  const service = new ServerProcess({
    DATABASE_PATH: join(temporaryFolder(), 'bibliotheque.sqlite'),
  });
  const url = await service.url();
  const writers = Array.from({ length: 5 }, (_, index) =>
    beginToAdd(url, `Pendant ${String(index)}`),
  );
  expect(await upload(url, await backupOf(TITRES))).toMatchObject({ status: 200 });
  for (const { finish } of writers) finish();
  const answers = await Promise.all(writers.map(({ answer }) => answer));
  const acknowledged = answers.filter(({ status }) => status === 201).map(({ titre }) => titre);
  await soon(() => titresAt(url)).toEqual([...TITRES, ...acknowledged].sort());
  const others = answers.filter(
    ({ status, text }) =>
      status !== 201 && !(status === 503 && text.includes('"RESTAURATION_EN_COURS"')),
  );
  expect(others).toEqual([]);
});

test('writes are refused from the answer of a restore on', async () => {
  // This service has no process manager to restart it, so it stays as it is after the response.
  const house = await openHouse();
  expect(await upload(house.url, await backupOf(TITRES))).toMatchObject({ status: 200 });
  const livre = { titre: 'Trop tard', format: 'Physique' };
  expect(await house.ask('ana', 'POST', '/api/livres', livre)).toMatchObject({
    status: 503,
    body: { code: 'RESTAURATION_EN_COURS' },
  });
  // A large write, which would run in a thread.
  const places = Array.from({ length: 150 }, (_, n) => ({ titre: `Tome ${String(n)}` }));
  const serie = { titre: 'Trop tard', places };
  expect(await house.ask('ana', 'POST', '/api/series', serie)).toMatchObject({
    status: 503,
    body: { code: 'RESTAURATION_EN_COURS' },
  });
  expect(await upload(house.url, await backupOf(TITRES))).toMatchObject({
    body: { code: 'RESTAURATION_EN_COURS' },
  });
  expect(await titresAt(house.url)).toEqual([]);
});

test('a backup whose upload was aborted replaces nothing', async () => {
  const house = await openHouse();
  const backup = await backupOf(TITRES);
  const sending = request(`${house.url}/api/restauration`, { method: 'POST' });
  const ended = new Promise<void>((resolve) =>
    sending.once('close', resolve).once('error', () => resolve()),
  );
  sending.end(backup);
  const again = async () => (await upload(house.url, Buffer.from('Titre\n'))).body['code'];
  await eventually(again).toBe('IMPORTATION_EN_COURS');
  sending.destroy();
  await ended;
  await eventually(again).not.toBe('IMPORTATION_EN_COURS');
  const livre = { titre: 'Toujours là', format: 'Physique' };
  expect(await house.ask('ana', 'POST', '/api/livres', livre)).toMatchObject({ status: 201 });
});

test('an export restored by its owner brings their wishes too', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Nadja', format: 'Physique' });
  await house.ask('ana', 'POST', '/api/souhaits', { titre: 'Ubik' });
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  expect(await upload(other.url, bytes, other.headersOf('ana'))).toMatchObject({
    status: 200,
    body: { nature: 'export', livres: 1 },
  });
  expect(await titresAt(other.url)).toEqual(['Nadja']);
  expect((await other.ask('ana', 'GET', '/api/souhaits')).body).toHaveLength(1);
  expect(await upload(other.url, bytes)).toMatchObject({ body: { code: 'BIBLIOTHEQUE_OCCUPEE' } });
});

test('an export of many books is imported beside the service', async () => {
  const house = await openHouse();
  const { database } = house.context;
  const count = 150;
  database.write((tx) => {
    for (let nth = 0; nth < count; nth++)
      addLivreEntry(tx, { titre: `Livre ${String(nth)}`, format: 'Physique' }, null);
  });
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  const handOver = vi.spyOn(other.context.database, 'handOver');
  expect(await upload(other.url, bytes)).toMatchObject({
    status: 200,
    body: { nature: 'export', livres: count },
  });
  expect(new Set(handOver.mock.calls.map(([job]) => job))).toEqual(new Set(['restauration']));
  expect(await titresAt(other.url)).toHaveLength(count);
  // A restored export is an import, which can be undone.
  const [importation] = (await other.ask(null, 'GET', '/api/importations')).body as {
    id: number;
  }[];
  const undone = await other.ask(null, 'DELETE', `/api/importations/${String(importation?.id)}`);
  expect(undone.body).toEqual({
    retires: count,
    gardes: 0,
  });
});

test('restoring an export leaves a file that another reads', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Nadja', format: 'Physique' });
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  const rows = Array.from({ length: 5000 }, (_, nth) => ({ Title: `Titre ${String(nth)}` }));
  const [read, restored] = await Promise.all([
    sendFile(other, goodreads(...rows), {}, 'bob'),
    upload(other.url, bytes, other.headersOf('ana')),
  ]);
  expect([read.status, restored.status]).toEqual([200, 200]);
  const execution = `/api/importations/${String(read.body.id)}/execution`;
  const executed = await other.ask('bob', 'POST', execution, {});
  expect(executed.body).toMatchObject({ nouveaux: 5000 });
});

test('an aborted upload of an export imports nothing', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Nadja', format: 'Physique' });
  const path = join(temporaryFolder(), 'export.zip');
  writeFileSync(path, (await download(house, '/api/export.zip')).bytes);
  const other = await openHouse();
  const sender = { owner: 'ana', signal: AbortSignal.abort() };
  const take = pictureTaker(other.context.covers.store, sender);
  await expect(takePictures(path, take, sender.signal)).rejects.toMatchObject({
    code: 'FICHIER_INVALIDE',
  });
  expect((await other.ask('ana', 'GET', '/api/importations')).body).toEqual([]);
});

test('a wish, periodical or series prevents replacing the household', async () => {
  const bytes = await backupOf(TITRES);
  for (const [path, body] of [
    ['/api/souhaits', { titre: 'Ubik' }],
    ['/api/revues', { titre: 'Rivages' }],
    ['/api/series', { titre: 'Dune', places: [] }],
  ] as const) {
    const house = await openHouse();
    await house.ask('ana', 'POST', path, body);
    expect(await upload(house.url, bytes)).toMatchObject({ status: 409 });
  }
});

test('a book added during the upload prevents replacing the household', async () => {
  const folder = temporaryFolder();
  const house = await openHouse(join(folder, 'bibliotheque.sqlite'));
  const bytes = await backupOf(TITRES);
  const received = () => {
    const workspace = readdirSync(folder).find((name) => name.includes('.partiel-')) ?? '';
    const path = join(folder, workspace, 'recu');
    return existsSync(path) && statSync(path).size;
  };
  const half = Math.floor(bytes.length / 2);
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!isBegun) {
        isBegun = true;
        controller.enqueue(new Uint8Array(bytes.subarray(0, half)));
        return;
      }
      // Once the service stores the upload, it has checked that the household is empty.
      await eventually(received).toBe(half);
      await house.ask('ana', 'POST', '/api/livres', { titre: 'Meanwhile', format: 'Physique' });
      controller.enqueue(new Uint8Array(bytes.subarray(half)));
      controller.close();
    },
  });
  const request = { method: 'POST', body, duplex: 'half' };
  const response = await fetch(`${house.url}/api/restauration`, request);
  expect([response.status, await response.json()]).toMatchObject([
    409,
    { code: 'BIBLIOTHEQUE_OCCUPEE' },
  ]);
  expect(await titresAt(house.url)).toEqual(['Meanwhile']);
  expect(readdirSync(folder).filter((name) => name.includes('partiel'))).toEqual([]);
});

test('a page of another site restores nothing', async () => {
  const house = await openHouse();
  expect(
    await upload(house.url, await backupOf(TITRES), { 'Sec-Fetch-Site': 'cross-site' }),
  ).toMatchObject({ status: 403, body: { code: 'ORIGINE_REFUSEE' } });
});
