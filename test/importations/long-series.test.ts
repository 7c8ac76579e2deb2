import { expect, onTestFinished, test, vi } from 'vitest';
import { Reader } from '#server/plumbing/database/connection';
import { Noms } from '#server/subjects/importations/matching';
import { openHouse, type House } from '../support/house.ts';
import { table } from './samples.ts';
import { importFile, sendFile } from './support.ts';

/** Volumes without ISBN, whose only title is their series'. */
const volumes = (count: number, titre = 'Tintin') =>
  Array.from({ length: count }, (_, nth) => ({
    Titre: titre,
    Auteurs: 'Hergé',
    Série: titre,
    Tome: String(nth + 1),
  }));

const fileOf = (rows: readonly Record<string, string>[]) =>
  table(['Titre', 'Auteurs', 'Série', 'Tome'], rows);

/** The number of statements run while a file is read and planned. */
async function statementsFor(house: House, file: string): Promise<number> {
  const prepare = vi.spyOn(Reader.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  const { status } = await sendFile(house, file);
  const count = prepare.mock.calls.length;
  prepare.mockRestore();
  expect(status).toBe(200);
  return count;
}

test('volumes without a title are found again, each by its number', async () => {
  const house = await openHouse();
  await importFile(house, fileOf(volumes(30)));
  const again = await sendFile(house, fileOf(volumes(31).toReversed()));
  expect(again.body).toMatchObject({ presents: 30, nouveaux: 1 });
  const unnumbered = await sendFile(house, fileOf([{ Titre: 'Tintin', Auteurs: 'Hergé' }]));
  expect(unnumbered.body).toMatchObject({ presents: 1, nouveaux: 0 });
  const others = await sendFile(
    house,
    fileOf(volumes(3).map((row) => ({ ...row, Auteurs: 'Maurice Tillieux' }))),
  );
  expect(others.body).toMatchObject({ presents: 0, nouveaux: 3 });
});

test('a series of twice as many volumes asks the household twice as much', async () => {
  const countFor = async (count: number) => {
    const house = await openHouse();
    const file = fileOf(volumes(count));
    await importFile(house, file);
    return statementsFor(house, file);
  };
  const few = await countFor(20);
  expect(await countFor(40)).toBeLessThan(few * 2.2);
});

test('a title of many authors is compared with those of the same names alone', async () => {
  const house = await openHouse();
  const sharesWith = vi.spyOn(Noms.prototype, 'sharesWith');
  onTestFinished(() => sharesWith.mockRestore());
  const rows = Array.from({ length: 60 }, (_, nth) => ({
    Titre: 'Poèmes',
    Auteurs: `Auteur Nom${nth}`,
  }));
  const { body } = await sendFile(
    house,
    fileOf([...rows, { Titre: 'Poèmes', Auteurs: 'A. Nom7' }]),
  );
  expect(body).toMatchObject({ nouveaux: 60, presents: 1 });
  expect(sharesWith.mock.calls.length).toBeLessThan(60 * 10);
});
