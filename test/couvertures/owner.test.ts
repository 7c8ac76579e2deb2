import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { coverOf, put } from './support/choosing.ts';
import { picture, pictureFiles } from './support/pictures.ts';

const NAME = 'bibliotheque.sqlite';
const STRAY = 'a'.repeat(64);

/** Two folders of a database each, and one folder of covers for both. */
function places() {
  const [first, second, covers] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const open = (folder: string) => openHouse(join(folder, NAME), { COVERS_PATH: covers });
  return { first, second, covers, open };
}

/** Gives a new book a photograph, and returns its key. */
async function photograph(house: House, colour: string): Promise<string> {
  const { id } = await ajouterLivre(house);
  const path = `/api/livres/${String(id)}/couverture`;
  return coverOf(await put(house, path, await picture(colour))).cle;
}

/** Deletes all books of a house and what could bring them back. */
async function forgetAll(house: House): Promise<void> {
  const { database } = house.context;
  database.write((tx) => {
    for (const table of ['Livre', 'Modification']) tx.prepare(`DELETE FROM ${table}`).run();
  });
  await house.close();
}

test('households of one name share a folder without losses', async () => {
  const { first, second, covers, open } = places();
  const one = await open(first);
  const red = await photograph(one, '#ff0000');
  await one.close();
  const other = await open(second);
  const blue = await photograph(other, '#0000ff');
  await other.close();
  for (const folder of [first, second, first]) await (await open(folder)).close();
  expect(pictureFiles(covers)).toEqual(expect.arrayContaining([red, blue]));
});

test('a copy of a database removes nothing from its original', async () => {
  const { first, second, covers, open } = places();
  const one = await open(first);
  const red = await photograph(one, '#ff0000');
  await one.close();
  copyFileSync(join(first, NAME), join(second, NAME));
  const again = await open(first);
  const blue = await photograph(again, '#0000ff');
  await forgetAll(await open(second));
  await (await open(second)).close();
  expect(pictureFiles(covers)).toEqual(expect.arrayContaining([red, blue]));
});

test('yesterday’s database file removes no photograph of today', async () => {
  const { first, covers, open } = places();
  const yesterday = await open(first);
  await photograph(yesterday, '#ff0000');
  await yesterday.close();
  copyFileSync(join(first, NAME), join(first, 'hier'));
  const today = await open(first);
  const blue = await photograph(today, '#0000ff');
  await today.close();
  copyFileSync(join(first, 'hier'), join(first, NAME));
  await (await open(first)).close();
  expect(pictureFiles(covers)).toContain(blue);
});

test('an older folder goes to the household knowing its pictures', async () => {
  const { first, covers, open } = places();
  const house = await open(first);
  const red = await photograph(house, '#ff0000');
  await house.close();
  writeFileSync(join(covers, 'bibliotheque.txt'), `${NAME}\n`);
  await (await open(first)).close();
  writeFileSync(join(covers, STRAY), 'x');
  await forgetAll(await open(first));
  const left = pictureFiles(covers);
  expect(left).not.toContain(STRAY);
  expect(left).toContain(red);
  await (await open(first)).close();
  expect(pictureFiles(covers)).toEqual([]);
});

test('a household moved with its folder goes on tidying it', async () => {
  const from = temporaryFolder();
  const house = await openHouse(join(from, NAME));
  const red = await photograph(house, '#ff0000');
  await house.close();
  const to = join(temporaryFolder(), 'ailleurs');
  cpSync(from, to, { recursive: true });
  const covers = join(to, 'couvertures');
  writeFileSync(join(covers, STRAY), 'x');
  await (await openHouse(join(to, NAME))).close();
  expect(pictureFiles(covers)).toContain(red);
  expect(pictureFiles(covers)).not.toContain(STRAY);
});

test('a folder with an unknown picture stays as it is', async () => {
  const { first, covers, open } = places();
  mkdirSync(covers, { recursive: true });
  writeFileSync(join(covers, STRAY), 'x');
  writeFileSync(join(covers, 'bibliotheque.txt'), `${NAME}\n`);
  for (let start = 0; start < 2; start++) await (await open(first)).close();
  expect(pictureFiles(covers)).toEqual([STRAY]);
});
