import { expect, test } from 'vitest';
import { goodreads } from '../importations/samples.ts';
import { importFile, sendFile } from '../importations/support.ts';
import { openHouse } from '../support/house.ts';
import { lecturesDe } from './support.ts';

const WISH = {
  Title: 'Sido',
  Author: 'Colette',
  ISBN13: '9782070360024',
  Bookshelves: 'wishlist',
  'Exclusive Shelf': 'wishlist',
  'My Rating': '5',
  'Date Read': '2019/03/12',
  'My Review': 'Lu chez Anne.',
};

test('a wish read elsewhere brings a reading without a copy', async () => {
  const house = await openHouse();
  expect((await sendFile(house, goodreads(WISH))).body).toMatchObject({
    souhaits: 1,
    notes: 1,
    datesDeLecture: 1,
  });
  const { id } = await importFile(house, goodreads(WISH));
  await importFile(house, goodreads(WISH));
  const readings = await lecturesDe(house, 'alice');
  expect(readings).toMatchObject([
    {
      livreId: null,
      titre: 'Sido',
      auteurs: ['Colette'],
      isbn: '9782070360024',
      fin: '2019-03-12',
      note: 10,
      avis: 'Lu chez Anne.',
    },
  ]);
  // The wish was bought since, so the reading belongs to the book; there must not be two readings.
  await importFile(house, goodreads({ ...WISH, Bookshelves: '', 'Exclusive Shelf': 'read' }));
  expect(await lecturesDe(house, 'alice')).toEqual([{ ...readings[0], livreId: 1 }]);
  await importFile(house, goodreads(WISH));
  expect(await lecturesDe(house, 'alice')).toHaveLength(1);
  await house.ask('alice', 'DELETE', `/api/importations/${id}`);
  expect(await lecturesDe(house, 'alice')).toEqual([]);
});

test('« to-read » as wishes keeps when it was read before', async () => {
  const house = await openHouse();
  const line = { ...WISH, Bookshelves: '', 'Exclusive Shelf': 'to-read' };
  await importFile(house, goodreads(line), { aLire: 'souhait' });
  expect(await lecturesDe(house, 'alice')).toMatchObject([{ livreId: null, note: 10 }]);
});

test('a note on an unread book becomes no reading', async () => {
  const house = await openHouse();
  const file = goodreads(
    { Title: 'Dune', 'Exclusive Shelf': 'to-read', 'Private Notes': 'Conseil de Luc' },
    { Title: 'Sido', 'Exclusive Shelf': 'currently-reading', 'Private Notes': 'Offert' },
    { Title: 'Nadja', Bookshelves: 'wishlist', 'Private Notes': 'Conseil de Luc' },
    { Title: 'Ubik', 'Exclusive Shelf': 'read', 'Private Notes': 'Offert' },
  );
  const remark = 'note personnelle d’un livre pas encore lu, laissée de côté';
  expect((await sendFile(house, file)).body.avertissements).toMatchObject([
    { ligne: 2, raison: remark },
    { ligne: 3, raison: remark },
    { ligne: 4, raison: remark },
  ]);
  await importFile(house, file);
  expect(await lecturesDe(house, 'alice')).toMatchObject([{ titre: 'Ubik', avis: 'Offert' }]);
});

test('an unreadable date is reported', async () => {
  const house = await openHouse();
  const line = { Title: 'Dune', 'Exclusive Shelf': 'read' };
  const file = goodreads(
    { ...line, 'Date Read': '########' },
    { ...line, 'Date Read': '2019/02/30' },
    { ...line, 'Date Read': '0000-00-00' },
  );
  expect((await sendFile(house, file)).body.avertissements).toMatchObject([
    { ligne: 2, raison: 'date de lecture illisible, laissée de côté : ########' },
    { ligne: 3, raison: 'date de lecture illisible, laissée de côté : 2019/02/30' },
  ]);
});

test('fifty dates of a cell are taken', async () => {
  const house = await openHouse();
  const line = { Title: 'Dune', 'Exclusive Shelf': 'read' };
  const dates = Array.from({ length: 200 }, (_, i) => String(1900 + (i % 100))).join(';');
  const { body } = await sendFile(house, goodreads({ ...line, 'Date Read': dates }));
  expect(body).toMatchObject({
    datesDeLecture: 50,
    avertissements: [
      { ligne: 2, raison: 'plus de 50 dates de lecture, les autres laissées de côté' },
    ],
  });
  const unreadable = '1;'.repeat(100_000);
  const response = await sendFile(house, goodreads({ ...line, 'Date Read': unreadable }));
  expect(response.body.avertissements).toContainEqual(
    expect.objectContaining({
      ligne: 2,
      raison: expect.stringMatching(/^Date Read\s: plus de 2\s000 caractères/) as string,
    }),
  );
  expect(response.body.avertissements).toHaveLength(3);
});

test('without a known importer the dry run leaves readings out', async () => {
  const house = await openHouse();
  const line = { Title: 'Dune', 'My Rating': '4', 'Date Read': '2019/03/12' };
  const { body } = await sendFile(house, goodreads(line), {}, null);
  expect(body).toMatchObject({
    notes: 0,
    datesDeLecture: 0,
    avertissements: [
      { ligne: 2, raison: 'lecture laissée de côté : Rayonnage ne sait pas qui vous êtes' },
      { ligne: 2, raison: 'statut laissé de côté : Rayonnage ne sait pas qui vous êtes' },
    ],
  });
});
