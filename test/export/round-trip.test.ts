import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import type { Pret } from '#shared/prets';
import type { Serie } from '#shared/series';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { runs } from '../support/random.ts';
import { lireSerie } from '../support/series.ts';
import { fill } from './random-household.ts';
import { contentOf, download, importInto } from './support.ts';

const SEEDS = Array.from({ length: runs(6) }, (_, index) => 11 + index);

test.each(SEEDS)(
  'an export is restored completely into an empty household (%i)',
  { tags: 'random' },
  async (seed) => {
    const house = await openHouse();
    await fill(house, seed);
    const { bytes } = await download(house, '/api/export.zip');
    const other = await openHouse();
    const { status, body } = await importInto(other, bytes);
    expect([status, body['format'], body['refuses'], body['nouveaux']]).toEqual([
      201,
      'rayonnage',
      [],
      12,
    ]);
    expect(await contentOf(other)).toEqual(await contentOf(house));
  },
);

test('a house takes its own export back as present', async () => {
  const house = await openHouse();
  await fill(house, 21);
  const before = await contentOf(house);
  const { bytes } = await download(house, '/api/export.zip');
  const own = await importInto(house, bytes);
  expect(own.body).toMatchObject({
    nouveaux: 0,
    presents: Number(own.body['lignes']),
    refuses: [],
  });
  expect(await contentOf(house)).toEqual(before);
});

test('the same export imported twice adds nothing', async () => {
  const house = await openHouse();
  await fill(house, 21);
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  await importInto(other, bytes);
  expect((await importInto(other, bytes)).body).toMatchObject({ nouveaux: 0, souhaits: 0 });
  expect(await contentOf(other)).toEqual(await contentOf(house));
});

/** A household with its own books, and with gaps in its ids. */
async function livedIn(seed: number): Promise<House> {
  const house = await openHouse();
  await fill(house, seed);
  for (const titre of ['Autre', 'Une autre']) {
    const { id } = await ajouterLivre(house, { titre });
    await house.ask('ana', 'DELETE', `/api/livres/${id}`);
  }
  return house;
}

const OTHER_HOUSES: Readonly<Record<string, (seed: number) => Promise<House>>> = {
  'with books of its own': livedIn,
  'that had one book': async () => {
    const house = await openHouse();
    const { id } = await ajouterLivre(house, { titre: 'Autre' });
    await house.ask('ana', 'DELETE', `/api/livres/${id}`);
    return house;
  },
  'that had many books': async () => {
    const house = await openHouse();
    for (let at = 0; at < 9; at++) {
      const { id } = await ajouterLivre(house, { titre: `Livre ${at}` });
      await house.ask('ana', 'DELETE', `/api/livres/${id}`);
    }
    return house;
  },
};

test.each(
  Object.entries(OTHER_HOUSES).flatMap(([name, make]) =>
    SEEDS.slice(0, runs(2)).map((seed) => [name, seed, make] as const),
  ),
)(
  'an archive taken in again adds nothing to a house %s (%i)',
  { tags: 'random' },
  async (_, seed, make) => {
    const house = await openHouse();
    await fill(house, seed);
    const { bytes } = await download(house, '/api/export.zip');
    const other = await make(seed + 100);
    const first = await importInto(other, bytes);
    expect(first.status).toBe(201);
    const before = await contentOf(other);
    for (let times = 0; times < 2; times++) {
      const { body } = await importInto(other, bytes);
      expect(body).toMatchObject({ nouveaux: 0, souhaits: 0, presents: first.body['lignes'] });
      expect(await contentOf(other)).toEqual(before);
    }
  },
);

test('a book of an archive is recognised after a rename', async () => {
  const house = await openHouse();
  for (const titre of ['Quai', 'Eaux', 'Vent']) await ajouterLivre(house, { titre });
  const { bytes } = await download(house, '/api/export.zip');
  const other = await OTHER_HOUSES['that had one book']?.(0);
  if (other === undefined) throw new Error('No such house');
  await importInto(other, bytes);
  const [quai] = (await other.ask('ana', 'GET', '/api/livres')).body as Livre[];
  await other.ask('ana', 'PUT', `/api/livres/${quai?.id ?? 0}`, {
    titre: 'Tout autre',
    format: 'Physique',
  });
  expect((await importInto(other, bytes)).body).toMatchObject({ nouveaux: 0, presents: 3 });
});

test('a cut archive is refused and writes nothing', async () => {
  const house = await openHouse();
  await fill(house, 22);
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  const empty = await contentOf(other);
  for (const part of [0.3, 0.6, 0.99]) {
    const cut = bytes.subarray(0, Math.floor(bytes.length * part));
    expect(await importInto(other, cut)).toMatchObject({
      status: 400,
      body: { code: 'FICHIER_INVALIDE' },
    });
  }
  expect(await contentOf(other)).toEqual(empty);
});

test('an export’s dry run writes nothing until it is real', async () => {
  const house = await openHouse();
  await fill(house, 22);
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  const empty = await contentOf(other);
  const { body } = await importInto(other, bytes, 'essai=true');
  expect(body).toMatchObject({ format: 'rayonnage', nouveaux: 12, refuses: [] });
  expect(await contentOf(other)).toEqual(empty);
  await other.ask('ana', 'POST', `/api/importations/${String(body['id'])}/execution`, {});
  expect(await contentOf(other)).toEqual(await contentOf(house));
});

test('each series of an export can be left out', async () => {
  const house = await openHouse();
  for (const titre of ['Akira', 'Blacksad'])
    await house.ask('ana', 'POST', '/api/series', {
      titre,
      places: [{ titre: `${titre} 1`, numero: '1' }],
    });
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  await other.ask('ana', 'POST', '/api/series', {
    titre: 'Akira',
    places: [{ titre: 'Akira 2', numero: '2' }],
  });
  const { body } = await importInto(other, bytes, 'essai=true');
  expect(body['series']).toBe(2);
  const path = `/api/importations/${String(body['id'])}`;
  expect((await other.ask('ana', 'GET', `${path}/series`)).body).toEqual([
    { id: expect.any(Number) as number, titre: 'Akira', volumes: 1 },
    { id: null, titre: 'Blacksad', volumes: 1 },
  ]);
  const executed = await other.ask('ana', 'POST', `${path}/execution`, {
    seriesIgnorees: ['Blacksad'],
  });
  expect(executed.body).toMatchObject({ series: 1 });
  const series = (await other.ask('ana', 'GET', '/api/series')).body as Serie[];
  expect(series.map(({ titre, places }) => [titre, places.map(({ numero }) => numero)])).toEqual([
    ['Akira', ['1', '2']],
  ]);
});

test('a volume fills the missing one of the same value', async () => {
  const [house, other] = [await openHouse(), await openHouse()];
  const livre = { titre: 'Sept', format: 'Physique' };
  await house.ask('ana', 'POST', '/api/livres', livre);
  const places = [
    { titre: 'Deux', numero: '2' },
    { titre: 'Sept', numero: '07', livreId: 1 },
  ];
  await house.ask('ana', 'POST', '/api/series', { titre: 'Voyages', places });
  const missing = ['1', '3', '7'].map((numero) => ({ titre: `Volume ${numero}`, numero }));
  await other.ask('ana', 'POST', '/api/series', { titre: 'Voyages', places: missing });
  await importInto(other, (await download(house, '/api/export.zip')).bytes);
  expect((await lireSerie(other, 1)).places).toMatchObject([
    { titre: 'Volume 1', livreId: null },
    { titre: 'Deux', livreId: null },
    { titre: 'Volume 3', livreId: null },
    { titre: 'Volume 7', livreId: 1 },
  ]);
});

test('undoing an import of an export removes uncorrected loans', async () => {
  const house = await openHouse();
  const other = await openHouse();
  for (const each of [house, other]) await ajouterLivre(each, { titre: 'Sido' });
  for (const emprunteur of ['Luc', 'Zoé', 'Léa']) {
    const { body } = await house.ask('ana', 'POST', '/api/livres/1/prets', { emprunteur });
    if (emprunteur !== 'Léa')
      await house.ask('ana', 'POST', `/api/prets/${(body as Pret).id}/retour`);
  }
  const before = await contentOf(other);
  const { bytes } = await download(house, '/api/export.zip');
  const undo = async ({ body }: Awaited<ReturnType<typeof importInto>>) =>
    other.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
  const prets = async () =>
    (await other.ask('ana', 'GET', '/api/livres/1/prets')).body as readonly Pret[];
  await undo(await importInto(other, bytes));
  expect(await contentOf(other)).toEqual(before);
  const again = await importInto(other, bytes);
  const open = (await prets()).find(({ dateRetour }) => dateRetour === null);
  await other.ask('bob', 'PUT', `/api/prets/${String(open?.id)}`, {
    emprunteur: 'Léa B.',
    datePret: open?.datePret,
  });
  await undo(again);
  expect((await prets()).map(({ emprunteur }) => emprunteur)).toEqual(['Léa B.']);
});
