import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { FILE, goodreads } from './samples.ts';
import { sendFile } from './support.ts';

const LARGE = goodreads(
  ...Array.from({ length: 5000 }, (_, i) => ({ Title: `Titre ${i}`, Author: `Auteur ${i}` })),
);

test('files of one person are read one at a time', async () => {
  const house = await openHouse();
  const answers = await Promise.all([sendFile(house, LARGE), sendFile(house, LARGE)]);
  const codes = answers.map(({ status }) => status).sort();
  expect(codes).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'IMPORTATION_EN_COURS',
  });
  expect((await sendFile(house, FILE)).status).toBe(200);
});

/** Counts this process's threads, beyond those that it has now. */
function watchThreads(): { readonly most: () => number } {
  let [now, most] = [0, 0];
  const count = (worker: Worker) => {
    most = Math.max(most, ++now);
    worker.once('exit', () => now--);
  };
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  return { most: () => most };
}

test('people who import at once all get through, in two threads at most', async () => {
  const house = await openHouse();
  const threads = watchThreads();
  const people = ['alice', 'bob', 'chloé', 'david'];
  const answers = await Promise.all(people.map((one) => sendFile(house, LARGE, {}, one)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(threads.most()).toBeGreaterThan(0);
  expect(threads.most()).toBeLessThanOrEqual(2);
});

test('a dry run asked for many times at once has one thread', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, LARGE);
  const threads = watchThreads();
  const execute = () =>
    house.ask('alice', 'POST', `/api/importations/${String(body.id)}/execution`, {});
  const answers = await Promise.all(Array.from({ length: 10 }, execute));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  expect(threads.most()).toBe(1);
});

/** Starts the upload of a large file. */
const openUpload = (house: House, utilisateur: string) =>
  request(`${house.url}/api/importations`, {
    method: 'POST',
    headers: { ...house.headersOf(utilisateur), 'Content-Length': 40_000_000 },
  }).on('error', () => undefined);

test('a fifth file of a house is refused before it is sent', async () => {
  const house = await openHouse();
  const sending = ['alice', 'bob', 'chloé', 'david'].map((one) => openUpload(house, one));
  for (const each of sending) each.write('Titre\n');
  await eventually(() => uploadsOf(house)).toBe(4);
  const fifth = openUpload(house, 'eve');
  fifth.flushHeaders();
  const [answer] = (await once(fifth, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(409);
  expect(await json(answer)).toMatchObject({ code: 'IMPORTATION_EN_COURS' });
  for (const each of [...sending, fifth]) each.destroy();
  await eventually(() => uploadsOf(house)).toBe(0);
  expect((await sendFile(house, FILE, {}, 'eve')).status).toBe(200);
});

test('a second file of a person is refused before it is sent', async () => {
  const house = await openHouse();
  const open = (utilisateur: string) => openUpload(house, utilisateur);
  const first = open('alice');
  first.write('Titre\n');
  // The other person's upload has arrived too.
  const other = open('bob');
  other.write('Titre\n');
  await eventually(() => uploadsOf(house)).toBe(2);
  const second = open('alice');
  second.flushHeaders();
  const [answer] = (await once(second, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(409);
  expect(await json(answer)).toMatchObject({ code: 'IMPORTATION_EN_COURS' });
  for (const each of [first, other, second]) each.destroy();
  await eventually(() => uploadsOf(house)).toBe(0);
  expect((await sendFile(house, FILE)).status).toBe(200);
});

/** The number of pending uploads beside the database. */
const uploadsOf = ({ context }: House): number =>
  readdirSync(dirname(context.config.databasePath)).filter((name) => name.includes('.partiel-'))
    .length;

test('a dry run outlives the process', async () => {
  const path = `${temporaryFolder()}/b.sqlite`;
  const house = await openHouse(path);
  const { body } = await sendFile(house, FILE);
  await house.close();
  const again = await openHouse(path);
  const executed = await again.ask('alice', 'POST', `/api/importations/${body.id}/execution`, {});
  expect(executed.body).toMatchObject({ etat: 'faite', nouveaux: 2 });
});

test('a request repeated under its key imports the file once', async () => {
  const house = await openHouse();
  const send = () => sendFile(house, FILE, { essai: 'false' }, 'alice', { 'Idempotency-Key': 'k' });
  const first = await send();
  expect([first.status, first.headers.get('Location')]).toEqual([
    201,
    `/api/importations/${first.body.id}`,
  ]);
  const second = await send();
  expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
});
