import { expect, test } from 'vitest';
import { holdingOf, missingNumeros } from '#shared/series-gaps';
import { tomesOfPlace } from '#shared/tomes';
import { download, importInto } from '../export/support.ts';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterSerie, lireSerie, makePlace } from '../support/series.ts';

test.each<[string, Parameters<typeof makePlace>[2], number[]]>([
  ['said', { numero: 'Intégrale 2', tomes: '4-6' }, [4, 5, 6]],
  ['said otherwise than the number', { numero: '1-3', tomes: '1, 2 et 5' }, [1, 2, 5]],
  ['said to be none', { numero: '1-3', tomes: 'aucun' }, []],
  ['unsaid', { numero: '1-3' }, [1, 2, 3]],
])('the volumes inside a book: %s', (_name, place, tomes) => {
  expect(tomesOfPlace(makePlace(1, 'Le coffret', place))).toEqual(tomes);
});

test('the volumes inside a book can be set and removed', async () => {
  const house = await openHouse();
  const ask = (method: string, path: string, body?: object) => house.ask('ana', method, path, body);
  const livre = await ajouterLivre(house, { titre: 'Le coffret bleu' });
  const { id } = await ajouterSerie(house, {
    titre: 'Rives',
    places: [4, 5, 6, 7].map((tome) => ({ titre: `Tome ${tome}`, numero: String(tome) })),
  });
  const put = (body: object) => ask('PUT', `/api/livres/${String(livre.id)}/serie`, body);
  const read = async () => {
    const serie = await lireSerie(house, id);
    return { missing: missingNumeros(serie), owned: holdingOf(serie).owned };
  };
  await put({ serie: { id }, numero: 'Coffret 2', tomes: '4-6' });
  expect(await read()).toEqual({ missing: ['1', '2', '3', '7'], owned: 3 });
  const place = (await lireSerie(house, id)).places.find(({ livreId }) => livreId === livre.id);
  expect(place).toMatchObject({ numero: 'Coffret 2', tomes: '4-6' });

  const { status, headers } = await put({ serie: { id }, tomes: 'aucun', de: place?.id });
  expect(status).toBe(200);
  expect(await read()).toEqual({ missing: ['1', '2', '3', '4', '5', '6', '7'], owned: 1 });
  const act = headers.get('x-modification') ?? '';
  expect((await ask('GET', `/api/modifications/${act}`)).body).toMatchObject({
    resume: 'Tomes contenus notés : Le coffret bleu',
  });
  expect((await ask('POST', `/api/modifications/${act}/annulation`)).status).toBe(201);
  expect((await read()).owned).toBe(3);

  // Omitted, the field stays; blank, it follows the number.
  await put({ serie: { id }, numero: '4-5', de: place?.id });
  expect((await read()).owned).toBe(3);
  await put({ serie: { id }, tomes: '', de: place?.id });
  expect((await read()).owned).toBe(2);
});

test('an invalid volume is refused, in a place and in a series', async () => {
  const house = await openHouse();
  const livre = await ajouterLivre(house, { titre: 'Le coffret' });
  const path = `/api/livres/${String(livre.id)}/serie`;
  expect(
    await house.ask('ana', 'PUT', path, { serie: { titre: 'Rives' }, tomes: 'beaucoup' }),
  ).toMatchObject({ status: 400, body: { champs: [{ champ: 'tomes' }] } });
  expect(
    await house.ask('ana', 'POST', '/api/series', {
      titre: 'Rives',
      places: [{ titre: 'Un', tomes: 'beaucoup' }],
    }),
  ).toMatchObject({ status: 400, body: { champs: [{ champ: 'places.0.tomes' }] } });
});

test('the spreadsheet’s table says the volumes inside a book, and brings them to another house', async () => {
  const house = await openHouse();
  const livre = await ajouterLivre(house, { titre: 'Le coffret' }, 'ana');
  const places = [{ titre: 'Le coffret', numero: 'C2', tomes: '4-6', livreId: livre.id }];
  await ajouterSerie(house, { titre: 'Rives', places });
  const { bytes } = await download(house, '/api/export/livres.csv');
  const other = await openHouse();
  expect(await importInto(other, bytes, 'essai=false')).toMatchObject({ status: 201 });
  expect((await lireSerie(other, 1)).places).toMatchObject([{ numero: 'C2', tomes: '4-6' }]);
});

test('unreadable volumes of a file are ignored, and reported', async () => {
  const house = await openHouse();
  const csv = 'titre;série;numéro;tomes contenus\nLe coffret;Rives;2;beaucoup\n';
  const { body } = await importInto(house, Buffer.from(csv), 'essai=false');
  expect(JSON.stringify(body['avertissements'])).toContain('tomes contenus illisibles');
  expect((await lireSerie(house, 1)).places).toMatchObject([{ numero: '2', tomes: null }]);
});
