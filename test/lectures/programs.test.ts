import { expect, test } from 'vitest';
import { download } from '../export/support.ts';
import { babelio, goodreads, libraryThing, table } from '../importations/samples.ts';
import { importFile, sendFile } from '../importations/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { lecturesDe } from './support.ts';

type Expected = readonly [
  titre: string,
  debut: string | null,
  fin: string | null,
  note: number | null,
  avis: string | null,
  statut?: 'EnCours' | 'Abandonnee',
];

const row = (cells: Readonly<Record<string, string>>): string => table(Object.keys(cells), [cells]);

// cspell:disable -- columns of other programs
const FILES: Readonly<
  Record<string, readonly [file: string | Buffer, readings: readonly Expected[]]>
> = {
  goodreads: [
    goodreads({
      Title: 'Dune (Dune, #1)',
      Author: 'Frank Herbert',
      'My Rating': '4',
      'Date Read': '2019/03/12',
      'Read Count': '2',
      'Exclusive Shelf': 'read',
      'My Review': 'Du sable.<br/>Des vers.',
      'Private Notes': 'Prêté par Luc.',
    }),
    [
      ['Dune', null, '2019-03-12', 8, 'Du sable.\nDes vers.\n\nPrêté par Luc.'],
      ['Dune', null, null, null, null],
    ],
  ],
  babelio: [
    babelio(
      ['9782070360024', 'Étranger', 'Camus Albert', 'Folio', '01/01/1972', '', 'Lu', '4.5'],
      ['9782070368228', 'La Peste', 'Camus Albert', 'Folio', '0000-00-00', '', 'A lire', '0'],
    ).bytes,
    [['Étranger', null, null, 9, null]],
  ],
  'babelio, reviews': [
    '"ISBN";"Titre";"Auteur";"Critique";"Date d`entrée dans Babelio"\r\n' +
      '"2070360024";"Étranger";"Camus Albert";"Sec, brûlant.";"2019-03-12 10:00:00"\r\n',
    [['Étranger', null, null, null, 'Sec, brûlant.']],
  ],
  storygraph: [
    row({
      Title: 'Dune',
      Authors: 'Frank Herbert',
      'ISBN/UID': 'b1a2',
      'Read Status': 'read',
      'Last Date Read': '2021/01/10',
      'Dates Read': '2019/05/01-2019/05/20, 2021/01/03-2021/01/10',
      'Read Count': '3',
      'Star Rating': '3.75',
      Review: '<div>Du sable</div>',
    }),
    [
      ['Dune', '2021-01-03', '2021-01-10', 8, 'Du sable'],
      ['Dune', '2019-05-01', '2019-05-20', null, null],
      ['Dune', null, null, null, null],
    ],
  ],
  'storygraph, given up': [
    row({
      Title: 'Ulysse',
      Authors: 'James Joyce',
      'ISBN/UID': '',
      'Read Status': 'did-not-finish',
      'Last Date Read': '2021/01/10',
      'Star Rating': '1.25',
    }),
    [['Ulysse', null, '2021-01-10', 3, null, 'Abandonnee']],
  ],
  'storygraph, open': [
    row({
      Title: 'Ulysse',
      Authors: 'James Joyce',
      'ISBN/UID': '',
      'Read Status': 'currently-reading',
      'Dates Read': '2021/01/03-',
    }),
    [['Ulysse', '2021-01-03', null, null, null, 'EnCours']],
  ],
  librarything: [
    libraryThing({
      'Book Id': '1',
      Title: 'Rayuela',
      'Primary Author': 'Cortazar, Julio',
      Rating: '3.5',
      Review: 'Marelle',
      'Date Started': '[2007-04-01]',
      'Date Read': '[2007-04-16]',
      Collections: 'Your library',
    }),
    [['Rayuela', '2007-04-01', '2007-04-16', 7, 'Marelle']],
  ],
  'librarything, JSON': [
    JSON.stringify({
      1: {
        books_id: '1',
        title: 'Rayuela',
        primaryauthor: 'Cortazar, Julio',
        rating: 3.5,
        review: 'Marelle',
        datestarted: '2007-04-01',
        dateread: '2007-04-16',
      },
    }),
    [['Rayuela', '2007-04-01', '2007-04-16', 7, 'Marelle']],
  ],
  bookbuddy: [
    row({
      Title: 'Dune',
      Author: 'Herbert, Frank',
      'Loaned To': '',
      Status: 'Read',
      Rating: '4.500000',
      'Date Started': '2019/03/01',
      'Date Finished': '2019/03/12',
      Review: 'Du sable',
      Notes: 'Offert',
    }),
    [['Dune', '2019-03-01', '2019-03-12', 9, 'Du sable']],
  ],
  calibre: [
    row({
      title: 'Dune',
      authors: 'Frank Herbert',
      author_sort: 'Herbert, Frank',
      rating: '4.5',
    }),
    [['Dune', null, null, 9, null]],
  ],
  bookwyrm: [
    row({
      title: 'Dune',
      author_text: 'Frank Herbert',
      remote_id: 'x',
      start_date: '2019-03-01',
      finish_date: '2019-03-12',
      stopped_date: '',
      rating: '4.5',
      review_content: '<p>Du sable</p>',
      shelf: 'read',
    }),
    [['Dune', '2019-03-01', '2019-03-12', 9, 'Du sable']],
  ],
  'bookwyrm, given up': [
    row({
      title: 'Ulysse',
      author_text: 'James Joyce',
      remote_id: 'x',
      start_date: '2019-03-01',
      finish_date: '',
      stopped_date: '2019-03-12',
      shelf: 'favoris',
    }),
    [['Ulysse', '2019-03-01', '2019-03-12', null, null, 'Abandonnee']],
  ],
  libib: [
    row({
      item_type: 'book',
      title: 'Dune',
      creators: 'Frank Herbert',
      ean_isbn13: '',
      status: 'Completed',
      began: '2019-03-01',
      completed: '2019-03-12',
      rating: '4.5',
      review: 'Du sable',
    }),
    [['Dune', '2019-03-01', '2019-03-12', 9, 'Du sable']],
  ],
};
// cspell:enable

const readingsOf = async (house: House): Promise<unknown[]> =>
  (await lecturesDe(house, 'alice')).map(({ titre, debut, fin, note, avis, statut }) => [
    titre,
    debut,
    fin,
    note,
    avis,
    ...(statut === 'Lue' ? [] : [statut]),
  ]);

test.each(Object.entries(FILES))(
  'reimporting %s doubles no reading',
  async (_name, [file, readings]) => {
    const house = await openHouse();
    expect((await sendFile(house, file)).body).toMatchObject({
      notes: readings.filter(([, , , note]) => note !== null).length,
      datesDeLecture: readings.filter(([, debut, fin]) => (fin ?? debut) !== null).length,
    });
    for (let times = 0; times < 2; times++) {
      await importFile(house, file);
      expect(await readingsOf(house)).toEqual(readings);
    }
    const other = await openHouse();
    const { bytes } = await download(house, '/api/export.zip', 'alice');
    for (let times = 0; times < 2; times++) {
      await importFile(other, bytes);
      expect(await readingsOf(other)).toEqual(readings);
    }
  },
);
