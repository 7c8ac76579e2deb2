import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { goodreads } from './samples.ts';
import { readWithin } from './within.ts';

test('what takes more of the processor than its size may is refused, as is what takes more memory', async () => {
  const house = await openHouse();
  const books = Array.from({ length: 20_000 }, (_, at) => ({ Title: `Book ${at}` }));
  const file = goodreads(...books);
  await expect(readWithin(house, file, { cpuMs: 100 })).rejects.toMatchObject({
    details: { raison: 'tropDeTemps' },
  });
  await expect(readWithin(house, file, { heapMb: 30 })).rejects.toMatchObject({
    details: { raison: 'tropDeMemoire' },
  });
  expect(await readWithin(house, file, {})).toBe(true);
});
