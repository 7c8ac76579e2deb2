import { copyFileSync, cpSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { coverOf, put } from './support/choosing.ts';
import { picture, pictureFiles } from './support/pictures.ts';

const NAME = 'bibliotheque.sqlite';
const STRAY = 'a'.repeat(64);

/** Two folders with a database each, which share a folder of covers. */
function places() {
  const [first, second, covers] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const open = (folder: string) => openHouse(join(folder, NAME), { COVERS_PATH: covers });
  return { first, second, covers, open };
}

/** Uploads a picture for a new book, and returns its key. */
async function photograph(house: House, colour: string): Promise<string> {
  const { id } = await ajouterLivre(house);
  const path = `/api/livres/${String(id)}/couverture`;
  return coverOf(await put(house, path, await picture(colour))).cle;
}

/** Deletes all books of a household, and their undo log. */
async function forgetAll(house: House): Promise<void> {
  const { database } = house.context;
  database.write((tx) => {
    for (const table of ['Livre', 'Modification']) tx.prepare(`DELETE FROM ${table}`).run();
  });
  await house.close();
}

/** A file without a record, older than a month. */
function straySince(covers: string): void {
  writeFileSync(join(covers, STRAY), 'x');
  const then = new Date(Date.now() - 31 * 24 * 3_600_000);
  utimesSync(join(covers, STRAY), then, then);
}

test('a folder of another household is refused, and stays untouched', async () => {
  const { first, second, covers, open } = places();
  const one = await open(first);
  const red = await photograph(one, '#ff0000');
  await one.close();
  straySince(covers);
  // Write another household's id: the tests' new databases are copies with the same one.
  writeFileSync(join(covers, 'bibliotheque.txt'), 'bibliotheque autre\n');
  await expect(open(second)).rejects.toThrow(/COVERS_PATH.*à une autre bibliothèque/);
  expect(pictureFiles(covers)).toEqual(expect.arrayContaining([red, STRAY]));
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

test('an older folder is adopted with its pictures', async () => {
  const { first, covers, open } = places();
  const house = await open(first);
  const red = await photograph(house, '#ff0000');
  await house.close();
  writeFileSync(join(covers, 'bibliotheque.txt'), `${NAME}\nautre 1 2\n`);
  writeFileSync(join(covers, STRAY), 'x');
  await (await open(first)).close();
  expect(pictureFiles(covers)).toEqual(expect.arrayContaining([red, STRAY]));
  straySince(covers);
  await forgetAll(await open(first));
  expect(pictureFiles(covers)).not.toContain(STRAY);
  await (await open(first)).close();
  expect(pictureFiles(covers)).toEqual([]);
});

test('a household moved with its folder continues to tidy it', async () => {
  const from = temporaryFolder();
  const house = await openHouse(join(from, NAME));
  const red = await photograph(house, '#ff0000');
  await house.close();
  const to = join(temporaryFolder(), 'ailleurs');
  cpSync(from, to, { recursive: true });
  const covers = join(to, 'couvertures');
  straySince(covers);
  await (await openHouse(join(to, NAME))).close();
  expect(pictureFiles(covers)).toContain(red);
  expect(pictureFiles(covers)).not.toContain(STRAY);
});
