import { expect, test } from 'vitest';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { contentOf, download, importInto } from './support.ts';

/** Sends a request, and returns the id in its response. */
async function add(house: House, method: string, path: string, body: object): Promise<number> {
  const answer = await house.ask('ana', method, `/api/${path}`, body);
  expect(answer, path).toMatchObject({ status: method === 'POST' ? 201 : 200 });
  return Number(Reflect.get(Object(answer.body), 'id'));
}

async function expectRoundTrip(house: House): Promise<void> {
  const before = await contentOf(house);
  const { bytes } = await download(house, '/api/export.zip');
  const fresh = await openHouse();
  await importInto(fresh, bytes);
  expect(await contentOf(fresh)).toEqual(before);
  // Existing records are recognised.
  await importInto(fresh, bytes);
  expect(await contentOf(fresh)).toEqual(before);
}

test.each([
  [null, null],
  ['0988-2480', null],
  [null, '0988-2480'],
  ['0988-2480', '2917-0443'],
])('periodicals of one title stay two (%s, %s)', async (first, second) => {
  const house = await openHouse();
  for (const [titre, issn] of [
    ['Rivages', first],
    ['Autre', second],
  ] as const) {
    const id = await add(house, 'POST', 'revues', { titre, issn });
    await add(house, 'POST', `revues/${id}/numeros`, { numero: '12', une: titre });
    await add(house, 'PUT', `revues/${id}`, { titre: 'Rivages', issn });
  }
  await expectRoundTrip(house);
});

test('twins of all other kinds stay two', async () => {
  const house = await openHouse();
  for (const titre of ['Un', 'Deux']) {
    await ajouterLivre(house, { titre: 'Sido' });
    const serie = await add(house, 'POST', 'series', { titre, places: [{ titre }] });
    await house.ask('ana', 'PUT', `/api/series/${serie}`, { titre: 'Un', places: [{ titre }] });
    const souhait = await add(house, 'POST', 'souhaits', { titre });
    await house.ask('ana', 'PUT', `/api/souhaits/${souhait}`, { titre: 'Un' });
    const revue = await add(house, 'POST', 'souhaits-revues', { titre });
    await house.ask('ana', 'PUT', `/api/souhaits-revues/${revue}`, { titre: 'Un' });
    await add(house, 'POST', 'lectures', { titre: 'Prêté', fin: '2019', note: 3 });
  }
  await expectRoundTrip(house);
});

test('a loan and a returned one of the same moment stay two', async () => {
  const house = await openHouse();
  const { id } = await ajouterLivre(house, { titre: 'Sido' });
  const pret = { emprunteur: 'Luc', datePret: '2024-01-02T10:00:00.000Z' };
  const first = await add(house, 'POST', `livres/${id}/prets`, pret);
  await house.ask('ana', 'POST', `/api/prets/${first}/retour`);
  await add(house, 'POST', `livres/${id}/prets`, pret);
  const { bytes } = await download(house, '/api/export.zip');
  const fresh = await openHouse();
  for (let times = 0; times < 2; times++) {
    await importInto(fresh, bytes);
    expect((await fresh.ask('ana', 'GET', '/api/livres/1/prets')).body).toHaveLength(2);
  }
});
