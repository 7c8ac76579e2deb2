import { expect, test, vi } from 'vitest';
import type { Montre, OffreRecue } from '#shared/partages';
import { openHouse, type House } from '../support/house.ts';

// What owners let others see of the gifts for them (docs/rules.md § 59, § 60); nothing by default.

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toLocaleDateString('sv');

async function household() {
  const house = await openHouse();
  for (const titre of ['Sido', 'Regain', 'Nadja'])
    await house.ask('ines', 'POST', '/api/souhaits', { titre });
  await choose(house, {});
  const { body } = await house.ask('ines', 'POST', '/api/moi/liste');
  const url = house.url + (body as { adresse: string }).adresse;
  await house.ask('bob', 'PUT', '/api/souhaits/1/offre');
  await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ souhait: '2', nom: 'Mamie Lise' }),
  });
  return { house, url };
}

const choose = (house: House, more: object, who = 'ines') =>
  house.ask(who, 'PUT', '/api/moi/partage', { lectures: false, souhaits: true, ...more });

const pageOf = async (url: string) => (await fetch(url)).text();

const received = async (house: House, who = 'ines') =>
  (await house.ask(who, 'GET', '/api/moi/offres-recues')).body as OffreRecue[];

test('visitors of the link see given wishes only if the owner allows it, and never by whom', async () => {
  const { house, url } = await household();
  const before = await pageOf(url);
  expect(before).not.toContain('class="given"');
  expect(before.match(/<button name="souhait"/g)).toHaveLength(3);
  expect((await choose(house, { donnes: true })).body).toMatchObject({ donnes: true });
  const shown = await pageOf(url);
  expect(shown.match(/<p class="given">Déjà offert/g)).toHaveLength(2);
  expect(shown.match(/<button name="souhait"/g)).toHaveLength(1);
  for (const nom of ['bob', 'Bob', 'Lise']) expect(shown).not.toContain(nom);
  // An omitted setting stays; a wish that becomes another one has no giver.
  await choose(house, {});
  await house.ask('ines', 'PUT', '/api/souhaits/1', { titre: 'Gigi' });
  expect((await pageOf(url)).match(/<p class="given">/g)).toHaveLength(1);
  await choose(house, { donnes: false });
  expect(await pageOf(url)).not.toContain('class="given"');
});

test('owners learn who gives what from a day of their choice, which the givers know', async () => {
  const { house, url } = await household();
  expect(await received(house)).toEqual([]);
  const day = inDays(20);
  expect((await choose(house, { savoirLe: day })).body).toMatchObject({ savoirLe: day });
  expect(await received(house)).toEqual([]);
  const [montre] = (await house.ask('bob', 'GET', '/api/maison')).body as Montre[];
  expect(montre?.savoirLe).toBe(day);
  const form = new URLSearchParams({ nom: 'Mamie Lise', souhait: '2' });
  const done = await (await fetch(url, { method: 'POST', body: form })).text();
  for (const page of [await pageOf(url), done]) {
    expect(page).toContain('ne le verra pas avant le');
    expect(page).not.toContain('ne le verra pas,');
  }
  vi.setSystemTime(Date.now() + 20 * DAY_MS);
  expect(await received(house)).toEqual([
    { titre: 'Sido', noms: ['bob'] },
    { titre: 'Regain', noms: ['Mamie Lise'] },
  ]);
  expect(await received(house, 'bob')).toEqual([]);
  // A day in the past may be sent again unchanged.
  expect((await choose(house, { savoirLe: day })).status).toBe(200);
  expect((await choose(house, { savoirLe: null })).body).not.toHaveProperty('savoirLe');
  expect(await received(house)).toEqual([]);
});

test.each(['2020-01-01', inDays(0), 'demain', '2026-02-31'])(
  '%s is refused as the day of disclosure',
  async (savoirLe) => {
    const { house } = await household();
    expect(await choose(house, { savoirLe })).toMatchObject({
      status: 400,
      body: { champs: [{ champ: 'savoirLe' }] },
    });
    expect(await received(house)).toEqual([]);
  },
);

test('the setting is not announced to others', async () => {
  const { house } = await household();
  expect((await house.ask(null, 'GET', '/api/moi/offres-recues')).status).toBe(401);
});
