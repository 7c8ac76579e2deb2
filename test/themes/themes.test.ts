import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import type { Numero } from '#shared/numeros';
import type { Theme } from '#shared/themes';
import { openHouse } from '../support/house.ts';

/** Two books and an issue with these themes. */
async function houseWith(...lists: readonly (readonly string[])[]) {
  const house = await openHouse();
  const ask = (method: string, path: string, body?: unknown) =>
    house.ask('ana', method, `/api/${path}`, body);
  const [issue = [], ...books] = lists;
  for (const [index, themes] of books.entries())
    await ask('POST', 'livres', { titre: `Livre ${index + 1}`, format: 'Physique', themes });
  await ask('POST', 'revues/numeros', {
    revue: { titre: 'Rivages' },
    numero: { numero: '1', themes: issue },
  });
  return {
    house,
    ask,
    themes: async () => ((await ask('GET', 'themes')).body as Theme[]).map(({ nom }) => nom),
    ofLivre: async (id: number) => ((await ask('GET', `livres/${id}`)).body as Livre).themes,
    ofNumero: async () => ((await ask('GET', 'numeros/1')).body as Numero).themes,
    idOf: async (nom: string) =>
      ((await ask('GET', 'themes')).body as Theme[]).find((theme) => theme.nom === nom)?.id,
    found: async (query: string) =>
      ((await ask('GET', `livres?${query}`)).body as Livre[]).map(({ id }) => id),
  };
}

test('books and issues share one vocabulary, in its first spelling', async () => {
  const { themes, ofLivre, ofNumero } = await houseWith(
    ['MER'],
    ['Mer', 'Île', ' ', 'ile'],
    ['mér'],
  );
  expect(await themes()).toEqual(['Île', 'Mer']);
  expect(await ofLivre(1)).toEqual(['Mer', 'Île']);
  expect(await ofLivre(2)).toEqual(['Mer']);
  expect(await ofNumero()).toEqual(['Mer']);
});

test('a book is found by a theme in any spelling', async () => {
  const { found } = await houseWith([], ['Science-fiction'], ['Mer'], []);
  expect(await found('theme=SCIENCE%20FICTION')).toEqual([1]);
  expect(await found('theme=science')).toEqual([]);
  expect(await found('recherche=fiction')).toEqual([1]);
  expect(await found('recherche=mer%20livre')).toEqual([2]);
});

test('a book rewritten without themes has none', async () => {
  const { ask, themes, ofLivre } = await houseWith(['Île'], ['Mer', 'Île']);
  const livre = { titre: 'Livre 1', format: 'Physique' };
  const { headers } = await ask('PUT', 'livres/1', livre);
  expect(await ofLivre(1)).toEqual([]);
  expect(await themes()).toEqual(['Île']);
  await ask('POST', `modifications/${String(headers.get('x-modification'))}/annulation`);
  expect(await ofLivre(1)).toEqual(['Mer', 'Île']);
  await ask('DELETE', 'livres/1');
  expect(await themes()).toEqual(['Île']);
});

test('a book has at most twenty themes', async () => {
  const noms = Array.from({ length: 21 }, (_, i) => `Thème ${i}`);
  const { ask, ofLivre } = await houseWith([], noms.slice(0, 20));
  expect(await ofLivre(1)).toHaveLength(20);
  const livre = { titre: 'A', format: 'Physique', themes: noms };
  expect(await ask('POST', 'livres', livre)).toMatchObject({ status: 400 });
  const lot = { ids: [1], action: 'ajouterTheme', theme: 'De trop' };
  expect(await ask('POST', 'livres/lot', lot)).toMatchObject({
    status: 400,
    body: { livreId: 1, champs: [{ champ: 'theme' }] },
  });
});

test('a theme is renamed everywhere, and joined with another', async () => {
  const { ask, themes, ofLivre, ofNumero, idOf } = await houseWith(
    ['Mer', 'Océan'],
    ['Océan', 'Île'],
  );
  const rename = async (nom: string, to: string) =>
    ask('PUT', `themes/${String(await idOf(nom))}`, { nom: to });
  expect(await rename('Île', 'Îles')).toMatchObject({ status: 200, body: { nom: 'Îles' } });
  const { headers, body } = await rename('Océan', 'MER');
  expect(body).toMatchObject({ nom: 'Mer' });
  expect(await themes()).toEqual(['Îles', 'Mer']);
  expect(await ofLivre(1)).toEqual(['Mer', 'Îles']);
  expect(await ofNumero()).toEqual(['Mer']);
  const act = String(headers.get('x-modification'));
  const undone = await ask('POST', `modifications/${act}/annulation`);
  expect(undone.status).toBe(201);
  expect(await themes()).toEqual(['Îles', 'Mer', 'Océan']);
  expect(await ofLivre(1)).toEqual(['Océan', 'Îles']);
  expect(await ofNumero()).toEqual(['Mer', 'Océan']);
  expect(await ask('PUT', 'themes/99', { nom: 'A' })).toMatchObject({ status: 404 });
});

test.each([
  [1, 'join first'],
  [1, 'deletion first'],
  [2, 'join first'],
  [2, 'deletion first'],
] as const)('a join, and book %i deleted, are undone, %s', async (deleted, first) => {
  const { ask, ofLivre, idOf } = await houseWith([], ['Océan', 'Mer'], ['Océan']);
  const joined = await ask('PUT', `themes/${String(await idOf('Océan'))}`, { nom: 'Mer' });
  const deletion = await ask('DELETE', `livres/${deleted}`);
  for (const { headers } of first === 'join first' ? [joined, deletion] : [deletion, joined]) {
    const act = String(headers.get('x-modification'));
    expect(await ask('POST', `modifications/${act}/annulation`)).toMatchObject({ status: 201 });
  }
  expect(await ofLivre(1)).toEqual(['Océan', 'Mer']);
  expect(await ofLivre(2)).toEqual(['Océan']);
});

test('many books get a theme and lose it', async () => {
  const { ask, themes, ofLivre } = await houseWith([], ['Mer'], []);
  const lot = (action: string, theme: string) =>
    ask('POST', 'livres/lot', { ids: [1, 2], action, theme });
  const { headers } = await lot('ajouterTheme', 'mer');
  expect([await ofLivre(1), await ofLivre(2)]).toEqual([['Mer'], ['Mer']]);
  expect(decodeURIComponent(headers.get('x-modification-resume') ?? '')).toBe(
    'Thème mer ajouté : 1 livre · 1 inchangé',
  );
  await lot('retirerTheme', 'MER');
  expect([await ofLivre(1), await ofLivre(2)]).toEqual([[], []]);
  expect(await themes()).toEqual([]);
});
