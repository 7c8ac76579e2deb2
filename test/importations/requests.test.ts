import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { FILE, goodreads } from './samples.ts';
import { sendFile } from './support.ts';

test('one file is read at a time', async () => {
  const house = await openHouse();
  const large = goodreads(
    ...Array.from({ length: 5000 }, (_, i) => ({ Title: `Titre ${i}`, Author: `Auteur ${i}` })),
  );
  const answers = await Promise.all([sendFile(house, large), sendFile(house, large)]);
  const codes = answers.map(({ status }) => status).sort();
  expect(codes).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'IMPORTATION_EN_COURS',
  });
  expect((await sendFile(house, FILE)).status).toBe(200);
});

test('a dry run outlives the process', async () => {
  const path = `${temporaryFolder()}/b.sqlite`;
  const house = await openHouse(path);
  const { body } = await sendFile(house, FILE);
  await house.close();
  const again = await openHouse(path);
  const made = await again.ask('alice', 'POST', `/api/importations/${body.id}/execution`, {});
  expect(made.body).toMatchObject({ etat: 'faite', nouveaux: 2 });
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
