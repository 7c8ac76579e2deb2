import { describe, expect, test } from 'vitest';
import type { Selection, SelectionLue } from '#shared/selections';
import { importInto, download } from '../export/support.ts';
import { WHOLE_CRITERES } from '../support/entries.ts';
import { openHouse, type Answer, type House } from '../support/house.ts';
import { documentsOf } from '../support/replication.ts';

type Who = 'ana' | 'bob' | null;

const garder = (house: House, who: Who, nom: string, rest: object = {}): Promise<Answer> =>
  house.ask(who, 'POST', '/api/selections', { nom, criteres: { theme: nom }, ...rest });

/** The selections as devices have them. */
const read = async (house: House, who: Who): Promise<Selection[]> =>
  ((await house.ask(who, 'GET', '/api/selections')).body as SelectionLue[]).map(
    ({ inconnus: _, ...selection }) => selection,
  );

/** « Polars (maison) ». */
const names = async (house: House, who: Who): Promise<string[]> =>
  (await read(house, who)).map(({ nom, partagee }) => (partagee ? `${nom} (maison)` : nom));

const codeOf = ({ status, body }: Answer): unknown[] => {
  const { code, champs } = body as { code?: string; champs?: { champ: string }[] };
  return [status, code, ...(champs ?? []).map(({ champ }) => champ)];
};

const undo = (house: House, who: Who, { headers }: Answer): Promise<Answer> =>
  house.ask(who, 'POST', `/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`);

describe('a selection', () => {
  test('is stored as given, private or shared', async () => {
    const house = await openHouse();
    const response = await garder(house, 'ana', ' À lire\ncet été ', {
      criteres: { ...WHOLE_CRITERES, theme: ' Mer ', editeur: '' },
      accueil: true,
    });
    const { editeur: _, ...criteres } = WHOLE_CRITERES;
    const selection = {
      id: 1,
      nom: 'À lire cet été',
      criteres: { ...criteres, theme: 'Mer' },
      livres: null,
      partagee: false,
      accueil: true,
      rang: 0,
    };
    const inconnus = ['Mer', WHOLE_CRITERES.detail, WHOLE_CRITERES.emplacement];
    expect([response.status, response.body]).toEqual([201, { ...selection, inconnus }]);
    expect((await garder(house, 'bob', 'Polars', { partagee: true })).status).toBe(201);
    expect((await garder(house, null, 'Nuit', { partagee: true })).status).toBe(201);
    expect(await names(house, 'ana')).toEqual([
      'À lire cet été',
      'Polars (maison)',
      'Nuit (maison)',
    ]);
    expect(await names(house, 'bob')).toEqual(['Polars (maison)', 'Nuit (maison)']);
    expect(await names(house, null)).toEqual(['Polars (maison)', 'Nuit (maison)']);
    expect(await documentsOf(house, 'ana', 'selections')).toEqual(await read(house, 'ana'));
    expect(await documentsOf(house, 'bob', 'selections')).toEqual(await read(house, 'bob'));
  });

  test('keeps an unknown criterion, and refuses an invalid one', async () => {
    const house = await openHouse();
    const invalid = (champ: string) => [400, 'REQUETE_INVALIDE', champ];
    for (const [name, saisie, expected] of [
      ['without criteria', { criteres: {} }, invalid('criteres')],
      ['of empty criteria', { criteres: { theme: ' ' } }, invalid('criteres')],
      ['of a list', { criteres: ['theme'] }, invalid('criteres')],
      ['of no such value', { criteres: { format: 'Cire' } }, invalid('criteres.format')],
      ['of no such status', { criteres: { statut: '9' } }, invalid('criteres.statut')],
      ['of no such order', { criteres: { tri: 'hasard' } }, invalid('criteres.tri')],
      ['of a number', { criteres: { demain: 3 } }, invalid('criteres.demain')],
      ['of criteria within', { criteres: { demain: { theme: 'a' } } }, invalid('criteres.demain')],
      ['of a long text', { criteres: { demain: 'a'.repeat(501) } }, invalid('criteres.demain')],
      [
        'of a long word',
        { criteres: { recherche: 'a'.repeat(501) } },
        invalid('criteres.recherche'),
      ],
      ['of an import', { criteres: { importation: '1' } }, invalid('criteres')],
      ['of a page', { criteres: { limite: '5' } }, invalid('criteres')],
      ['of a strange name', { criteres: { 'a"b': 'c' } }, invalid('criteres')],
      [
        'of many',
        {
          criteres: Object.fromEntries(
            Array.from('abcdefghijklmnopqrstuvwxyzabcdefghi', (a, i) => [a + 'A'.repeat(i), 'x']),
          ),
        },
        invalid('criteres'),
      ],
      ['without a name', { nom: ' ' }, invalid('nom')],
      ['of a long name', { nom: 'a'.repeat(201) }, invalid('nom')],
    ] as const)
      expect(codeOf(await garder(house, 'ana', 'A', saisie)), name).toEqual(expected);
    const response = await garder(house, 'ana', 'A', {
      criteres: { demain: 'oui', encore: false },
    });
    expect(response.body).toMatchObject({ criteres: { demain: 'oui', encore: false } });
    expect(await names(house, 'ana')).toEqual(['A']);
  });

  test('has a unique name ignoring case, and their number is limited', async () => {
    const house = await openHouse();
    await garder(house, 'ana', 'Polars');
    const there = [409, 'SELECTION_EXISTANTE'];
    expect(codeOf(await garder(house, 'ana', 'POLARS !'))).toEqual(there);
    expect((await garder(house, 'bob', 'Polars')).status).toBe(201);
    expect((await garder(house, 'bob', 'Polars', { partagee: true })).status).toBe(201);
    const payload = { nom: 'Polars', criteres: { theme: 'Noir' }, partagee: true };
    expect(codeOf(await house.ask('ana', 'PUT', '/api/selections/1', payload))).toEqual(there);
    for (let index = 1; index < 200; index++) await garder(house, 'ana', `A ${index}`);
    expect(await garder(house, 'ana', 'De trop')).toMatchObject({
      status: 409,
      body: { code: 'SELECTIONS_TROP_NOMBREUSES', maximum: 200 },
    });
  });

  test('of one reader is hidden from others', async () => {
    const house = await openHouse();
    const response = await garder(house, 'ana', 'Secret');
    const saisie = { nom: 'Lu', criteres: { theme: 'a' } };
    for (const who of ['bob', null] as const) {
      expect((await house.ask(who, 'PUT', '/api/selections/1', saisie)).status).toBe(404);
      expect((await house.ask(who, 'DELETE', '/api/selections/1')).status).toBe(404);
      expect((await undo(house, who, response)).status).toBe(404);
      const { body } = await house.ask(who, 'GET', '/api/modifications');
      expect(JSON.stringify(body)).not.toContain('Secret');
    }
    expect(codeOf(await garder(house, null, 'Nuit'))).toEqual([401, 'IDENTITE_INCONNUE']);
    expect(await names(house, 'ana')).toEqual(['Secret']);
  });
});

describe('a search shared with the household', () => {
  test('keeps its id, can be changed by everybody, and stays shared', async () => {
    const house = await openHouse();
    await garder(house, 'bob', 'Nuit', { partagee: true });
    await garder(house, 'ana', 'Polars');
    const [, mine] = [1, 2];
    const edit = await house.ask('ana', 'PUT', `/api/selections/${mine}`, {
      nom: 'Polars du salon',
      criteres: { theme: 'Polar' },
      partagee: true,
    });
    expect(edit.body).toMatchObject({ id: mine, partagee: true, rang: 1 });
    expect(await names(house, 'bob')).toEqual(['Nuit (maison)', 'Polars du salon (maison)']);
    for (const who of ['ana', 'bob', null] as const)
      expect(await documentsOf(house, who, 'selections')).toEqual(await read(house, who));
    const { body } = await house.ask('bob', 'GET', '/api/modifications');
    expect(body).toMatchObject([
      { resume: 'Recherche partagée avec la maison : Polars du salon' },
      { resume: 'Recherche enregistrée : Nuit' },
    ]);
    const changed = { nom: 'Polars', criteres: { theme: 'Noir' } };
    const answer = await house.ask('bob', 'PUT', `/api/selections/${mine}`, changed);
    expect(answer.body).toMatchObject({ nom: 'Polars', partagee: true });
    const back = { ...changed, partagee: false };
    expect(codeOf(await house.ask('bob', 'PUT', `/api/selections/${mine}`, back))).toEqual([
      409,
      'SELECTION_DE_LA_MAISON',
    ]);
  });

  test('can be taken back by its giver only', async () => {
    const house = await openHouse();
    await garder(house, 'ana', 'Polars');
    const saisie = { nom: 'Polars', criteres: { theme: 'Polars' }, partagee: true };
    const edit = await house.ask('ana', 'PUT', '/api/selections/1', saisie);
    expect(codeOf(await undo(house, 'bob', edit))).toEqual([409, 'ANNULATION_IMPOSSIBLE']);
    expect(await names(house, 'bob')).toEqual(['Polars (maison)']);
    const undone = await undo(house, 'ana', edit);
    expect(undone.status).toBe(201);
    expect(await names(house, 'bob')).toEqual([]);
    expect(await names(house, 'ana')).toEqual(['Polars']);
    for (const who of ['ana', 'bob'] as const)
      expect(await documentsOf(house, who, 'selections')).toEqual(await read(house, who));
    expect((await undo(house, 'ana', undone)).status).toBe(201);
    expect(await names(house, 'bob')).toEqual(['Polars (maison)']);
  });
});

test('each list is arranged by itself, and a deletion taken back finds its place', async () => {
  const house = await openHouse();
  for (const nom of ['A', 'B', 'C']) await garder(house, 'ana', nom);
  for (const nom of ['X', 'Y']) await garder(house, 'bob', nom, { partagee: true });
  const order = (ids: readonly number[], who: Who = 'ana') =>
    house.ask(who, 'PUT', '/api/selections/ordre', { ids });
  expect((await order([3, 1, 2])).status).toBe(200);
  expect((await order([5, 4])).status).toBe(200);
  const all = ['C', 'A', 'B', 'Y (maison)', 'X (maison)'];
  expect(await names(house, 'ana')).toEqual(all);
  for (const ids of [[3, 1], [3, 1, 2, 4, 5], [3, 3, 1], [9], [1, 2, 4]])
    expect(codeOf(await order(ids)), String(ids)).toEqual([409, 'LISTE_PERIMEE']);
  expect(codeOf(await order([1, 2, 3], 'bob'))).toEqual([409, 'LISTE_PERIMEE']);
  const deletion = await house.ask('ana', 'DELETE', '/api/selections/1');
  expect(deletion.status).toBe(204);
  expect(await names(house, 'ana')).toEqual(all.filter((nom) => nom !== 'A'));
  await undo(house, 'ana', deletion);
  expect(await names(house, 'ana')).toEqual(all);
});

test('an archive brings selections back once, where their locations stand now', async () => {
  const house = await openHouse();
  for (const nom of ['Cave', 'Salon']) await house.ask('ana', 'POST', '/api/emplacements', { nom });
  await garder(house, 'ana', 'Salon', { criteres: { emplacement: '2' } });
  await garder(house, 'ana', 'Nulle part', { criteres: { emplacement: 'aucun' } });
  await garder(house, 'bob', 'Secret');
  await garder(house, 'bob', 'Polars', { partagee: true, accueil: true });
  const { bytes } = await download(house, '/api/export.zip');
  const other = await openHouse();
  await other.ask('ana', 'POST', '/api/emplacements', { nom: 'Salon' });
  await garder(other, 'ana', 'polars', { partagee: true });
  const { body } = await importInto(other, bytes);
  expect(await read(other, 'ana')).toMatchObject([
    { nom: 'Salon', criteres: { emplacement: '1' }, partagee: false },
    { nom: 'Nulle part', criteres: { emplacement: 'aucun' } },
    { nom: 'polars', partagee: true, accueil: false },
  ]);
  await importInto(other, bytes);
  expect(await names(other, 'ana')).toEqual(['Salon', 'Nulle part', 'polars (maison)']);
  await other.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
  expect(await names(other, 'ana')).toEqual(['polars (maison)']);
});
