import { expect, test } from 'vitest';
import type { LectureSaisie } from '#shared/lectures';
import { download } from '../export/support.ts';
import { goodreads, libraryThing } from '../importations/samples.ts';
import { importFile } from '../importations/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { random, runs, SEED } from '../support/random.ts';
import { lecturesDe, noter } from './support.ts';

const DUNE = { Title: 'Dune', Author: 'Frank Herbert', 'Exclusive Shelf': 'read' };
const ends = async (house: House) => (await lecturesDe(house, 'ana')).map(({ fin }) => fin);
const send = (house: House, file: string | Buffer) => importFile(house, file, {}, 'ana');
const undo = (house: House, path: string) => house.ask('ana', 'POST', `${path}/annulation`);

test('an imported date is matched with its own known reading', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'] });
  await noter(house, 'ana', { livreId: 1, fin: '2019-03-12' });
  await send(house, goodreads({ ...DUNE, 'Date Read': '2019/03/12', 'Read Count': '2' }));
  expect(await ends(house)).toEqual(['2019-03-12', null]);
});

test('imported dates go to the undated reading with equal stars', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'] });
  await noter(house, 'ana', { livreId: 1, note: 8 });
  const { id } = await send(
    house,
    goodreads({ ...DUNE, 'Date Read': '2019/03/12', 'My Rating': '4' }),
  );
  expect(await ends(house)).toEqual(['2019-03-12']);
  await house.ask('ana', 'DELETE', `/api/importations/${id}`);
  expect(await ends(house)).toEqual([null]);
  await send(house, goodreads({ ...DUNE, 'Date Read': '2019/03/12', 'My Rating': '3' }));
  expect(await ends(house)).toEqual(['2019-03-12', null]);
});

test('an imported end is that of a known reading which may have ended then', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'] });
  const { id } = await noter(house, 'ana', { livreId: 1, fin: '2019-03' });
  await send(house, goodreads({ ...DUNE, 'Date Read': '2019/03/12', 'My Rating': '4' }));
  expect(await lecturesDe(house, 'ana')).toMatchObject([{ id, note: 8 }]);
  await send(house, goodreads({ ...DUNE, 'Date Read': '2019', 'My Review': 'Du sable.' }));
  expect(await lecturesDe(house, 'ana')).toMatchObject([{ id, note: 8, avis: 'Du sable.' }]);
  await send(house, goodreads({ ...DUNE, 'Date Read': '2019/04' }));
  expect((await ends(house)).length).toBe(2);
});

test('imported stars without a date go to a reading that is done', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'] });
  await noter(house, 'ana', { livreId: 1, debut: '2024' });
  await noter(house, 'ana', { livreId: 1, fin: '2019-03-12' });
  await send(house, goodreads({ ...DUNE, 'My Rating': '4' }));
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { debut: '2024', note: null },
    { fin: '2019-03-12', note: 8 },
  ]);
});

test('an undone import leaves a reading begun since ended', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'] });
  const { id: lectureId } = await noter(house, 'ana', { livreId: 1, note: 8 });
  const file = goodreads({ ...DUNE, 'Date Read': '2020/01/01', 'My Rating': '4' });
  const { id } = await send(house, file);
  const more = { debut: '2019-12-01', fin: '2020-01-01', abandon: false, note: 8, avis: null };
  const { status } = await house.ask('ana', 'PUT', `/api/lectures/${lectureId}`, {
    livreId: 1,
    ...more,
  });
  expect(status).toBe(200);
  await house.ask('ana', 'DELETE', `/api/importations/${id}`);
  expect(await lecturesDe(house, 'ana')).toMatchObject([{ ...more, statut: 'Lue' }]);
});

test('a reading ended since its import is not opened again', async () => {
  const house = await openHouse();
  const file = libraryThing({
    Title: 'Dune',
    'Primary Author': 'Herbert, Frank',
    'Date Started': '2026-01-03',
  });
  await send(house, file);
  await house.ask('ana', 'PUT', '/api/livres/1/statut', { statut: 2, jour: '2026-02-01' });
  await send(house, file);
  expect(await ends(house)).toEqual(['2026-02-01']);
  await house.ask('ana', 'PUT', '/api/livres/1/statut', { statut: 1, jour: '2026-03-01' });
  await send(house, file);
  expect(await ends(house)).toEqual([null, '2026-02-01']);
});

test('an imported book finds the readings of its deleted copy', async () => {
  const house = await openHouse();
  const file = goodreads({ ...DUNE, 'Date Read': '2019/03/12', 'My Rating': '4' });
  await send(house, file);
  const before = await lecturesDe(house, 'ana');
  const { headers } = await house.ask('ana', 'DELETE', '/api/livres/1');
  const { id } = await send(house, file);
  expect(await lecturesDe(house, 'ana')).toEqual([{ ...before[0], livreId: 2 }]);
  await house.ask('ana', 'DELETE', `/api/importations/${id}`);
  await undo(house, `/api/modifications/${headers.get('X-Modification') ?? ''}`);
  expect(await lecturesDe(house, 'ana')).toEqual(before);
});

/** Readings of every kind: of two books, one of them with a duplicate, and without a book. */
async function manyReadings(house: House, seed: number): Promise<void> {
  const { fraction, integer, oneOf } = random(seed);
  for (const titre of ['Dune', 'Dune', 'Sido', 'Gone'])
    await ajouterLivre(house, { titre, auteurs: ['Colette'] });
  const dates = ['2009', '2009-05', '2009-05-12', '2019-12-31', null];
  for (let count = 0; count < 40; count++) {
    const [debut, fin] = [oneOf(dates), oneOf(dates)];
    const isInOrder = debut === null || fin === null || debut.slice(0, 4) <= fin.slice(0, 4);
    const work: LectureSaisie =
      fraction() < 0.6
        ? { livreId: 1 + integer(4) }
        : {
            titre: oneOf(['Dune', 'DUNE', 'Ailleurs']),
            auteurs: ['Colette'],
            isbn: oneOf([null, '9782070360024']),
          };
    await house.ask('ana', 'POST', '/api/lectures', {
      ...work,
      debut: isInOrder ? debut : null,
      fin,
      abandon: fraction() < 0.2,
      note: oneOf([null, 1 + integer(10)]),
      avis: oneOf([null, 'Un\n\nmot 🌵', '=SOMME(A1)', 'é'.repeat(9999) + '🌵']),
    });
  }
  await house.ask('ana', 'DELETE', '/api/livres/4');
}

const noted = async (house: House) =>
  (await lecturesDe(house, 'ana')).map(({ id: _, ...lecture }) => JSON.stringify(lecture)).sort();

test.each(Array.from({ length: runs(3) }, (_, n) => SEED + n))(
  'importing an archive never doubles its readings (seed %i)',
  async (seed) => {
    const house = await openHouse();
    await manyReadings(house, seed);
    const { bytes } = await download(house, '/api/export.zip', 'ana');
    const all = await noted(house);
    const other = await openHouse();
    for (const into of [other, other, house]) {
      await send(into, bytes);
      expect(await noted(into)).toEqual(all);
    }
  },
);

test('two rows of one book become one reading, undone together', async () => {
  const house = await openHouse();
  const file = goodreads(
    { ...DUNE, 'My Rating': '4' },
    { ...DUNE, 'Date Read': '2019/03/12', 'My Review': 'Un mot' },
  );
  const { id } = await send(house, file);
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { note: 8, fin: '2019-03-12', avis: 'Un mot' },
  ]);
  await house.ask('ana', 'DELETE', `/api/importations/${id}`);
  expect(await lecturesDe(house, 'ana')).toEqual([]);
});
