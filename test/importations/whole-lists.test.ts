// @module-tag large
import { expect, test } from 'vitest';
import { openHouse, type House } from '../support/house.ts';
import { table } from './samples.ts';
import { sendFile } from './support.ts';

const COUNT = 5000;
const FILE = table(
  ['Titre', 'ISBN'],
  Array.from({ length: COUNT }, (_, index) => ({ Titre: `Titre ${index}` })),
);

/** The distinct totals of lists that are requested repeatedly during some work. */
async function totalsDuring(house: House, work: Promise<unknown>): Promise<number[]> {
  const totals = new Set<number>();
  const list = async () => {
    const { headers } = await house.ask('bob', 'GET', '/api/livres?limite=1');
    totals.add(Number(headers.get('X-Total-Count')));
  };
  await list();
  const underWay = { isDone: false };
  const done = work.finally(() => (underWay.isDone = true));
  while (!underWay.isDone) await list();
  await done;
  await list();
  return [...totals];
}

test('a list during an import has all or nothing', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, FILE);
  const path = `/api/importations/${body.id}`;
  const execution = house.ask('alice', 'POST', `${path}/execution`, {});
  expect(await totalsDuring(house, execution)).toEqual([0, COUNT]);
  const undoing = house.ask('alice', 'DELETE', path);
  expect(await totalsDuring(house, undoing)).toEqual([COUNT, 0]);
});
