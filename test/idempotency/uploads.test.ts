import { expect, test } from 'vitest';
import { download } from '../export/support.ts';
import { openHouse } from '../support/house.ts';
import { upload } from '../backup/support.ts';

async function exportOf(titre: string): Promise<Uint8Array> {
  const house = await openHouse();
  await house.ask(null, 'POST', '/api/livres', { titre, format: 'Physique' });
  return (await download(house, '/api/export.zip')).bytes;
}

test('an upload under the key of another one is refused', async () => {
  const [first, second] = [await exportOf('Nadja'), await exportOf('Sido')];
  const { url } = await openHouse();
  const key = { 'Idempotency-Key': 'k1' };
  const answer = await upload(url, first, key);
  expect(answer).toMatchObject({ status: 200, body: { nature: 'export', livres: 1 } });
  expect(await upload(url, second, key)).toMatchObject({
    status: 422,
    body: { code: 'CLE_REUTILISEE' },
  });
  expect(await upload(url, first, key)).toEqual(answer);
});
