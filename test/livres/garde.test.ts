import { expect, test } from 'vitest';
import type { Lecture } from '#shared/lectures';
import type { Livre } from '#shared/livres';
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

const placed = async (house: House) => (await lireSerie(house, 1)).places.map((p) => p.livreId);

test('a deleted record leaves what is noted of it to the other', async () => {
  const { house, first, second } = await twoRecords();
  const { status, headers } = await house.ask(
    'ana',
    'DELETE',
    `/api/livres/${String(second)}?garde=${String(first)}`,
  );
  expect(status).toBe(204);
  expect(await statuts(house, first)).toEqual([2, 1, 2]);
  expect(await lectures(house)).toEqual([[first], [first]]);
  expect(await placed(house)).toEqual([first]);

  // One act, which anybody takes back and sets again, as any deletion of a book.
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

test('the other record gets the details and themes of the deleted one, too', async () => {
  const house = await openHouse();
  const detail = (nom: string, valeur: string) => ({ nom, valeur });
  const first = await ajouterLivre(house, {
    ...{ titre: 'Nana', auteurs: ['Zola'], themes: ['Paris'] },
    details: [detail('Langue', 'français'), detail('Prix', '12 €')],
  });
  const second = await ajouterLivre(house, {
    ...{ titre: 'Nana : roman', auteurs: ['Zola'], themes: ['paris', 'Théâtre'] },
    details: [detail('prix', '15 €'), detail('LANGUE', 'Français'), detail('Note', 'taché')],
  });
  const read = async () =>
    (await house.ask('ana', 'GET', `/api/livres/${String(first.id)}`)).body as Livre;
  const before = await read();
  const { headers } = await house.ask(
    ...(['ana', 'DELETE', `/api/livres/${String(second.id)}?garde=${String(first.id)}`] as const),
  );
  expect(await read()).toMatchObject({
    themes: ['Paris', 'Théâtre'],
    details: [detail('Langue', 'français'), detail('Prix', '12 €\n15 €'), detail('Note', 'taché')],
  });
  const act = headers.get('x-modification') ?? '';
  await house.ask('ana', 'POST', `/api/modifications/${act}/annulation`);
  expect(await read()).toMatchObject({ themes: before.themes, details: before.details });
});

test('a record that would have too many details keeps nothing, and nothing is deleted', async () => {
  const house = await openHouse();
  const details = (name: string) =>
    Array.from({ length: 16 }, (_, n) => ({ nom: `${name} ${n}`, valeur: 'x' }));
  for (const name of ['a', 'b'])
    await ajouterLivre(house, { titre: 'Nana', auteurs: ['Zola'], details: details(name) });
  expect(await house.ask('ana', 'DELETE', '/api/livres/2?garde=1')).toMatchObject({
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
  await house.ask('ana', 'DELETE', `/api/livres/${String(second)}?garde=${String(first)}`);
  expect(
    (await lireSerie(house, 2)).places.map(({ numero, livreId }) => [numero, livreId]),
  ).toEqual([
    ['3', first],
    ['4', null],
  ]);
});

test('another book, or itself, keeps nothing, and nothing is deleted', async () => {
  const { house, first, second } = await twoRecords();
  const other = await ajouterLivre(house, { titre: 'Germinal', auteurs: ['Zola'] });
  for (const garde of [other.id, second, 999]) {
    const path = `/api/livres/${String(second)}?garde=${String(garde)}`;
    expect(await house.ask('ana', 'DELETE', path)).toMatchObject({
      status: 400,
      body: { champs: [{ champ: 'garde' }] },
    });
  }
  expect(await placed(house)).toEqual([second]);
  expect(await statuts(house, first)).toEqual([null, 0, 2]);
});
