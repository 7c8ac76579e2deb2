import { expect, test } from 'vitest';
import type { Lecture } from '#shared/lectures';
import type { Livre } from '#shared/livres';
import type { Pret } from '#shared/prets';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterSerie, lireSerie } from '../support/series.ts';

/** Two records of one book: the second is volume 1 of a series, and ana and bob have read it. */
async function twoRecords() {
  const house = await openHouse();
  const first = await ajouterLivre(house, { titre: 'Nana', auteurs: ['Zola'] });
  const second = await ajouterLivre(house, { titre: 'Nana : roman', auteurs: ['Zola'] });
  await ajouterSerie(house, { places: [{ titre: 'Nana', numero: '1', livreId: second.id }] });
  const [a, b] = [String(first.id), String(second.id)];
  for (const [reader, livre, statut] of [
    ['ana', b, 2],
    ['bob', a, 0],
    ['bob', b, 1],
    ['eve', a, 2],
    ['eve', b, 1],
  ] as const)
    await house.ask(reader, 'PUT', `/api/livres/${livre}/statut`, { statut });
  return { house, first: first.id, second: second.id };
}

const statuts = (house: House, livreId: number) =>
  Promise.all(
    ['ana', 'bob', 'eve'].map(
      async (reader) =>
        (
          (await house.ask(reader, 'GET', `/api/livres/${String(livreId)}`)).body as {
            statut?: number;
          }
        ).statut,
    ),
  );

const lectures = (house: House) =>
  Promise.all(
    ['ana', 'bob'].map(async (reader) =>
      ((await house.ask(reader, 'GET', '/api/lectures')).body as Lecture[]).map(
        ({ livreId }) => livreId,
      ),
    ),
  );

const fusionner = (house: House, garde: number, part: number) =>
  house.ask('ana', 'POST', '/api/livres/fusions', { garde, part });

const rooms = (house: House) =>
  Promise.all(
    ['Salon', 'Chambre'].map(
      async (nom) =>
        ((await house.ask('ana', 'POST', '/api/emplacements', { nom })).body as { id: number }).id,
    ),
  );

const placed = async (house: House) => (await lireSerie(house, 1)).places.map((p) => p.livreId);

test('a merged record leaves its data to the remaining one', async () => {
  const { house, first, second } = await twoRecords();
  const { status, headers, body } = await fusionner(house, first, second);
  expect([status, body]).toMatchObject([200, { id: first, titre: 'Nana', statut: 2 }]);
  expect(await statuts(house, first)).toEqual([2, 1, 2]);
  expect(await lectures(house)).toEqual([[first], [first]]);
  expect(await placed(house)).toEqual([first]);

  // The merge is a single modification, which anybody may undo and read, like a book's deletion.
  const act = headers.get('x-modification') ?? '';
  const undo = (id: string, reader: string) =>
    house.ask(reader, 'POST', `/api/modifications/${id}/annulation`);
  const undone = await undo(act, 'eve');
  expect(undone.status).toBe(201);
  expect(await statuts(house, first)).toEqual([null, 0, 2]);
  expect(await statuts(house, second)).toEqual([2, 1, 1]);
  expect(await lectures(house)).toEqual([[second], [second]]);
  expect(await placed(house)).toEqual([second]);
  const redone = await undo(undone.headers.get('x-modification') ?? '', 'bob');
  expect(redone.status).toBe(201);
  expect(await statuts(house, first)).toEqual([2, 1, 2]);
  expect(await lectures(house)).toEqual([[first], [first]]);
  expect(await placed(house)).toEqual([first]);
});

test('the record that stays gets the details and themes of the other, too', async () => {
  const house = await openHouse();
  const detail = (nom: string, valeur: string) => ({ nom, valeur });
  const first = await ajouterLivre(house, {
    titre: 'Nana',
    auteurs: ['Zola'],
    themes: ['Paris'],
    details: [detail('Langue', 'français'), detail('Prix', '12 €')],
  });
  const second = await ajouterLivre(house, {
    titre: 'Nana : roman',
    auteurs: ['Zola'],
    themes: ['paris', 'Théâtre'],
    details: [detail('prix', '15 €'), detail('LANGUE', 'Français'), detail('Note', 'taché')],
  });
  const read = async () =>
    (await house.ask('ana', 'GET', `/api/livres/${String(first.id)}`)).body as Livre;
  const before = await read();
  const { headers } = await fusionner(house, first.id, second.id);
  expect(await read()).toMatchObject({
    themes: ['Paris', 'Théâtre'],
    details: [detail('Langue', 'français'), detail('Prix', '12 €\n15 €'), detail('Note', 'taché')],
  });
  const act = headers.get('x-modification') ?? '';
  await house.ask('ana', 'POST', `/api/modifications/${act}/annulation`);
  expect(await read()).toMatchObject({ themes: before.themes, details: before.details });
});

test('a record that would have too many details takes nothing, and none goes', async () => {
  const house = await openHouse();
  const details = (name: string) =>
    Array.from({ length: 16 }, (_, n) => ({ nom: `${name} ${n}`, valeur: 'x' }));
  for (const name of ['a', 'b'])
    await ajouterLivre(house, { titre: 'Nana', auteurs: ['Zola'], details: details(name) });
  expect(await fusionner(house, 1, 2)).toMatchObject({
    status: 409,
    body: { code: 'FICHE_TROP_PLEINE', trop: 'details', maximum: 30 },
  });
  expect((await house.ask('ana', 'GET', '/api/livres/2')).status).toBe(200);
});

test('a place that the other record has already goes', async () => {
  const { house, first, second } = await twoRecords();
  await ajouterSerie(house, {
    places: [
      { titre: 'Nana', numero: '3', livreId: first },
      { titre: 'Nana', numero: '03', livreId: second },
      { titre: 'Nana', numero: '4', livreId: second },
    ],
  });
  await fusionner(house, first, second);
  expect(
    (await lireSerie(house, 2)).places.map(({ numero, livreId }) => [numero, livreId]),
  ).toEqual([
    ['3', first],
    ['4', null],
  ]);
});

test('records of two books, or one alone, are not joined, and nothing changes', async () => {
  const { house, first, second } = await twoRecords();
  const other = await ajouterLivre(house, { titre: 'Germinal', auteurs: ['Zola'] });
  for (const part of [other.id, first])
    expect(await fusionner(house, first, part)).toMatchObject({
      status: 400,
      body: { champs: [{ champ: 'part' }] },
    });
  for (const [garde, part] of [
    [first, 999],
    [999, first],
  ] as const)
    expect((await fusionner(house, garde, part)).status).toBe(404);
  expect(await placed(house)).toEqual([second]);
  expect(await statuts(house, first)).toEqual([null, 0, 2]);
});

test('loans move along, the open one too, and are restored with the record', async () => {
  const { house, first, second } = await twoRecords();
  const ask = (method: string, path: string, body?: object) => house.ask('ana', method, path, body);
  const prets = async (id: number) =>
    ((await ask('GET', `/api/livres/${String(id)}/prets`)).body as Pret[]).map(
      ({ emprunteur, dateRetour }) => [emprunteur, dateRetour === null],
    );
  await ask('POST', `/api/livres/${String(second)}/prets`, { emprunteur: 'Luc' });
  await ask('POST', '/api/prets/1/retour');
  await ask('POST', `/api/livres/${String(second)}/prets`, { emprunteur: 'Zoé' });
  const before = await prets(second);
  expect(before).toEqual([
    ['Zoé', true],
    ['Luc', false],
  ]);
  const { headers, body } = await fusionner(house, first, second);
  expect(body).toMatchObject({ pret: { emprunteur: 'Zoé' } });
  expect(await prets(first)).toEqual(before);
  await ask('POST', `/api/modifications/${headers.get('x-modification') ?? ''}/annulation`);
  expect([await prets(first), await prets(second)]).toEqual([[], before]);
});

test('two lent records, or a loan to an ebook, are not joined', async () => {
  const { house, first, second } = await twoRecords();
  for (const [livre, emprunteur] of [
    [first, 'Luc'],
    [second, 'Zoé'],
  ] as const)
    await house.ask('ana', 'POST', `/api/livres/${String(livre)}/prets`, { emprunteur });
  expect(await fusionner(house, first, second)).toMatchObject({
    status: 409,
    body: { code: 'FICHES_PRETEES', emprunteurs: ['Luc', 'Zoé'] },
  });
  const ebook = await ajouterLivre(house, {
    titre: 'Nana',
    auteurs: ['Zola'],
    format: 'Numerique',
  });
  expect(await fusionner(house, ebook.id, second)).toMatchObject({
    status: 400,
    body: { code: 'LIVRE_NUMERIQUE' },
  });
  expect((await fusionner(house, second, ebook.id)).status).toBe(200);
});

test('the remaining record takes missing fields, and keeps its own', async () => {
  const house = await openHouse();
  const [salon = 0, bedroom = 0] = await rooms(house);
  const first = await ajouterLivre(house, { titre: 'Nana', emplacementId: salon, annee: 1880 });
  const second = await ajouterLivre(house, {
    titre: 'Nana',
    isbn: '9782070612758',
    editeur: 'Folio',
    annee: 1990,
    nombrePages: 500,
    coverUrl: 'https://exemple.fr/nana.jpg',
    typeDocument: 'Roman',
    emplacementId: bedroom,
  });
  expect((await fusionner(house, first.id, second.id)).body).toMatchObject({
    isbn: '9782070612758',
    editeur: 'Folio',
    annee: 1880,
    nombrePages: 500,
    coverUrl: 'https://exemple.fr/nana.jpg',
    typeDocument: 'Roman',
    emplacementId: salon,
  });
  const third = await ajouterLivre(house, { titre: 'Nana' });
  expect((await fusionner(house, third.id, first.id)).body).toMatchObject({ emplacementId: salon });
});
