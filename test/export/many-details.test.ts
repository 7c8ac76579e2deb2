import { expect, test } from 'vitest';
import { parseRestText, restText, type Detail } from '#shared/details';
import type { Livre } from '#shared/livres';
import { importFile } from '../importations/support.ts';
import { atLeastOne } from '../support/at-least-one.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { download } from './support.ts';

const VALUES = ['300 g', 'a: b', 'deux\nlignes', 'fin \\', '=1+1', ' x', 'C:\\n', '« ; »'];

const details = (first: number, count: number): Detail[] =>
  Array.from({ length: count }, (_, n) => ({
    nom: `Nom ${String(first + n)}${n % 7 === 0 ? ': \\' : ''}`,
    valeur: (VALUES[n % VALUES.length] ?? '').trim(),
  }));

/** Books with thirty different details each, as after imports from many programs. */
async function household(books: number): Promise<House> {
  const house = await openHouse();
  const insert =
    'INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, typeDocument, details, dateAjout) VALUES (?, ?, ?, ?, ?, ?, ?)';
  house.context.database.write((tx) => {
    for (let n = 0; n < books; n++)
      tx.run(
        insert,
        ...[
          `Livre ${String(n)}`,
          `livre ${String(n)}`,
          `livre ${String(n)}`,
          'Physique',
          'NonPrecise',
        ],
        JSON.stringify(details(n * 30, 30)),
        '2026-01-02T03:04:05.000Z',
      );
  });
  return house;
}

test('details beyond two hundred names share one column, and are read back', async () => {
  const house = await household(10);
  const { bytes } = await download(house, '/api/export/livres.csv', 'ana');
  const [header = ''] = bytes.toString().split('\r\n');
  expect(header.match(/Détail : /g)).toHaveLength(200);
  expect(header).toMatch(/;Autres détails$/);
  const other = await openHouse();
  await importFile(other, bytes);
  const read = async (of: House) =>
    atLeastOne((await of.ask('ana', 'GET', '/api/livres')).body as Livre[]).map((livre) => ({
      titre: livre.titre,
      details: livre.details.toSorted((a, b) => (a.nom < b.nom ? -1 : 1)),
    }));
  expect(await read(other)).toEqual(await read(house));
});

test('the names that most books have are the columns, even those that were entered last', async () => {
  const house = await household(10);
  for (const titre of ['Avant-dernier', 'Dernier'])
    await ajouterLivre(house, { titre, details: [{ nom: 'Poids', valeur: titre }] });
  const { bytes } = await download(house, '/api/export/livres.csv', 'ana');
  const [header = ''] = bytes.toString().split('\r\n');
  expect(header).toContain(';Détail : Poids;');
  expect(header.match(/Détail : /g)).toHaveLength(200);
});

test('the other details stand in one cell, a line each', () => {
  const some = [
    { nom: 'Poids', valeur: '300 g' },
    { nom: 'Dos', valeur: 'rond' },
  ];
  expect(restText(some)).toBe('Poids: 300 g\nDos: rond');
});

test('a table of ten thousand names of details stays as wide as one of two hundred', async () => {
  const house = await household(334);
  const { bytes } = await download(house, '/api/export/livres.csv', 'ana');
  const [header = ''] = bytes.toString().split('\r\n');
  expect(header.split(';').length).toBeLessThan(250);
  // The size grows with the details, not with books times names.
  expect(bytes.length).toBeLessThan(1_000_000);
});

test.each([[[{ nom: 'a', valeur: '' }]], [details(0, 30)], [[{ nom: '\\:n', valeur: '\\n\n:' }]]])(
  'all details in one cell are read back',
  (some) => {
    expect(parseRestText(restText(some))).toEqual(some);
  },
);

test('a cell of another program is no list of details', () => {
  expect(parseRestText('Poids: 3\nune phrase')).toBeNull();
});
