import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumeroIndex } from '#shared/numero-index';
import type { Numero } from '#shared/numeros';
import { normaliser } from '#shared/text';
import { openHouse, type House } from '../support/house.ts';
import { cases } from '../support/random.ts';
import { ajouterNumero, ajouterRevue } from '../support/revues.ts';

async function search(house: House, query: string): Promise<number[]> {
  const { status, body } = await house.ask(null, 'GET', `/api/numeros?${query}`);
  expect(status).toBe(200);
  return (body as Numero[]).map(({ id }) => id);
}

/** Issue 1 of « Cahiers », 2 and 3 of « Zoom », from the oldest to the newest. */
async function openRevues(): Promise<House> {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Cahiers du Rivage' });
  await ajouterRevue(house, { titre: 'Zoom' });
  await ajouterNumero(house, 1, {
    numero: 'HS 3',
    date: '2024',
    une: 'La pêche',
    resume: 'Œuvres complètes',
    themes: ['Mer', 'Climat'],
    articles: ['Le phare, la nuit'],
  });
  await ajouterNumero(house, 2, { numero: '12', date: '2025', themes: ['mer'] });
  await ajouterNumero(house, 2, { numero: '13', date: '2026', une: 'Cahier de nuit' });
  return house;
}

test('finds issues by words or theme, newest first', async () => {
  const house = await openRevues();
  for (const [query, ids] of [
    ['', [3, 2, 1]],
    ['recherche=', [3, 2, 1]],
    ['recherche=???', [3, 2, 1]],
    ['recherche=rivage', [1]],
    ['recherche=hs', [1]],
    ['recherche=PECHE', [1]],
    ['recherche=oeuvres', [1]],
    ['recherche=climat', [1]],
    ['recherche=phare', [1]],
    ['recherche=cahier', [3, 1]],
    ['recherche=cahier+nuit', [3, 1]],
    ['recherche=zoom+mer', [2]],
    ['recherche=nuit+rivage+3', [1]],
    ['recherche=merclimat', []],
    ['theme=MER', [2, 1]],
    ['theme=m', []],
    ['theme=mer&recherche=phare', [1]],
    ['theme=', [3, 2, 1]],
  ] as const)
    expect(await search(house, query), query).toEqual(ids);
  for (const query of ['recherche=a&recherche=b', 'theme=%FF', `recherche=${'a'.repeat(501)}`])
    expect(await house.ask(null, 'GET', `/api/numeros?${query}`), query).toMatchObject({
      status: 400,
      body: { code: 'REQUETE_INVALIDE' },
    });
});

test('follows renames, changes and deletions', async () => {
  const house = await openRevues();
  await house.ask(null, 'PUT', '/api/revues/2', { titre: 'Loupe' });
  expect(await search(house, 'recherche=zoom')).toEqual([]);
  expect(await search(house, 'recherche=loupe')).toEqual([3, 2]);
  await house.ask(null, 'PUT', '/api/numeros/1', { numero: 'HS 4', date: '2030' });
  expect(await search(house, 'recherche=phare')).toEqual([]);
  expect(await search(house, '')).toEqual([1, 3, 2]);
  await house.ask(null, 'DELETE', '/api/revues/2');
  expect(await search(house, '')).toEqual([1]);
});

test('answers as a plain walk over all issues would', () => {
  const word = fc.constantFrom('Mer', 'mère', 'Été', 'HS 3', 'n° 12', '');
  const numero = fc.record({
    id: fc.integer({ min: 1, max: 12 }),
    revueId: fc.integer({ min: 1, max: 3 }),
    numero: fc.constantFrom('1', '12', 'HS 3'),
    date: fc.constantFrom(null, '2024', '2024-05', '2024-05-01', '2025'),
    coverUrl: fc.constant(null),
    couverture: fc.constant(null),
    une: fc.option(word),
    resume: fc.option(word),
    themes: fc.uniqueArray(fc.constantFrom('Mer', 'Été', '?'), { maxLength: 2 }),
    articles: fc.array(word, { maxLength: 2 }),
  });
  const change = fc.oneof(
    { weight: 4, arbitrary: numero },
    {
      weight: 1,
      arbitrary: fc.record({
        id: fc.integer({ min: 1, max: 12 }),
        _deleted: fc.constant(true as const),
      }),
    },
  );
  const titres = fc.array(fc.constantFrom('Cahiers', 'Mer', 'Zoom'), {
    minLength: 3,
    maxLength: 3,
  });
  const recherche = fc.constantFrom('', 'mer', 'MERE', 'hs 3', 'mer ete', 'zoom 12', '?', 'e');
  const theme = fc.constantFrom('', 'MER', 'ete', '?', '!');
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 20, size: 'max' }),
      titres,
      recherche,
      theme,
      (changes, titres, recherche, theme) => {
        const numeroIndex = new NumeroIndex();
        const all = new Map<number, Numero>();
        for (const each of changes) {
          numeroIndex.applyNumeros([each]);
          if ('_deleted' in each) all.delete(each.id);
          else all.set(each.id, each);
        }
        numeroIndex.applyRevues(
          titres.map((titre, index) => ({ id: index + 1, titre, issn: null, secondIssn: null })),
        );
        const expected = [...all.values()]
          .filter((n) => {
            const champs = [
              titres[n.revueId - 1],
              n.numero,
              n.une,
              n.resume,
              ...n.themes,
              ...n.articles,
            ];
            const texts = champs.map((champ) => normaliser(champ ?? ''));
            const words = normaliser(recherche).split(' ');
            return (
              words.every((word) => texts.some((text) => text.includes(word))) &&
              (theme === '' ||
                n.themes.some((t) =>
                  normaliser(t) === '' ? t === theme : normaliser(t) === normaliser(theme),
                ))
            );
          })
          .sort((a, b) => {
            const [x, y] = [a.date ?? '', b.date ?? ''];
            return x === y ? a.id - b.id : x < y ? 1 : -1;
          });
        expect(numeroIndex.search({ recherche, theme }).map(({ id }) => id)).toEqual(
          expected.map(({ id }) => id),
        );
      },
    ),
    cases(),
  );
});
