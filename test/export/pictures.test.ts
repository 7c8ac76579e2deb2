import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { furnish } from './furnish.ts';
import { contentOf, download, importInto, unzip } from './support.ts';

test('pictures are restored on their records', async () => {
  const house = await openHouse();
  await furnish(house);
  const { bytes } = await download(house, '/api/export.zip');
  const names = [...(await unzip(bytes)).keys()].filter((name) => name.startsWith('couvertures/'));
  expect(names).toHaveLength(3);
  const other = await openHouse();
  expect((await importInto(other, bytes)).status).toBe(201);
  expect(await contentOf(other)).toEqual(await contentOf(house));
  const [livre] = (await other.ask('ana', 'GET', '/api/livres')).body as Livre[];
  const { cle = '' } = livre?.couverture ?? {};
  const answer = await fetch(`${other.url}/api/couvertures/${cle}/originale`, {
    headers: other.headersOf('ana'),
  });
  const content = Buffer.from(await answer.arrayBuffer());
  expect(createHash('sha256').update(content).digest('hex')).toBe(cle);
});

test('the picture of another person’s wish stays at home', async () => {
  const house = await openHouse();
  await furnish(house);
  const { bytes } = await download(house, '/api/export.zip', 'bob');
  const names = [...(await unzip(bytes)).keys()].filter((name) => name.startsWith('couvertures/'));
  expect(names).toHaveLength(2);
});

test('a damaged picture makes the whole archive refused', async () => {
  const house = await openHouse();
  await furnish(house);
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  // Flip one bit of a picture, which the zip stores uncompressed.
  const changed = Buffer.from(bytes);
  const at = bytes.indexOf('couvertures/') + 200;
  changed[at] = (changed[at] ?? 0) ^ 1;
  expect(await importInto(other, changed)).toMatchObject({
    status: 400,
    body: { code: 'FICHIER_INVALIDE' },
  });
  expect((await other.ask('ana', 'GET', '/api/livres')).body).toEqual([]);
});

test('an export continues without a lost picture', async () => {
  const covers = join(temporaryFolder(), 'covers');
  const house = await openHouse(join(temporaryFolder(), 'b.sqlite'), { COVERS_PATH: covers });
  await furnish(house);
  rmSync(covers, { recursive: true });
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  expect((await importInto(other, bytes)).body).toMatchObject({ nouveaux: 1, souhaits: 1 });
});
