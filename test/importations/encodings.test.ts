import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { goodreads, utf16 } from './samples.ts';
import { countsOf, lignesOf, sendFile } from './support.ts';

test.each(['le', 'be'] as const)('UTF-16, %s, with and without its mark', async (endian) => {
  const house = await openHouse();
  const text = goodreads({ Title: 'Été', Author: 'Œdipe' });
  for (const hasMark of [true, false]) {
    const { body } = await sendFile(house, utf16(text, endian, hasMark));
    expect(body).toMatchObject({ encodage: `utf-16${endian}`, nouveaux: 1 });
    expect(await lignesOf(house, body.id)).toMatchObject([{ titre: 'Été', auteurs: ['Œdipe'] }]);
  }
});

test('a double encoding behind a UTF-8 mark is repaired', async () => {
  const house = await openHouse();
  const twice = Buffer.from(goodreads({ Title: 'Été à Nîmes', Author: 'Zoé' })).toString('latin1');
  const { body } = await sendFile(house, `\ufeff${twice}`);
  expect(await lignesOf(house, body.id)).toMatchObject([
    { titre: 'Été à Nîmes', auteurs: ['Zoé'] },
  ]);
  expect(countsOf(body).avertissements).toEqual(['1 accents réparés dans 1 ligne']);
});
