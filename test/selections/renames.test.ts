import { expect, test, vi } from 'vitest';
import type { CriteresGardes, SelectionLue } from '#shared/selections';
import { openHouse, type Answer, type House } from '../support/house.ts';
import { documentsOf } from '../support/replication.ts';

const DETAIL = { nom: 'Traduction', valeur: 'Lise: Marchand' };

/** A book with a theme, a detail and a location, and saved searches of Ana and of the household. */
async function household(criteres: readonly CriteresGardes[]): Promise<House> {
  const house = await openHouse();
  await house.ask('bob', 'POST', '/api/emplacements', { nom: 'Salon' });
  await house.ask('bob', 'POST', '/api/livres', {
    titre: 'Escales',
    format: 'Physique',
    auteurs: ['Jean Anouilh'],
    themes: ['Mer'],
    details: [DETAIL],
    editeur: 'Gallimard',
    emplacementId: 1,
  });
  for (const [index, one] of criteres.entries())
    for (const partagee of [false, true])
      await house.ask('ana', 'POST', '/api/selections', {
        nom: `S${String(index)}`,
        criteres: one,
        partagee,
      });
  return house;
}

const selections = async (house: House, who: string | null = 'ana'): Promise<SelectionLue[]> =>
  (await house.ask(who, 'GET', '/api/selections')).body as SelectionLue[];

const criteres = async (house: House): Promise<CriteresGardes[]> =>
  (await selections(house)).map((one) => one.criteres).filter((one) => one !== null);

const undo = (house: House, who: string, { headers }: Answer): Promise<Answer> =>
  house.ask(who, 'POST', `/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`);

const renameTheme = (house: House, nom: string, id = 1) =>
  house.ask('bob', 'PUT', `/api/themes/${String(id)}`, { nom });

const RENAMES: readonly [
  string,
  CriteresGardes,
  (house: House) => Promise<Answer>,
  CriteresGardes,
][] = [
  [
    'theme',
    { theme: 'MER', tri: 'titre' },
    (house) => renameTheme(house, 'Océan'),
    { theme: 'Océan', tri: 'titre' },
  ],
  [
    'theme that is searched',
    { recherche: 'mer' },
    (house) => renameTheme(house, 'Océan'),
    { recherche: 'Océan' },
  ],
  [
    'detail with a value',
    { detail: 'traduction:Lise: Marchand' },
    (house) =>
      house.ask('bob', 'PUT', '/api/details', { nom: 'Traduction', nouveau: 'Traduit par' }),
    { detail: 'Traduit par:Lise: Marchand' },
  ],
  [
    'detail alone',
    { detail: 'Traduction' },
    (house) =>
      house.ask('bob', 'PUT', '/api/details', { nom: 'Traduction', nouveau: 'Traduit par' }),
    { detail: 'Traduit par' },
  ],
  [
    'author',
    { recherche: 'jean anouilh', format: 'Physique' },
    (house) => house.ask('bob', 'PUT', '/api/auteurs/1', { nom: 'J.-P. Anouilh' }),
    { recherche: 'J.-P. Anouilh', format: 'Physique' },
  ],
];

test.each(RENAMES)(
  'a renamed %s is followed by the searches of all, and back',
  async (_, before, rename, after) => {
    const house = await household([before]);
    const renaming = await rename(house);
    expect(renaming.status).toBe(200);
    expect(await criteres(house)).toEqual([after, after]);
    expect(
      (await documentsOf(house, 'ana', 'selections')).map((one): unknown =>
        Reflect.get(one, 'criteres'),
      ),
    ).toEqual([after, after]);
    for (const { inconnus } of await selections(house)) expect(inconnus).toEqual([]);
    // Other people's saved searches do not prevent the undo.
    const undoing = await undo(house, 'bob', renaming);
    expect(undoing.status).toBe(201);
    expect(await criteres(house)).toEqual([before, before]);
    expect((await undo(house, 'bob', undoing)).status).toBe(201);
    expect(await criteres(house)).toEqual([after, after]);
  },
);

test('a search finds the same books after a rename', async () => {
  const house = await household([{ theme: 'Mer' }]);
  await renameTheme(house, 'Océan');
  const [one] = await criteres(house);
  const query = new URLSearchParams(Object.entries(one ?? {}).map(([k, v]) => [k, String(v)]));
  expect((await house.ask('ana', 'GET', `/api/livres?${query.toString()}`)).body).toHaveLength(1);
});

test('two themes that become one are one in the searches, and two again', async () => {
  const house = await household([{ theme: 'Mer' }, { theme: 'Océan' }]);
  await house.ask('bob', 'POST', '/api/livres', {
    titre: 'Sido',
    format: 'Physique',
    themes: ['Océan'],
  });
  const joining = await renameTheme(house, 'Océan', 1);
  const themes = async () => (await criteres(house)).map(({ theme }) => theme).sort();
  expect(await themes()).toEqual(['Océan', 'Océan', 'Océan', 'Océan']);
  await undo(house, 'bob', joining);
  expect(await themes()).toEqual(['Mer', 'Mer', 'Océan', 'Océan']);
});

test('an author’s own changes after a rename are theirs, and undone by them', async () => {
  const house = await household([{ theme: 'Mer' }]);
  const renaming = await renameTheme(house, 'Océan');
  const edit = await house.ask('ana', 'PUT', '/api/selections/1', {
    nom: 'S0',
    criteres: { theme: 'Océan', format: 'Physique' },
  });
  await undo(house, 'bob', renaming);
  expect((await criteres(house))[0]).toEqual({ theme: 'Océan', format: 'Physique' });
  expect((await undo(house, 'ana', edit)).status).toBe(201);
  expect((await criteres(house))[0]).toEqual({ theme: 'Mer' });
});

test('a deleted name is reported', async () => {
  const house = await household([
    { theme: 'Mer', detail: 'Traduction:Lise', emplacement: '1', editeur: 'GALLIMARD' },
    { emplacement: 'aucun' },
  ]);
  const inconnus = async () => (await selections(house)).map((one) => one.inconnus);
  expect(await inconnus()).toEqual([[], [], [], []]);
  await house.ask('bob', 'DELETE', '/api/livres/1');
  await house.ask('bob', 'DELETE', '/api/emplacements/1');
  const deleted = ['Mer', 'Traduction:Lise', '1', 'GALLIMARD'];
  expect(await inconnus()).toEqual([deleted, [], deleted, []]);
});

test('the books are read once for all searches', async () => {
  const house = await household([
    { detail: 'Traduction:Lise', editeur: 'Gallimard' },
    { detail: 'Prix:12', editeur: 'Rivages' },
  ]);
  const values = vi.spyOn(house.context.database, 'values');
  expect(await selections(house)).toHaveLength(4);
  const read = values.mock.calls.flatMap(
    ([sql]) => /json_each\(l\.details\)|editeur/.exec(sql) ?? [],
  );
  expect(read.sort()).toEqual(['editeur', 'json_each(l.details)']);
});
