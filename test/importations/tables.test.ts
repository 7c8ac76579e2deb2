import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { houseWithSources, testUpstream } from '../support/upstream.ts';
import { goodreads, latin1, table } from './samples.ts';
import { countsOf, sendFile } from './support.ts';

test('a mapping given for an unknown table is remembered', async () => {
  const house = await openHouse();
  const headers = ['Nom', 'Qui', 'Code barre', 'Vol', 'Cycle'];
  const rows = [
    {
      Nom: 'Dune',
      Qui: 'Frank Herbert ; Brian Herbert',
      'Code barre': '',
      Vol: '1',
      Cycle: 'Dune',
    },
  ];
  const file = latin1(table(headers, rows, { separator: ';', end: '\r\n' })).bytes;
  const unknown = await sendFile(house, file);
  expect(unknown.status).toBe(400);
  expect(unknown.body).toMatchObject({ code: 'FICHIER_INVALIDE', entetes: headers });
  const colonnes = {
    titre: 'Nom',
    auteurs: 'Qui',
    isbn: 'Code barre',
    serie: 'Cycle',
    numero: 'Vol',
  };
  const response = await sendFile(house, file, { colonnes: JSON.stringify(colonnes) });
  expect(response.body).toMatchObject({ format: 'table', colonnes, nouveaux: 1, series: 1 });
  expect((await sendFile(house, file)).body).toMatchObject({ colonnes, nouveaux: 1, series: 1 });
});

test('a table with a known header needs no mapping', async () => {
  const house = await openHouse();
  const guessed = table(
    ['Titre', 'Auteur(s)', 'ISBN'],
    [{ Titre: 'Ubik', 'Auteur(s)': 'Dick, Philip' }],
  );
  expect((await sendFile(house, guessed)).body).toMatchObject({
    format: 'table',
    nouveaux: 1,
    colonnes: { titre: 'Titre', auteurs: 'Auteur(s)', isbn: 'ISBN' },
  });
});

test('a file is recognised by its header, whatever its name', async () => {
  const house = await openHouse();
  for (const nom of ['babelio.xlsx', 'librarything_export.json', ''])
    expect((await sendFile(house, goodreads({ Title: 'Ubik' }), { nom })).body.format).toBe(
      'goodreads',
    );
});

test('a list of ISBNs: owned, unknown, false, twice', async () => {
  const house = await houseWithSources(await testUpstream());
  await house.ask('alice', 'POST', '/api/livres', {
    titre: 'L’Étranger',
    format: 'Physique',
    isbn: '9782070360024',
  });
  const list = '978-2-07-036002-4\n2070424642\n\n9782070424641\n9782070360025\n';
  const { body } = await sendFile(house, list);
  expect(body).toMatchObject({ format: 'isbn', lignes: 4, presents: 2, nouveaux: 0 });
  expect(body.refuses).toHaveLength(2);
  expect(countsOf(body).refuses).toEqual([
    '2 en attente d’une réponse des catalogues',
    '5 ni titre ni ISBN valable',
  ]);
});
