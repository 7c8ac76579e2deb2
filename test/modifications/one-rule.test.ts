import { expect, test } from 'vitest';
import type { ModificationDocument } from '#shared/modifications';
import type { Serie } from '#shared/series';
import { atLeastOne } from '../support/at-least-one.ts';
import type { House } from '../support/house.ts';
import { householdRows } from './support/household.ts';
import {
  act,
  houseOf,
  livre,
  LIVRES,
  obstaclesTo,
  undoAct,
  type Request,
} from './support/requests.ts';

const ask = (house: House, method: string, path: string, body?: object) =>
  house.ask('ana', method, path, body);

async function imports(house: House, file: string): Promise<string> {
  const response = await fetch(`${house.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: { ...house.headersOf('ana'), 'Content-Type': 'text/csv' },
    body: file,
  });
  return `/api/importations/${String(((await response.json()) as { id: number }).id)}`;
}

const numero = (...themes: string[]) => ({
  revue: { titre: 'Rives' },
  numero: { numero: '1', themes },
});

const titres = async (house: House): Promise<string[]> =>
  ((await ask(house, 'GET', '/api/series/1')).body as Serie).places.map(({ titre }) => titre);

const placeOf = (titre: string) => ({ titre });

const DUNE = ['Dune', 'Frank Herbert'] as const;

const GORKI: Request[] = [
  ['POST', LIVRES, livre('Enfance', 'Maxime Gorki')],
  ['POST', LIVRES, livre('La Mère', 'Maksim Gorki')],
];
const MERGE: Request = ['POST', '/api/auteurs/fusions', { auteurs: [1, 2] }];

test.each<[string, Request[], Request, Request]>([
  ['the book of the author who went', GORKI, MERGE, ['DELETE', '/api/livres/2']],
  ['the book of the author who stayed', GORKI, MERGE, ['DELETE', '/api/livres/1']],
  [
    'all their books',
    GORKI,
    MERGE,
    ['POST', '/api/livres/lot', { ids: [1, 2], action: 'supprimer' }],
  ],
  [
    'a book of both',
    [['POST', LIVRES, livre('À deux', 'Anna Ève', 'Maxime Gorki', 'Maksim Gorki', 'Luc')]],
    ['POST', '/api/auteurs/fusions', { auteurs: [2, 3] }],
    ['DELETE', '/api/livres/1'],
  ],
  [
    'the book of an initials form that an addition took in',
    [['POST', LIVRES, livre('Un', 'J. Martin')]],
    ['POST', LIVRES, livre('Deux', 'Jean Martin')],
    ['DELETE', '/api/livres/1'],
  ],
  [
    'an issue whose themes were changed',
    [['POST', '/api/revues/numeros', numero('Mer', 'Nord')]],
    ['PUT', '/api/numeros/1', numero('Sud', 'Mer').numero],
    ['DELETE', '/api/numeros/1'],
  ],
])('names of %s return in either order', async (_, before, first, second) => {
  for (const isInOrder of [true, false]) {
    const house = await houseOf(...before);
    const { database } = house.context;
    const start = householdRows(database);
    const one = await act(house, ...first);
    const between = householdRows(database);
    const two = await act(house, ...second);
    const end = householdRows(database);
    const undone: string[] = [];
    for (const id of isInOrder ? [one, two] : [two, one]) undone.push(await undoAct(house, id));
    expect(householdRows(database)).toEqual(start);
    // Undo the undoing, the newest first.
    const [oneBack = '', twoBack = ''] = undone;
    await undoAct(house, twoBack);
    await undoAct(house, oneBack);
    expect(householdRows(database)).toEqual(end);
    await undoAct(house, two);
    expect(householdRows(database)).toEqual(between);
    await undoAct(house, one);
    expect(householdRows(database)).toEqual(start);
  }
});

test('a merge undone and redone finds the deleted book merged', async () => {
  const house = await houseOf(...GORKI);
  const { database } = house.context;
  const merge = await act(house, ...MERGE);
  const merged = householdRows(database);
  const removal = await act(house, 'DELETE', '/api/livres/2');
  await undoAct(house, await undoAct(house, merge));
  await undoAct(house, removal);
  expect(householdRows(database)).toEqual(merged);
});

test('a deleted book’s later authors are obstacles to undoing a merge', async () => {
  const house = await houseOf(...GORKI);
  const merge = await act(house, ...MERGE);
  const edited = await act(house, 'PUT', '/api/livres/2', livre('La Mère', 'Luc', 'Maxime Gorki'));
  await act(house, 'DELETE', '/api/livres/2');
  expect(await obstaclesTo(house, merge)).toEqual([edited]);
});

test('an undone merge mentions no deleted book', async () => {
  const house = await houseOf(...GORKI);
  const merge = await act(house, ...MERGE);
  await act(house, 'DELETE', '/api/livres/2');
  const { body } = await ask(house, 'GET', `/api/modifications/${await undoAct(house, merge)}`);
  expect((body as ModificationDocument).fiches.map(({ titre }) => titre)).not.toContain('');
});

test('an addition is undone together with a later merge', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Enfance', 'Maxime Gorki')]);
  const before = householdRows(house.context.database);
  const addition = await act(house, 'POST', LIVRES, livre('La Mère', 'Maksim Gorki'));
  const merge = await act(house, 'POST', '/api/auteurs/fusions', { auteurs: [1, 2] });
  expect(await obstaclesTo(house, addition)).toEqual([merge]);
  await undoAct(house, addition, '?avec=obstacles');
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a merged author is restored with the book that needs him', async () => {
  const house = await houseOf(
    ['POST', LIVRES, livre('Enfance', 'Maxime Gorki')],
    ['POST', LIVRES, livre('La Mère', 'Maksim Gorki')],
    ['POST', LIVRES, livre('Les Bas-fonds', 'Maksim Gorki')],
  );
  const removal = await act(house, 'DELETE', '/api/livres/2');
  await act(house, 'POST', '/api/auteurs/fusions', { auteurs: [1, 2] });
  await undoAct(house, removal);
  const { body } = await ask(house, 'GET', '/api/auteurs');
  expect(
    (body as { nombreLivres: number }[]).map(({ nombreLivres }) => nombreLivres).sort(),
  ).toEqual([1, 2]);
});

test('(a) positions renumbered by an import are no obstacle', async () => {
  const house = await houseOf([
    'POST',
    '/api/series',
    {
      titre: 'Dune',
      places: [
        { titre: 'Un', numero: '1' },
        { titre: 'Deux', numero: '2' },
      ],
    },
  ]);
  const places = [
    { id: 2, titre: 'Deux', numero: '2' },
    { id: 1, titre: 'Un', numero: '1' },
  ];
  const edited = await act(house, 'PUT', '/api/series/1', { titre: 'Dune', places });
  const file = 'Titre;Auteurs;Série;Numéro\nTrois;Frank Herbert;Dune;3';
  const importation = await imports(house, file);
  expect((await ask(house, 'DELETE', importation)).status).toBe(200);
  await undoAct(house, edited);
  expect(await titres(house)).toEqual(['Un', 'Deux']);
});

test.each<[string, Request[], Request, Request]>([
  [
    'a place is given another book, and its first book deleted',
    [
      ['POST', LIVRES, livre(...DUNE)],
      ['POST', LIVRES, livre('Arrakis')],
      ['POST', '/api/series', { titre: 'Dune', places: [{ titre: 'Un', livreId: 1 }] }],
    ],
    ['PUT', '/api/places/1/livre', { livreId: 2 }],
    ['DELETE', '/api/livres/1'],
  ],
  [
    'a series is moved into another one, which is deleted',
    [
      ['POST', '/api/series', { titre: 'Dedans' }],
      ['POST', '/api/series', { titre: 'Cycle' }],
    ],
    ['PUT', '/api/series/1', { titre: 'Dedans', parentId: 2 }],
    ['DELETE', '/api/series/2'],
  ],
])('(b) %s: an undoing out of turn rewrites no later act', async (_, before, first, second) => {
  const house = await houseOf(...before);
  const rows = householdRows(house.context.database);
  const one = await act(house, ...first);
  const two = await act(house, ...second);
  const after = householdRows(house.context.database);
  expect(await obstaclesTo(house, one)).toEqual([two]);
  const both = await undoAct(house, one, '?avec=obstacles');
  expect(householdRows(house.context.database)).toEqual(rows);
  await undoAct(house, both);
  expect(householdRows(house.context.database)).toEqual(after);
  for (const id of [two, one]) await undoAct(house, id);
  expect(householdRows(house.context.database)).toEqual(rows);
});

test('(b) a wish finds its place once the series returns', async () => {
  const house = await houseOf([
    'POST',
    '/api/series',
    { titre: 'Dune', places: [{ titre: 'Un' }] },
  ]);
  const wish = await act(house, 'POST', '/api/places/1/souhait');
  const before = householdRows(house.context.database);
  const removal = await act(house, 'DELETE', '/api/series/1');
  await undoAct(house, await undoAct(house, wish));
  await undoAct(house, removal);
  expect(householdRows(house.context.database)).toEqual(before);
});

test.each<[string, Request[], string, (ids: number[]) => object, string, string]>([
  [
    'wishes',
    ['A', 'B', 'C'].map((titre): Request => ['POST', '/api/souhaits', { titre }]),
    '/api/souhaits/ordre',
    (ids) => ({ ids }),
    '/api/souhaits',
    'titre',
  ],
  [
    'locations',
    ['A', 'B', 'C'].map((nom): Request => ['POST', '/api/emplacements', { nom }]),
    '/api/emplacements/ordre',
    (ids) => ({ ids }),
    '/api/emplacements',
    'nom',
  ],
  [
    'places',
    [['POST', '/api/series', { titre: 'S', places: ['A', 'B', 'C'].map((titre) => ({ titre })) }]],
    '/api/series/1/ordre',
    (ids) => ({ elements: ids.map((place) => ({ place })) }),
    '/api/series/1',
    'titre',
  ],
])('(d) %s that were put in order twice are undone in any order', async (...story) => {
  const [, before, path, bodyOf, list, name] = story;
  const house = await houseOf(...before);
  const names = async () => {
    const { body } = await ask(house, 'GET', list);
    const rows = Array.isArray(body) ? body : (body as Serie).places;
    return rows.map((row: object) => String(Reflect.get(row, name))).join('');
  };
  const first = await act(house, 'PUT', path, bodyOf([3, 1, 2]));
  const second = await act(house, 'PUT', path, bodyOf([3, 2, 1]));
  const undone = await undoAct(house, first);
  // C returns to its place after B, which is still in the list.
  expect(await names()).toBe('BCA');
  await undoAct(house, undone);
  expect(await names()).toBe('CBA');
  for (const id of [second, first]) await undoAct(house, id);
  expect(await names()).toBe('ABC');
});

/** Lists of A, B, C and D, to which E is added later. A to D are deleted one by one. */
const LISTS: Readonly<Record<string, readonly [before: Request[], list: string, add: Request]>> = {
  wishes: [
    ['A', 'B', 'C', 'D'].map((titre) => ['POST', '/api/souhaits', { titre }]),
    '/api/souhaits',
    ['POST', '/api/souhaits', { titre: 'E' }],
  ],
  locations: [
    ['A', 'B', 'C', 'D'].map((nom) => ['POST', '/api/emplacements', { nom }]),
    '/api/emplacements',
    ['POST', '/api/emplacements', { nom: 'E' }],
  ],
  places: [
    [['POST', '/api/series', { titre: 'S', places: ['A', 'B', 'C', 'D'].map(placeOf) }]],
    '/api/series/1',
    ['POST', LIVRES, { ...livre('E'), place: { serie: { id: 1 } } }],
  ],
};

test.each(
  Object.entries(LISTS).flatMap(([what, list]) =>
    [
      ['A B C D', 'A C B D'],
      ['B A C D', 'C B A D'],
      ['D C B A', 'A C D B'],
      ['C D B', 'D C B'],
      ['C B D', 'B D C'],
    ].map(([order = '', back = '']) => [what, order, back, list] as const),
  ),
)('%s deleted as %s come back as %s between neighbours', async (_, order, back, list) => {
  const [before, path, add] = list;
  const house = await houseOf(...before);
  const elements = async (): Promise<{ id: number; name: string }[]> => {
    const { body } = await ask(house, 'GET', path);
    const rows = Array.isArray(body) ? (body as object[]) : (body as Serie).places;
    return rows.map((row) => ({
      id: Number(Reflect.get(row, 'id')),
      name: String(Reflect.get(row, 'titre') ?? Reflect.get(row, 'nom')),
    }));
  };
  const removals = new Map<string, string>();
  for (const name of order.split(' ')) {
    const present = await elements();
    const id = present.find((one) => one.name === name)?.id ?? 0;
    const removal: Request = path.startsWith('/api/series')
      ? [
          'PUT',
          path,
          {
            titre: 'S',
            places: present.flatMap((one) =>
              one.id === id ? [] : [{ id: one.id, titre: one.name }],
            ),
          },
        ]
      : ['DELETE', `${path}/${String(id)}`];
    removals.set(name, await act(house, ...removal));
  }
  await act(house, ...add);
  for (const name of atLeastOne(back.split(' '))) {
    await undoAct(house, removals.get(name) ?? '');
    const names = (await elements()).map((one) => one.name);
    expect(names.filter((one) => one !== 'E')).toEqual(names.filter((one) => one !== 'E').sort());
  }
  // If every element was deleted, E has no neighbour that tells its place among the restored ones.
  const names = (await elements()).map((one) => one.name).join('');
  const hasStayed = order.length < 7;
  expect(hasStayed ? names : names.replace('E', '')).toBe(hasStayed ? 'ABCDE' : 'ABCD');
});

test('an undo with obstacles hides private data', async () => {
  const house = await houseOf([
    'POST',
    '/api/series',
    { titre: 'Dune', places: [{ titre: 'Un' }] },
  ]);
  const wish = await act(house, 'POST', '/api/souhaits', { titre: 'Secret' });
  await act(house, 'POST', '/api/souhaits/1/achat', {});
  const bought = await undoAct(house, wish, '?avec=obstacles');
  const { body } = await house.ask('bob', 'GET', `/api/modifications/${bought}`);
  expect(body).toMatchObject({ resume: 'L’ajout est annulé, avec une autre action.' });
  expect(JSON.stringify((await house.ask('bob', 'GET', '/api/modifications')).body)).not.toMatch(
    /« Secret »/,
  );
});

test('acts on different fields of a book do not conflict', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido')]);
  const year = await act(house, 'PUT', '/api/livres/1', { ...livre('Sido'), annee: 1929 });
  const pages = await act(house, 'PUT', '/api/livres/1', {
    ...livre('Sido'),
    annee: 1929,
    nombrePages: 90,
  });
  await undoAct(house, year);
  expect((await ask(house, 'GET', '/api/livres/1')).body).toMatchObject({
    annee: null,
    nombrePages: 90,
  });
  await undoAct(house, pages);
});

test('acts undone together without effect can be done again', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Willy')]);
  const before = householdRows(house.context.database);
  const edited = await act(house, 'PUT', '/api/livres/1', livre('Sido', 'Colette'));
  const undone = await undoAct(house, edited);
  const redone = await undoAct(house, undone);
  const again = await undoAct(house, edited);
  const both = await undoAct(house, redone, '?avec=obstacles');
  expect(householdRows(house.context.database)).toEqual(before);
  for (const id of [both, again]) await undoAct(house, id);
});

test('a rename is undone together with additions under the name', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette')]);
  const renamed = await act(house, 'PUT', '/api/auteurs/1', { nom: 'Willy' });
  const first = await act(house, 'POST', LIVRES, livre('Chéri', 'Colette'));
  const second = await act(house, 'POST', LIVRES, livre('Gigi', 'Colette'));
  expect(await obstaclesTo(house, renamed)).toEqual([second, first]);
  await undoAct(house, renamed, '?avec=obstacles');
  const { body } = await ask(house, 'GET', '/api/livres/1');
  expect(body).toMatchObject({ auteurs: [{ id: 1, nom: 'Colette' }] });
});
