import { expect, test } from 'vitest';
import type { LectureSaisie } from '#shared/lectures';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { lecturesDe, noter } from './support.ts';

const statuer = (house: House, statut: number | null, jour?: string) =>
  house.ask('ana', 'PUT', '/api/livres/1/statut', { statut, jour });

/** Ana's books by status: « À lire », « En cours », « Lu », and none. */
const livresByStatut = (house: House) =>
  Promise.all(
    ['0', '1', '2', 'aucun'].map(async (statut) => {
      const { body } = await house.ask('ana', 'GET', `/api/livres?statut=${statut}`);
      return (body as { id: number }[]).map(({ id }) => id);
    }),
  );

test('« En cours » opens a reading once, « Lu » ends it', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await statuer(house, 1, '2026-03-01');
  await statuer(house, 1, '2026-03-02');
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { livreId: 1, debut: '2026-03-01', fin: null, statut: 'EnCours' },
  ]);
  expect(await statuer(house, 2, '2026-02-28')).toMatchObject({
    status: 400,
    body: { champs: [{ champ: 'jour' }] },
  });
  await statuer(house, 2, '2026-03-12');
  const done = [{ debut: '2026-03-01', fin: '2026-03-12', statut: 'Lue' }];
  expect(await lecturesDe(house, 'ana')).toMatchObject(done);
  for (const statut of [2, 0, null]) await statuer(house, statut, '2026-04-01');
  expect(await lecturesDe(house, 'ana')).toMatchObject(done);
});

test('« Lu » ends a reading today where none is finished', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await noter(house, 'ana', { livreId: 1, debut: '2020', abandon: true });
  await statuer(house, 2, '2026-03-12');
  await statuer(house, 2, '2026-03-13');
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { debut: null, fin: '2026-03-12' },
    { statut: 'Abandonnee' },
  ]);
});

test('« En cours » again is a second reading', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await statuer(house, 2, '2019-08-01');
  await statuer(house, 1, '2026-03-01');
  await statuer(house, 2, '2026-03-12');
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { debut: '2026-03-01', fin: '2026-03-12' },
    { debut: null, fin: '2019-08-01' },
  ]);
});

test('a reading gives its book a status where it has none', async () => {
  const house = await openHouse();
  for (let n = 0; n < 4; n++) await ajouterLivre(house);
  await noter(house, 'ana', { livreId: 1, debut: '2020', abandon: true });
  await noter(house, 'ana', { livreId: 2, debut: '2020' });
  await noter(house, 'ana', { livreId: 3, note: 8 });
  await house.ask('ana', 'PUT', '/api/livres/4/statut', { statut: 0 });
  await noter(house, 'ana', { livreId: 4, fin: '2020' });
  expect(await livresByStatut(house)).toEqual([[4], [2], [3], [1]]);
});

test('a reading that is given its book gives it a status', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const { id } = await noter(house, 'ana', { titre: 'Un titre', fin: '2020' });
  await house.ask('ana', 'PUT', `/api/lectures/${id}`, { livreId: 1, fin: '2020' });
  expect(await livresByStatut(house)).toEqual([[], [], [1], []]);
});

test('« Lu » for many books is without a date, or on the given date', async () => {
  const house = await openHouse();
  for (let n = 0; n < 4; n++) await ajouterLivre(house);
  const lot = (id: number, fin?: unknown, jour?: string) =>
    house.ask('ana', 'POST', '/api/livres/lot', {
      ids: [id],
      action: 'statut',
      statut: 2,
      jour,
      ...(fin !== undefined && { fin }),
    });
  await lot(1, null);
  await lot(2, '2019-03');
  await lot(3, undefined, '2026-03-12');
  await noter(house, 'ana', { livreId: 4, debut: '2020-05' });
  expect(await lot(4, '2019')).toMatchObject({ status: 400, body: { champs: [{ champ: 'fin' }] } });
  await lot(4, null, '2026-03-13');
  for (const fin of ['hier', '9999', 3])
    expect(await lot(1, fin)).toMatchObject({ status: 400, body: { code: 'REQUETE_INVALIDE' } });
  const lectures = await lecturesDe(house, 'ana');
  const fins = new Map(lectures.map(({ livreId, fin }) => [livreId, fin]));
  expect([1, 2, 3, 4].map((id) => fins.get(id))).toEqual([
    null,
    '2019-03',
    '2026-03-12',
    '2026-03-13',
  ]);
  // A correction on the same day.
  await house.ask('ana', 'PUT', '/api/livres/1/statut', { statut: null });
  expect(await lecturesDe(house, 'ana')).toHaveLength(3);
});

test('the day of a status is an existing day', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  for (const jour of ['2026', '2026-02-30', 'hier', '1970-02-30'])
    expect(await statuer(house, 2, jour), jour).toMatchObject({ status: 400 });
});

test.each(['9999-01-01', '1970-01-01'])('a device’s clock at %s is corrected', async (jour) => {
  const house = await openHouse();
  await ajouterLivre(house);
  const today = new Date().toLocaleDateString('sv');
  expect((await statuer(house, 2, jour)).body).toEqual({
    livreId: 1,
    statut: 2,
    jourCorrige: today,
  });
  expect(await lecturesDe(house, 'ana')).toMatchObject([{ fin: today }]);
});

test('a service’s clock put back ends no reading before it began', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await statuer(house, 1);
  house.context.database.write((tx) => tx.run("UPDATE Lecture SET debut = '2999-05-01'"));
  const today = new Date().toLocaleDateString('sv');
  const { status, body } = await statuer(house, 2, '2999-05-03');
  expect([status, body]).toEqual([200, { livreId: 1, statut: 2, jourCorrige: today }]);
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { debut: '2999-05-01', fin: '2999-05-01', statut: 'Lue' },
  ]);
});

test('the day of a status is the service’s by default', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await statuer(house, 2);
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { fin: new Date().toLocaleDateString('sv') },
  ]);
});

test('status and reading are one modification, named after the status', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune' });
  const { headers } = await statuer(house, 2, '2026-03-12');
  const modification = `/api/modifications/${headers.get('X-Modification') ?? ''}`;
  expect(await house.ask('ana', 'GET', modification)).toMatchObject({
    body: { resume: 'Marqué comme lu : Dune' },
  });
  expect(await house.ask('bob', 'GET', modification)).toMatchObject({ status: 404 });
  await house.ask('ana', 'POST', `${modification}/annulation`);
  expect(await lecturesDe(house, 'ana')).toEqual([]);
  expect((await house.ask('ana', 'GET', '/api/livres/1')).body).toMatchObject({ statut: null });
});

test.each<[string, LectureSaisie, number | null]>([
  ['ends', { fin: '2026-03-12' }, 2],
  ['is given up', { abandon: true }, null],
])('an open reading that %s takes « En cours » along', async (_, said, statut) => {
  const house = await openHouse();
  await ajouterLivre(house);
  await statuer(house, 1, '2026-03-01');
  const [open] = await lecturesDe(house, 'ana');
  const saisie = { livreId: 1, debut: '2026-03-01', ...said };
  await house.ask('ana', 'PUT', `/api/lectures/${open?.id}`, saisie);
  expect((await house.ask('ana', 'GET', '/api/livres/1')).body).toMatchObject({ statut });
});

test('a status of many books notes a reading of each', async () => {
  const house = await openHouse();
  for (const titre of ['A', 'B']) await ajouterLivre(house, { titre });
  const lot = { ids: [1, 2], action: 'statut', statut: 2, jour: '2026-03-12' };
  const { headers } = await house.ask('ana', 'POST', '/api/livres/lot', lot);
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { livreId: 1, fin: '2026-03-12' },
    { livreId: 2, fin: '2026-03-12' },
  ]);
  const modification = `/api/modifications/${headers.get('X-Modification') ?? ''}`;
  expect(await house.ask('ana', 'GET', modification)).toMatchObject({
    body: { resume: 'Marqué comme lu : 2 livres' },
  });
});

test('« Lu » by mistake takes its reading along', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  for (const other of [null, 0, 1]) {
    await statuer(house, 2, '2026-03-12');
    await statuer(house, other, '2026-03-12');
    const open = { debut: '2026-03-12', fin: null };
    expect(await lecturesDe(house, 'ana')).toMatchObject(other === 1 ? [open] : []);
  }
  await statuer(house, null, '2026-03-12');
  expect(await lecturesDe(house, 'ana')).toEqual([]);
});

test('« Lu » by mistake leaves the reading that it ended', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await statuer(house, 1, '2026-03-01');
  for (const other of [1, 0]) {
    await statuer(house, 2, '2026-03-12');
    await statuer(house, other, '2026-03-12');
    expect(await lecturesDe(house, 'ana')).toMatchObject([{ debut: '2026-03-01', fin: null }]);
  }
});

test.each<[string, LectureSaisie]>([
  ['stars', { fin: '2026-03-12', note: 8 }],
  ['a word', { fin: '2026-03-12', avis: 'Bien' }],
  ['a beginning', { fin: '2026-03-12', debut: '2026-02' }],
  ['another end', { fin: '2026-03' }],
])('a reading with %s stays', async (_, said) => {
  const house = await openHouse();
  await ajouterLivre(house);
  await statuer(house, 2, '2026-03-12');
  const [lecture] = await lecturesDe(house, 'ana');
  await house.ask('ana', 'PUT', `/api/lectures/${lecture?.id}`, { livreId: 1, ...said });
  await statuer(house, 0, '2026-03-12');
  expect(await lecturesDe(house, 'ana')).toMatchObject([said]);
});

test('a reading stays once its day is over', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await statuer(house, 2, '2026-03-12');
  await statuer(house, 2, '2026-03-13');
  await statuer(house, 0, '2026-03-13');
  expect(await lecturesDe(house, 'ana')).toMatchObject([{ fin: '2026-03-12' }]);
});

test('a reading that a person noted stays', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await noter(house, 'ana', { livreId: 1, fin: '2026-03-12' });
  await statuer(house, 2, '2026-03-12');
  await statuer(house, 0, '2026-03-12');
  expect(await lecturesDe(house, 'ana')).toMatchObject([{ fin: '2026-03-12' }]);
});
