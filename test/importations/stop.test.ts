// @module-tag process
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/database.ts';
import { ServerProcess } from '../support/process.ts';

/** The service reads about three thousand per second. */
const ENTRIES = 90_000;

test('a service that reads a list in a thread stops without reading it to its end', async () => {
  const folder = temporaryFolder();
  const service = new ServerProcess({
    DATABASE_PATH: join(folder, 'maison.sqlite'),
    BACKUP_PATH: 'non',
  });
  const url = await service.url();
  const body = Array.from(
    { length: ENTRIES },
    (_, at) => `@book{k${String(at)}, title = {Livre ${String(at)}}, author = {Nom, Paul}}\n`,
  ).join('');
  const reading = fetch(`${url}/api/importations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body,
  }).then(
    ({ status }) => status,
    () => 'broken off',
  );
  // The file is complete and being read; there is no response yet.
  const received = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('recu'))
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size);
  await eventually(received).toEqual([body.length]);
  const { code, stderr } = await service.end('SIGTERM');
  expect([code, stderr]).toEqual([0, '']);
  expect(await reading).not.toBe(200);
});
