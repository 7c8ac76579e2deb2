import { expect, test } from 'vitest';
import type { Answer, House } from '../support/house.ts';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { lecturesDe, noter } from './support.ts';

const undo = (house: House, { headers }: Answer, who = 'bob') =>
  house.ask(who, 'POST', `/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`);

test('a deleted book’s readings stay, and return to it', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dun', auteurs: ['Frank Herbert'] });
  for (const fin of ['2019', '2024']) await noter(house, 'ana', { livreId: 1, fin });
  await house.ask(null, 'PUT', '/api/livres/1', {
    titre: 'Dune',
    format: 'Physique',
    auteurs: ['Brian Herbert'],
    isbn: '9782070360024',
  });
  const before = await lecturesDe(house, 'ana');
  const deletion = await house.ask('bob', 'DELETE', '/api/livres/1');
  const gone = before.map((lecture) => ({ ...lecture, livreId: null }));
  expect(await lecturesDe(house, 'ana')).toEqual(gone);
  expect(await lecturesDe(house, 'ana', '?livre=1')).toEqual([]);
  expect(await undo(house, deletion)).toMatchObject({ status: 201 });
  expect(await lecturesDe(house, 'ana')).toEqual(before);
  expect(before).toMatchObject([
    { livreId: 1, titre: 'Dune', auteurs: ['Brian Herbert'], isbn: '9782070360024' },
    { fin: '2019' },
  ]);
});

test('undoing a deletion keeps what readers changed meanwhile', async () => {
  const house = await openHouse();
  for (const titre of ['Un', 'Deux', 'Trois']) await ajouterLivre(house, { titre });
  for (const livreId of [1, 2, 3]) await noter(house, 'ana', { livreId });
  const lot = { ids: [1, 2, 3], action: 'supprimer' };
  const deletion = await house.ask('bob', 'POST', '/api/livres/lot', lot);
  const [un] = await lecturesDe(house, 'ana');
  await house.ask('ana', 'PUT', '/api/lectures/1', { ...un, note: 8 });
  await house.ask('ana', 'PUT', '/api/lectures/2', { titre: 'Un autre' });
  await house.ask('ana', 'DELETE', '/api/lectures/3');
  expect(await undo(house, deletion)).toMatchObject({ status: 201 });
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { id: 1, livreId: 1, titre: 'Un', note: 8 },
    { id: 2, livreId: null, titre: 'Un autre' },
  ]);
});

test('a reading does not prevent undoing its book’s addition', async () => {
  const house = await openHouse();
  const livre = { titre: 'Dune', format: 'Physique' };
  const addition = await house.ask('bob', 'POST', '/api/livres', livre);
  const note = await house.ask('ana', 'POST', '/api/lectures', { livreId: 1, note: 9 });
  expect(await undo(house, addition)).toMatchObject({ status: 201 });
  expect(await lecturesDe(house, 'ana')).toMatchObject([{ livreId: null, titre: 'Dune' }]);
  expect(await undo(house, note, 'ana')).toMatchObject({ status: 201 });
  expect(await lecturesDe(house, 'ana')).toEqual([]);
});

test('acts on one reading conflict only in the same field', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await noter(house, 'ana', { livreId: 1 });
  const put = (saisie: object) => house.ask('ana', 'PUT', '/api/lectures/1', saisie);
  const first = await put({ livreId: 1, note: 7 });
  const second = await put({ livreId: 1, note: 7, avis: 'Beau' });
  const third = await put({ livreId: 1, note: 9, avis: 'Beau' });
  expect(await undo(house, first, 'ana')).toMatchObject({ status: 409 });
  for (const act of [second, third])
    expect(await undo(house, act, 'ana')).toMatchObject({ status: 201 });
  expect(await lecturesDe(house, 'ana')).toMatchObject([{ note: 7, avis: null }]);
});
