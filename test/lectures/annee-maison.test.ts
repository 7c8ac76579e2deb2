import { expect, test } from 'vitest';
import { countYear } from '#server/subjects/lectures/domain/annee-maison';
import { openHome, type Told } from '../identity/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { noter } from './support.ts';

const agree = (house: House, who: string, accord = true) =>
  house.ask(who, 'PUT', '/api/annee-maison/accord', { accord });
const year = async (house: House, who: string, annee = 2024) =>
  (await house.ask(who, 'GET', `/api/annee-maison?annee=${String(annee)}`)).body;

const reading = (fin: string | null, nombrePages: number | null = null, abandon = false) => ({
  debut: null,
  fin,
  abandon,
  nombrePages,
});

test('a year counts what all readers finished in it', () => {
  const lectures = [
    reading('2024-01-31', 200),
    reading('2024-01', 100),
    reading('2024-12-01'),
    reading('2024', 50),
    reading('2023-12-31', 1000),
    reading('2024-05-01', 1000, true),
    reading(null, 1000),
    { ...reading(null), debut: '2024-02' },
  ];
  const mois = [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  expect(countYear(lectures, 2024, 3)).toEqual({ lecteurs: 3, livres: 4, pages: 350, mois });
});

test('only readers who agree are counted, and see the count', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', nombrePages: 412 });
  for (const who of ['ana', 'bob', 'zoé'])
    await noter(house, who, { livreId: 1, fin: '2024-03-12' });
  const off = { accord: false, compte: null };
  for (const who of ['ana', 'bob']) expect(await year(house, who)).toEqual(off);
  expect(await agree(house, 'ana')).toMatchObject({ status: 204 });
  expect(await year(house, 'ana')).toEqual({ accord: true, compte: null });
  expect(await year(house, 'bob')).toEqual(off);
  for (let again = 0; again < 2; again++) await agree(house, 'bob');
  const mois = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const both = { accord: true, compte: { lecteurs: 2, livres: 2, pages: 824, mois } };
  for (const who of ['ana', 'bob']) expect(await year(house, who)).toEqual(both);
  expect(await year(house, 'zoé')).toEqual(off);
  expect(await year(house, 'ana', 2023)).toMatchObject({ compte: { livres: 0 } });
  await agree(house, 'bob', false);
  expect(await year(house, 'ana')).toEqual({ accord: true, compte: null });
  expect(await year(house, 'bob')).toEqual(off);
});

test('an agreement is no act that anyone could read', async () => {
  const house = await openHouse();
  const { headers } = await agree(house, 'ana');
  expect(headers.get('X-Modification')).toBeNull();
  expect((await house.ask('ana', 'GET', '/api/modifications')).body).toEqual([]);
});

test('an unknown caller has no agreement, and no year', async () => {
  const house = await openHouse();
  for (const [method, path, body] of [
    ['GET', '/api/annee-maison?annee=2024'],
    ['PUT', '/api/annee-maison/accord', { accord: true }],
  ] as const)
    expect(await house.ask(null, method, path, body)).toMatchObject({ status: 401 });
});

test('what is no year is refused', async () => {
  const house = await openHouse();
  for (const annee of ['0', '10000', 'hier'])
    expect(await house.ask('ana', 'GET', `/api/annee-maison?annee=${annee}`)).toMatchObject({
      status: 400,
    });
});

test('a removed or excluded member is no longer counted', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const [luc, ines] = [await home.member('Luc'), await home.member('Inès')];
  for (const one of [claire, luc, ines]) {
    await one.ask('POST', '/api/lectures', { titre: 'Nadja', fin: '2024' });
    await one.ask('PUT', '/api/annee-maison/accord', { accord: true });
  }
  const shown = async (): Promise<Told> => claire.ask('GET', '/api/annee-maison?annee=2024');
  expect((await shown()).body).toMatchObject({ compte: { lecteurs: 3, livres: 3 } });
  await claire.ask('PUT', '/api/membres/2', { nom: 'Luc', gere: false, exclu: true });
  expect((await shown()).body).toMatchObject({ compte: { lecteurs: 2, livres: 2 } });
  await claire.ask('DELETE', '/api/membres/3');
  expect((await shown()).body).toEqual({ accord: true, compte: null });
});
