import { expect, test } from 'vitest';
import type { RevueSouhaitee } from '#shared/souhaits-revues';
import { download, importInto } from '../export/support.ts';
import { openHouse } from '../support/house.ts';
import { rangs, souhaiterRevue } from '../support/souhaits.ts';

test('restored wishes follow those of the list, undone with it', async () => {
  const house = await openHouse();
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers', numero: '12 bis', issn: '0988-2480' });
  await souhaiterRevue(house, 'ana', { titre: 'Rivages' });
  await souhaiterRevue(house, 'ana', { titre: 'Loupe', numero: '3' });
  await house.ask('ana', 'PUT', '/api/souhaits-revues/ordre', { ids: [3, 2, 1] });
  const { bytes } = await download(house, '/api/export.zip');
  const before = (await house.ask('ana', 'GET', '/api/souhaits-revues')).body as RevueSouhaitee[];

  const other = await openHouse();
  await souhaiterRevue(other, 'ana', { titre: 'Zoom' });
  await souhaiterRevue(other, 'ana', { titre: 'RIVAGES' });
  const { body } = await importInto(other, bytes);
  expect(await rangs(other, 'ana', 'souhaits-revues')).toEqual([
    '1 Zoom',
    '2 RIVAGES',
    '3 Loupe',
    '4 Cahiers',
  ]);
  const after = (await other.ask('ana', 'GET', '/api/souhaits-revues')).body as RevueSouhaitee[];
  const { dateAjout } = before.find(({ titre }) => titre === 'Cahiers') ?? {};
  expect(after[3]).toMatchObject({ numero: '12 bis', issn: '0988-2480', dateAjout });
  // The normalised keys are restored, too.
  const again = { titre: 'cahiers', numero: '12 BIS' };
  expect((await other.ask('ana', 'POST', '/api/souhaits-revues', again)).body).toMatchObject({
    code: 'SOUHAIT_EXISTANT',
  });
  await other.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
  expect(await rangs(other, 'ana', 'souhaits-revues')).toEqual(['1 Zoom', '2 RIVAGES']);
});
