import { describe, expect, test } from 'vitest';
import type { SelectionLue } from '#shared/selections';
import { download, importInto } from '../export/support.ts';
import { openHouse, type Answer, type House } from '../support/house.ts';
import { documentsOf } from '../support/replication.ts';

// Lists of books made by hand (docs/rules.md § 62).

type Who = 'ana' | 'bob' | null;

const TITRES = ['Dune', 'Sido', 'Gigi', 'Nadja', 'Ubu'];

async function houseOfLivres(): Promise<House> {
  const house = await openHouse();
  for (const titre of TITRES)
    await house.ask('bob', 'POST', '/api/livres', { titre, format: 'Physique' });
  return house;
}

const lister = (house: House, who: Who, nom: string, livres: number[], rest: object = {}) =>
  house.ask(who, 'POST', '/api/selections', { nom, livres, ...rest });

const read = async (house: House, who: Who): Promise<SelectionLue[]> =>
  (await house.ask(who, 'GET', '/api/selections')).body as SelectionLue[];

/** The books of a list, as the API and the devices have them. */
async function livres(house: House, who: Who = 'ana', nth = 0): Promise<unknown> {
  const selections = await read(house, who);
  const documents = await documentsOf(house, who, 'selections');
  expect(documents).toEqual(selections.map(({ inconnus: _, ...selection }) => selection));
  return selections[nth]?.livres;
}

const undo = (house: House, who: Who, { headers }: Answer): Promise<Answer> =>
  house.ask(who, 'POST', `/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`);

const put = (house: House, who: Who, ids: number[], id = 1) =>
  house.ask(who, 'PUT', `/api/selections/${id}/livres`, { ids });

const add = (house: House, who: Who, ids: number[], selection = 1) =>
  house.ask(who, 'POST', '/api/livres/lot', { action: 'liste', ids, selection });

const codeOf = ({ status, body }: Answer): unknown[] => {
  const { code, champs } = body as { code?: string; champs?: { champ: string; code: string }[] };
  return [status, code, ...(champs ?? []).flatMap((one) => [one.champ, one.code])];
};

const resumes = async (house: House, who: Who) =>
  ((await house.ask(who, 'GET', '/api/modifications')).body as { resume: string }[]).map(
    ({ resume }) => resume,
  );

describe('a list of books', () => {
  test('keeps its books in the order given, and is no search', async () => {
    const house = await houseOfLivres();
    const response = await lister(house, 'ana', 'Pour Tom', [3, 1, 3], { accueil: true });
    const list = {
      id: 1,
      nom: 'Pour Tom',
      criteres: null,
      livres: [3, 1],
      partagee: false,
      accueil: true,
      rang: 0,
      inconnus: [],
    };
    expect([response.status, response.body]).toEqual([201, list]);
    const changed = await put(house, 'ana', [1, 5, 3]);
    expect([changed.status, changed.body]).toEqual([200, { ...list, livres: [1, 5, 3] }]);
    // Renaming keeps the books.
    await house.ask('ana', 'PUT', '/api/selections/1', { nom: 'Pour Zoé' });
    expect(await livres(house)).toEqual([1, 5, 3]);
    expect(await livres(house, 'bob')).toBeUndefined();
    expect((await lister(house, 'ana', 'Vide', [])).status).toBe(201);
    expect(await livres(house, 'ana', 1)).toEqual([]);
    expect((await resumes(house, 'ana')).slice(0, 4)).toEqual([
      'Liste ajoutée\u00a0: Vide',
      'Liste modifiée\u00a0: Pour Zoé',
      '1 livre ajouté à la liste Pour Tom',
      'Liste ajoutée\u00a0: Pour Tom',
    ]);
  });

  test('refuses what is no list', async () => {
    const house = await houseOfLivres();
    await lister(house, 'ana', 'Pour Tom', [1]);
    await house.ask('ana', 'POST', '/api/selections', { nom: 'Mer', criteres: { theme: 'Mer' } });
    const many = Array.from({ length: 1001 }, (_, i) => i + 1);
    const send = (body: object, method: 'POST' | 'PUT' = 'POST', path = '/api/selections') =>
      house.ask('ana', method, path, { nom: 'A', ...body });
    const invalid = (...champ: string[]) => [400, 'REQUETE_INVALIDE', ...champ];
    expect(codeOf(await send({}))).toEqual(invalid('criteres', 'CRITERES_OU_LIVRES'));
    expect(codeOf(await send({ livres: [1], criteres: { theme: 'a' } }))).toEqual(
      invalid('criteres', 'CRITERES_OU_LIVRES'),
    );
    expect(codeOf(await send({ livres: [9] }))).toEqual(invalid('livres', 'PLUS_LA'));
    expect(codeOf(await send({ livres: many }))).toEqual(invalid('livres', 'TROP'));
    expect(codeOf(await send({ livres: ['a'] }))).toEqual(invalid('livres.0', 'TYPE'));
    expect(codeOf(await send({ criteres: { theme: 'a' } }, 'PUT', '/api/selections/1'))).toEqual(
      invalid('criteres', 'AUTRE_SELECTION'),
    );
    expect(codeOf(await send({ livres: [1] }, 'PUT', '/api/selections/2'))).toEqual(
      invalid('livres', 'AUTRE_SELECTION'),
    );
    expect(codeOf(await send({}, 'PUT', '/api/selections/2'))).toEqual(
      invalid('criteres', 'REQUIS'),
    );
    expect(codeOf(await put(house, 'ana', [1], 2))).toEqual(
      invalid('selection', 'AUTRE_SELECTION'),
    );
    expect(codeOf(await put(house, 'ana', [9]))).toEqual(invalid('ids', 'PLUS_LA'));
    expect(codeOf(await add(house, 'ana', [1], 2))).toEqual(
      invalid('selection', 'AUTRE_SELECTION'),
    );
    const without = { action: 'liste', ids: [1] };
    expect(codeOf(await house.ask('ana', 'POST', '/api/livres/lot', without))).toEqual(
      invalid('selection', 'POUR_ACTION'),
    );
    expect(await livres(house)).toEqual([1]);
  });

  test('of one reader is hidden from others', async () => {
    const house = await houseOfLivres();
    await lister(house, 'ana', 'Secret', [1]);
    for (const who of ['bob', null] as const) {
      expect((await put(house, who, [1])).status).toBe(404);
      expect((await add(house, who, [2])).status).toBe(404);
      expect(JSON.stringify(await resumes(house, who))).not.toContain('Secret');
    }
    expect(await livres(house)).toEqual([1]);
  });

  test('takes many books at once, each only once, at the end', async () => {
    const house = await houseOfLivres();
    await lister(house, 'ana', 'Pour Tom', [2]);
    const added = await add(house, 'ana', [5, 2, 1]);
    expect(added.status).toBe(200);
    expect(await livres(house)).toEqual([2, 5, 1]);
    expect((await resumes(house, 'ana'))[0]).toBe(
      '2 livres ajoutés à la liste Pour Tom · 1 inchangé',
    );
    expect((await undo(house, 'ana', added)).status).toBe(201);
    expect(await livres(house)).toEqual([2]);
  });

  test('has a thousand books at most', async () => {
    const house = await houseOfLivres();
    const rows = Array.from({ length: 1000 }, (_, i) => `Livre ${i};Auteur`).join('\n');
    await importInto(house, Buffer.from(`Titre;Auteur\n${rows}`));
    const found = (await house.ask('ana', 'GET', '/api/livres')).body as { id: number }[];
    const ids = found.map(({ id }) => id).filter((id) => id > 5);
    expect((await lister(house, 'ana', 'Pleine', ids)).status).toBe(201);
    expect(codeOf(await add(house, 'ana', [1]))).toEqual([
      400,
      'REQUETE_INVALIDE',
      'selection',
      'LISTE_PLEINE',
    ]);
  });
});

describe('a book that is deleted', () => {
  test('leaves the lists of all, and comes back with its undoing', async () => {
    const house = await houseOfLivres();
    await lister(house, 'ana', 'Pour Tom', [3, 1, 2]);
    await lister(house, null, 'Été', [2, 1], { partagee: true });
    const deletion = await house.ask('bob', 'DELETE', '/api/livres/1');
    expect(await livres(house)).toEqual([3, 2]);
    expect(await livres(house, 'bob')).toEqual([2]);
    // Changes of other lists do not prevent the undo.
    await put(house, 'ana', [2, 3]);
    expect((await undo(house, 'bob', deletion)).status).toBe(201);
    expect(await livres(house)).toEqual([2, 3, 1]);
    expect(await livres(house, 'bob')).toEqual([2, 1]);
  });

  test('can be restored if its list was deleted since, and returns to its place with the list', async () => {
    const house = await houseOfLivres();
    await lister(house, 'ana', 'Pour Tom', [3, 1, 2]);
    const livre = await house.ask('bob', 'DELETE', '/api/livres/1');
    const liste = await house.ask('ana', 'DELETE', '/api/selections/1');
    expect((await undo(house, 'bob', livre)).status).toBe(201);
    const restored = await undo(house, 'ana', liste);
    expect(restored.status).toBe(201);
    expect(await livres(house)).toEqual([3, 1, 2]);
    expect((await undo(house, 'ana', restored)).status).toBe(201);
    expect(await livres(house)).toBeUndefined();
  });

  test('is restored outside of a list that it was removed from before', async () => {
    const house = await houseOfLivres();
    await lister(house, 'ana', 'Pour Tom', [3, 1, 2]);
    const livre = await house.ask('bob', 'DELETE', '/api/livres/1');
    expect((await undo(house, 'bob', livre)).status).toBe(201);
    await put(house, 'ana', [2, 3]);
    const liste = await house.ask('ana', 'DELETE', '/api/selections/1');
    expect((await undo(house, 'ana', liste)).status).toBe(201);
    expect(await livres(house)).toEqual([2, 3]);
  });

  test('whose list was deleted before is in it again when both are restored', async () => {
    const house = await houseOfLivres();
    await lister(house, 'ana', 'Pour Tom', [3, 1]);
    const liste = await house.ask('ana', 'DELETE', '/api/selections/1');
    const livre = await house.ask('bob', 'DELETE', '/api/livres/1');
    expect((await undo(house, 'ana', liste)).status).toBe(201);
    expect(await livres(house)).toEqual([3]);
    expect((await undo(house, 'bob', livre)).status).toBe(201);
    expect(await livres(house)).toEqual([3, 1]);
  });

  test('keeps its place when merged into another copy’s record', async () => {
    const house = await houseOfLivres();
    await house.ask('bob', 'POST', '/api/livres?confirmerDoublon=true', {
      titre: 'Dune',
      format: 'Physique',
    });
    await lister(house, 'ana', 'Pour Tom', [3, 6, 2]);
    const merge = await house.ask('bob', 'POST', '/api/livres/fusions', { garde: 1, part: 6 });
    expect(merge.status).toBe(200);
    expect(await livres(house)).toEqual([3, 1, 2]);
    expect((await undo(house, 'bob', merge)).status).toBe(201);
    expect(await livres(house)).toEqual([3, 6, 2]);
  });
});

describe('the undoing', () => {
  test('of one person’s addition to a shared list leaves another’s', async () => {
    const house = await houseOfLivres();
    await lister(house, 'ana', 'Été', [1], { partagee: true });
    const first = await add(house, 'ana', [2]);
    const second = await add(house, 'bob', [3]);
    expect((await undo(house, 'ana', first)).status).toBe(201);
    expect(await livres(house)).toEqual([1, 3]);
    expect((await undo(house, 'bob', second)).status).toBe(201);
    expect(await livres(house)).toEqual([1]);
  });

  test('of a reordering, and of a deletion, restores the order', async () => {
    const house = await houseOfLivres();
    await lister(house, 'ana', 'Été', [1, 2, 3, 4]);
    const order = await put(house, 'ana', [4, 3, 2, 1]);
    const deletion = await house.ask('ana', 'DELETE', '/api/selections/1');
    expect(await read(house, 'ana')).toEqual([]);
    expect((await undo(house, 'ana', deletion)).status).toBe(201);
    expect(await livres(house)).toEqual([4, 3, 2, 1]);
    await add(house, 'ana', [5]);
    expect((await undo(house, 'ana', order)).status).toBe(201);
    expect(await livres(house)).toEqual([1, 2, 3, 4, 5]);
  });

  test('of sharing a list takes it back with all its books', async () => {
    const house = await houseOfLivres();
    await lister(house, 'ana', 'Été', [1, 2]);
    const edit = await house.ask('ana', 'PUT', '/api/selections/1', {
      nom: 'Été',
      partagee: true,
    });
    expect((await resumes(house, 'bob'))[0]).toBe('Liste partagée avec la maison\u00a0: Été');
    await put(house, 'bob', [2, 3]);
    expect((await undo(house, 'ana', edit)).status).toBe(201);
    expect(await livres(house)).toEqual([2, 3]);
    expect(await read(house, 'bob')).toEqual([]);
    // The list is Ana's again, so its deletion is not in the others' history.
    await house.ask('ana', 'DELETE', '/api/selections/1');
    expect((await resumes(house, 'bob'))[0]).not.toContain('supprimée');
  });

  test('of a book’s addition is prevented by a shared list, but not by a private one', async () => {
    const house = await houseOfLivres();
    const addition = await house.ask('bob', 'POST', '/api/livres', {
      titre: 'Nana',
      format: 'Physique',
    });
    await lister(house, 'ana', 'À moi', [6]);
    const shared = await lister(house, 'ana', 'Été', [6], { partagee: true });
    const barred = await undo(house, 'bob', addition);
    expect(barred).toMatchObject({
      status: 409,
      body: {
        code: 'ANNULATION_IMPOSSIBLE',
        raison: 'Le livre a été mis dans la liste Été depuis.',
      },
    });
    expect(JSON.stringify(barred.body)).not.toContain('À moi');
    await undo(house, 'ana', shared);
    await put(house, 'ana', [1, 6]);
    await put(house, 'ana', [1]);
    await put(house, 'ana', [1, 6]);
    const undone = await undo(house, 'bob', addition);
    expect(undone.status).toBe(201);
    expect(await livres(house)).toEqual([1]);
    expect((await undo(house, 'bob', undone)).status).toBe(201);
    expect(await livres(house)).toEqual([1, 6]);
  });
});

test('an archive brings the lists with their books into another household', async () => {
  const house = await houseOfLivres();
  await lister(house, 'ana', 'Pour Tom', [3, 1]);
  await lister(house, 'ana', 'Été', [5], { partagee: true });
  const archive = await download(house, '/api/export.zip');
  const other = await openHouse();
  await other.ask('ana', 'POST', '/api/livres', { titre: 'Avant', format: 'Physique' });
  expect((await importInto(other, archive.bytes)).status).toBe(201);
  const titres = new Map(
    ((await other.ask('ana', 'GET', '/api/livres')).body as { id: number; titre: string }[]).map(
      ({ id, titre }) => [id, titre],
    ),
  );
  const found = (await read(other, 'ana')).map(({ nom, livres: ids }) => [
    nom,
    ids?.map((id) => titres.get(id)),
  ]);
  expect(found).toEqual([
    ['Pour Tom', ['Gigi', 'Dune']],
    ['Été', ['Ubu']],
  ]);
});
