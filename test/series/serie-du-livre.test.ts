import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SerieDuLivre } from '#shared/livres';
import type { Serie } from '#shared/series';
import { atLeastOne } from '../support/at-least-one.ts';
import { householdRows } from '../modifications/support/household.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { cases } from '../support/random.ts';
import { ajouterSerie, lireSerie } from '../support/series.ts';

const placer = (house: House, id: number, body: SerieDuLivre) =>
  house.ask(null, 'PUT', `/api/livres/${String(id)}/serie`, body);

/** The series with their volumes, « numéro titre = livre ». */
const seriesOf = async (house: House) =>
  Object.fromEntries(
    ((await house.ask(null, 'GET', '/api/series')).body as Serie[]).map(({ titre, places }) => [
      titre,
      places.map(
        (place) => `${place.numero ?? '–'} ${place.titre} = ${String(place.livreId ?? '–')}`,
      ),
    ]),
  );

/** Undoes the newest modification. */
async function annuler(house: House): Promise<void> {
  const { body } = await house.ask(null, 'GET', '/api/modifications?limite=1');
  const [act] = body as { id: number }[];
  const path = `/api/modifications/${String(act?.id)}/annulation`;
  expect((await house.ask(null, 'POST', path)).status).toBe(201);
}

describe('a book', () => {
  test('goes into a series by its number, making new series', async () => {
    const house = await openHouse();
    for (const titre of ['Le départ', 'Le retour', 'Entre-temps'])
      await ajouterLivre(house, { titre });
    const { status, body } = await placer(house, 2, { serie: { titre: 'Voyages' }, numero: '3' });
    expect([status, body]).toEqual([200, (await house.ask(null, 'GET', '/api/livres/2')).body]);
    await placer(house, 1, { serie: { titre: 'VOYAGES !' }, numero: '1' });
    await placer(house, 3, { serie: { id: 1 }, numero: '2,5' });
    expect(await seriesOf(house)).toEqual({
      Voyages: ['1 Le départ = 1', '2,5 Entre-temps = 3', '3 Le retour = 2'],
    });
  });

  test('fills the missing volume of its number, ISBN or title', async () => {
    const house = await openHouse();
    for (const [place, numero] of [
      [{ titre: 'Sept', numero: '7' }, '07'],
      [{ titre: 'Un et demi', numero: '1.50' }, '1,5'],
      [{ titre: 'Autre', isbn: '9782070360024' }, undefined],
      [{ titre: 'le volume : roman' }, undefined],
    ] as const) {
      const livre = await ajouterLivre(house, { titre: 'Le volume', isbn: '9782070360024' });
      const places = [{ titre: 'Avant' }, place, { titre: 'Après' }];
      const serie = await ajouterSerie(house, { places });
      await placer(house, livre.id, { serie: { id: serie.id }, ...(numero && { numero }) });
      expect((await lireSerie(house, serie.id)).places, place.titre).toMatchObject([
        { livreId: null },
        { livreId: livre.id, titre: place.titre, numero: numero ?? null },
        { livreId: null },
      ]);
    }
  });

  test('moves to the missing volume of its new number', async () => {
    const house = await openHouse();
    await ajouterLivre(house, { titre: 'Un' });
    await ajouterSerie(house, { titre: 'S', places: [{ titre: 'Quatre', numero: '4' }] });
    await placer(house, 1, { serie: { id: 1 }, numero: '2' });
    await placer(house, 1, { serie: { id: 1 }, numero: '3' });
    expect(await seriesOf(house)).toEqual({ S: ['3 Un = 1', '4 Quatre = –'] });
    await placer(house, 1, { serie: { id: 1 }, numero: '04' });
    expect(await seriesOf(house)).toEqual({ S: ['3 Un = –', '04 Quatre = 1'] });
  });

  test('keeps its number in the series by default', async () => {
    const house = await openHouse();
    await ajouterLivre(house, { titre: 'Un' });
    await placer(house, 1, { serie: { titre: 'S' }, numero: '1' });
    await placer(house, 1, { serie: { titre: 'S' } });
    await placer(house, 1, { serie: { titre: 'S' }, numero: '' });
    expect(await seriesOf(house)).toEqual({ S: ['1 Un = 1'] });
    await placer(house, 1, { serie: { titre: 'S' }, numero: null, de: 1 });
    expect(await seriesOf(house)).toEqual({ S: ['– Un = 1'] });
  });

  test('leaves the series that is named, else the first', async () => {
    const house = await openHouse();
    await ajouterLivre(house, { titre: 'Un' });
    for (const titre of ['B', 'A']) await placer(house, 1, { serie: { titre }, de: null });
    const both = { A: ['– Un = 1'], B: ['– Un = 1'] };
    expect(await seriesOf(house)).toEqual(both);
    await placer(house, 1, { serie: { titre: 'C' }, de: 1 });
    expect(await seriesOf(house)).toEqual({ A: ['– Un = 1'], B: [], C: ['– Un = 1'] });
    await annuler(house);
    expect(await seriesOf(house)).toEqual(both);
    await placer(house, 1, { serie: null });
    expect(await seriesOf(house)).toEqual({ A: [], B: ['– Un = 1'] });
    await placer(house, 1, { serie: null, de: 99 });
    expect(await seriesOf(house)).toEqual({ A: [], B: ['– Un = 1'] });
  });
});

const saisie = {
  titre: 'Sept',
  format: 'Physique',
  auteurs: ['Luc', 'Zoé'],
  isbn: '9782070360024',
} as const;

test.each<[string, (house: House) => Promise<unknown>]>([
  ['by itself', (house) => placer(house, 1, { serie: { titre: 'S' }, numero: '7' })],
  [
    'with other books',
    async (house) => {
      const titre = 'S, tome 7';
      await house.ask(null, 'PUT', '/api/livres/1', { ...saisie, titre });
      const lot = { ids: [1], action: 'serie', serie: { titre: 'S' } };
      await house.ask(null, 'POST', '/api/livres/lot', lot);
    },
  ],
  [
    'when it is added',
    async (house) => {
      await house.ask(null, 'DELETE', '/api/livres/1');
      const place = { serie: { titre: 'S' }, numero: '7' };
      await house.ask(null, 'POST', '/api/livres', { ...saisie, place });
    },
  ],
])('a place filled %s keeps its book’s data', async (_, come) => {
  const house = await openHouse();
  await ajouterLivre(house, { ...saisie, auteurs: [...saisie.auteurs] });
  await come(house);
  const [place] = (await lireSerie(house, 1)).places;
  expect(place).toMatchObject({ numero: '7', auteur: 'Luc ; Zoé', isbn: saisie.isbn });
  await placer(house, Number(place?.livreId), { serie: null });
  expect((await lireSerie(house, 1)).places).toEqual([{ ...place, livreId: null }]);
});

test('a book takes along its unnumbered, previously unknown place', async () => {
  const house = await openHouse();
  for (const titre of ['Un', 'Deux', 'Trois']) await ajouterLivre(house, { titre });
  await ajouterSerie(house, { titre: 'S', places: [{ titre: 'Un' }] });
  for (const id of [1, 2]) await placer(house, id, { serie: { id: 1 } });
  await placer(house, 3, { serie: { id: 1 }, numero: '3' });
  for (const id of [1, 2, 3]) await placer(house, id, { serie: { titre: 'T' } });
  expect(await seriesOf(house)).toEqual({
    S: ['– Un = –', '3 Trois = –'],
    T: ['– Un = 1', '– Deux = 2', '– Trois = 3'],
  });
});

test('an invalid placement is refused, and nothing is written', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const before = householdRows(house.context.database);
  for (const [id, body, status, refusal] of [
    [9, { serie: { titre: 'S' } }, 404, { code: 'INTROUVABLE' }],
    [9, { serie: null }, 404, { code: 'INTROUVABLE' }],
    [1, { serie: { id: 9 } }, 400, { champs: [{ champ: 'serie.id' }] }],
    [1, { serie: { titre: ' ' } }, 400, { code: 'REQUETE_INVALIDE' }],
    [1, { serie: 'S' }, 400, { code: 'REQUETE_INVALIDE' }],
    [1, { numero: '1' }, 400, { code: 'REQUETE_INVALIDE' }],
    [1, { serie: { titre: 'S' }, de: 'x' }, 400, { code: 'REQUETE_INVALIDE' }],
  ] as const) {
    const asked = `${String(id)} ${JSON.stringify(body)}`;
    const answer = await house.ask(null, 'PUT', `/api/livres/${String(id)}/serie`, body);
    expect(answer, asked).toMatchObject({ status, body: refusal });
    expect(householdRows(house.context.database), asked).toEqual(before);
  }
  const entry = { ...saisie, place: { serie: { id: 5 } } };
  expect(await house.ask(null, 'POST', '/api/livres', entry)).toMatchObject({
    status: 400,
    body: { champs: [{ champ: 'place.serie.id' }] },
  });
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a book and its place are entered and undone together', async () => {
  const place = { serie: { titre: 'Voyages' }, numero: '2' };
  const house = await openHouse();
  const before = householdRows(house.context.database);
  const { body } = await house.ask(null, 'POST', '/api/livres', { ...saisie, place });
  expect(await seriesOf(house)).toEqual({ Voyages: ['2 Sept = 1'] });
  const changed = { ...saisie, titre: 'Huit', place: { serie: { titre: 'Odes' }, de: 1 } };
  await house.ask(null, 'PUT', '/api/livres/1', changed);
  expect(await seriesOf(house)).toEqual({ Voyages: ['2 Sept = –'], Odes: ['– Huit = 1'] });
  await annuler(house);
  expect((await house.ask(null, 'GET', '/api/livres/1')).body).toEqual(body);
  expect(await seriesOf(house)).toEqual({ Voyages: ['2 Sept = 1'] });
  await house.ask(null, 'PUT', '/api/livres/1', { ...saisie, place: null });
  expect(await seriesOf(house)).toEqual({ Voyages: ['2 Sept = 1'] });
  await house.ask(null, 'DELETE', '/api/livres/1');
  const acts = (await house.ask(null, 'GET', '/api/modifications')).body as { id: number }[];
  for (const id of [acts[0]?.id, acts.at(-1)?.id])
    await house.ask(null, 'POST', `/api/modifications/${String(id)}/annulation`);
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a repeated move changes nothing, and is undone as one', { tags: 'random' }, async () => {
  const move = fc.record({
    livre: fc.integer({ min: 1, max: 3 }),
    serie: fc.option(
      fc.oneof(
        fc.constantFrom('A', 'B', 'C').map((titre) => ({ titre })),
        fc.constantFrom(1, 2).map((id) => ({ id })),
      ),
    ),
    numero: fc.constantFrom(undefined, null, '', '1', '01', '1,5', '2', 'II'),
    de: fc.constantFrom(undefined, null, 1, 2, 3, 4, 5),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 8 }), async (moves) => {
      const house = await openHouse();
      for (const titre of ['Un', 'Deux', 'Un']) await ajouterLivre(house, { titre });
      await ajouterSerie(house, {
        titre: 'A',
        places: [{ titre: 'Un' }, { titre: 'x', numero: '2' }],
      });
      await ajouterSerie(house, { titre: 'B', places: [{ titre: 'Deux', livreId: 2 }] });
      for (const { livre, serie, numero, de } of atLeastOne(moves)) {
        const { database } = house.context;
        const before = householdRows(database);
        // Without `de` the book's first place is meant, which changes with each move.
        const place = serie === null && de === undefined ? null : de;
        const body: SerieDuLivre = {
          serie,
          ...(numero !== undefined && { numero }),
          ...(place !== undefined && { de: place }),
        };
        const { status, headers } = await placer(house, livre, body);
        expect(status).toBe(200);
        const after = householdRows(database);
        const again = await placer(house, livre, body);
        expect([again.status, again.headers.get('x-modification')]).toEqual([200, null]);
        expect(householdRows(database)).toEqual(after);
        const act = headers.get('x-modification');
        if (act === null) continue;
        const undo = await house.ask(null, 'POST', `/api/modifications/${act}/annulation`);
        expect(undo.status).toBe(201);
        expect(householdRows(database)).toEqual(before);
        await placer(house, livre, body);
      }
      await house.close();
    }),
    cases(15),
  );
});

test.each([
  ['Akira n° 3', 'Akira', '3'],
  ['Kaiju n°8', 'Kaiju n°8', null],
  ['Kaiju n°8, tome 2', 'Kaiju n°8', '2'],
])('« %s », put with others into « %s », has the number %s', async (titre, serie, numero) => {
  const house = await openHouse();
  await ajouterLivre(house, { titre });
  const lot = { ids: [1], action: 'serie', serie: { titre: serie } };
  await house.ask(null, 'POST', '/api/livres/lot', lot);
  const { body } = await house.ask(null, 'GET', '/api/series/1');
  expect(body).toMatchObject({ places: [{ titre, numero }] });
});
