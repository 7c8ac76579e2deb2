import { expect, test } from 'vitest';
import { compareLectures, NO_POSITION } from '#shared/lectures';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { lecturesDe, noter } from './support.ts';

test('a reading of a book always has the book’s name', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'], isbn: '9782070360024' });
  const noted = { debut: '2019-03', fin: '2019-04-12', abandon: false, note: 9, avis: 'Un\nmot' };
  expect(await noter(house, 'ana', { livreId: 1, ...noted })).toEqual({
    id: 1,
    livreId: 1,
    titre: 'Dune',
    auteurs: ['Frank Herbert'],
    isbn: '9782070360024',
    ...noted,
    ...NO_POSITION,
    statut: 'Lue',
  });
  await house.ask(null, 'PUT', '/api/livres/1', { titre: 'Dune I', format: 'Physique' });
  expect(await lecturesDe(house, 'ana')).toMatchObject([
    { titre: 'Dune I', auteurs: [], isbn: null },
  ]);
});

test('a reading without an owned book keeps the name given', async () => {
  const house = await openHouse();
  const saisie = { titre: 'Sido', auteurs: ['Colette', '', 'Colette'], isbn: '2070360024' };
  expect(await noter(house, 'ana', saisie)).toMatchObject({
    livreId: null,
    titre: 'Sido',
    auteurs: ['Colette'],
    isbn: '9782070360024',
    debut: null,
    fin: null,
    abandon: false,
    note: null,
    avis: null,
    statut: 'Lue',
  });
});

test('a text keeps its lines, up to ten thousand characters', async () => {
  const house = await openHouse();
  const long = '🌵'.repeat(9_998);
  expect(await noter(house, 'ana', { titre: 'X', avis: ` \r\n${long}\r\né\r ` })).toMatchObject({
    avis: `${long}\né`,
  });
});

test('its status follows from the rest', async () => {
  const house = await openHouse();
  for (const [saisie, statut] of [
    [{ debut: '2019' }, 'EnCours'],
    [{ debut: '2019', fin: '2020' }, 'Lue'],
    [{ fin: '2020' }, 'Lue'],
    [{ note: 3 }, 'Lue'],
    [{ debut: '2019', abandon: true }, 'Abandonnee'],
    [{ abandon: true }, 'Abandonnee'],
  ] as const)
    expect(await noter(house, 'ana', { titre: 'X', ...saisie })).toMatchObject({ statut });
});

test('an invalid reading is refused at its field', async () => {
  const house = await openHouse();
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  for (const [saisie, champ] of [
    [{}, 'titre'],
    [{ livreId: 9 }, 'livreId'],
    [{ titre: 'X', fin: '2019-13' }, 'fin'],
    [{ titre: 'X', fin: '2019-02-29' }, 'fin'],
    [{ titre: 'X', fin: 'mars' }, 'fin'],
    [{ titre: 'X', fin: '0000' }, 'fin'],
    [{ titre: 'X', debut: tomorrow }, 'debut'],
    [{ titre: 'X', debut: '2019-03', fin: '2019-02-28' }, 'fin'],
    [{ titre: 'X', debut: '2019-03-02', fin: '2018' }, 'fin'],
    [{ titre: 'X', note: 0 }, 'note'],
    [{ titre: 'X', note: 11 }, 'note'],
    [{ titre: 'X', note: 4.5 }, 'note'],
    [{ titre: 'X', avis: 'é'.repeat(10_001) }, 'avis'],
  ] as const)
    expect(
      await house.ask('ana', 'POST', '/api/lectures', saisie),
      JSON.stringify(saisie).slice(0, 80),
    ).toMatchObject({ status: 400, body: { code: 'REQUETE_INVALIDE', champs: [{ champ }] } });
  for (const fin of ['2019', '2019-03', '2019-03-12'])
    await noter(house, 'ana', { titre: 'X', debut: '2019-03-12', fin });
  expect(await house.ask(null, 'GET', '/api/lectures')).toMatchObject({ status: 401 });
});

test('open readings come first, then the latest end, undated last', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  for (const saisie of [
    { titre: 'sans date', note: 2 },
    { titre: 'avant', fin: '2019' },
    { titre: 'en cours', debut: '2018' },
    { titre: 'jour', fin: '2020-03-12' },
    { titre: 'mois', fin: '2020-03' },
    { titre: 'abandon', debut: '2020-04', abandon: true },
    { livreId: 1, fin: '2020-03-12' },
  ])
    await noter(house, 'ana', saisie);
  const titres = async (query?: string) =>
    (await lecturesDe(house, 'ana', query)).map(({ titre }) => titre);
  const all = ['en cours', 'abandon', 'jour', 'Un titre', 'mois', 'avant', 'sans date'];
  expect(await titres()).toEqual(all);
  expect(await titres('?limite=2')).toEqual(all.slice(0, 2));
  expect(await titres('?annee=2020')).toEqual(['abandon', 'jour', 'Un titre', 'mois']);
  expect(await titres('?livre=1')).toEqual(['Un titre']);
});

test('the service’s list has the order of the device’s', async () => {
  const house = await openHouse();
  const dates = [null, '2019', '2018-03-12', '2019-03', '2019-03-12', '2020'];
  for (const debut of dates)
    for (const fin of dates.filter((date) => date === null || date === debut))
      for (const abandon of [false, true])
        await noter(house, 'ana', { titre: 'X', debut, fin, abandon });
  const listed = await lecturesDe(house, 'ana');
  expect(listed).toHaveLength(22);
  expect(listed).toEqual(listed.toSorted(compareLectures));
  expect(await lecturesDe(house, 'ana', '?limite=7')).toEqual(listed.slice(0, 7));
});

test('a list of readings has any limit, or is empty', async () => {
  const house = await openHouse();
  expect(await lecturesDe(house, 'ana')).toEqual([]);
  await noter(house, 'ana', { titre: 'Dune', fin: '2019' });
  for (const limite of ['1', '9007199254740993', '1' + '0'.repeat(30)])
    expect(await lecturesDe(house, 'ana', `?limite=${limite}`), limite).toHaveLength(1);
});

test('a reading is its reader’s: another’s is not there', async () => {
  const house = await openHouse();
  await noter(house, 'ana', { titre: 'Secret' });
  expect(await lecturesDe(house, 'bob')).toEqual([]);
  for (const [method, body] of [['GET'], ['PUT', { titre: 'X' }], ['DELETE']] as const)
    expect(await house.ask('bob', method, '/api/lectures/1', body)).toMatchObject({ status: 404 });
  expect(await house.ask('ana', 'DELETE', '/api/lectures/1')).toMatchObject({ status: 204 });
  expect(await lecturesDe(house, 'ana')).toEqual([]);
});

test('the catalogue is sorted by its caller’s ratings and ends', async () => {
  const house = await openHouse();
  for (const titre of ['Le A', 'B', 'C', 'D']) await ajouterLivre(house, { titre });
  await noter(house, 'ana', { livreId: 2, note: 4, fin: '2020' });
  await noter(house, 'ana', { livreId: 2, note: 9, fin: '2018-05' });
  await noter(house, 'ana', { livreId: 4, note: 9, fin: '2021', abandon: true });
  await noter(house, 'ana', { livreId: 3, fin: '2022' });
  await noter(house, 'bob', { livreId: 1, note: 10, fin: '2023' });
  const ids = async (query: string, utilisateur: string | null = 'ana') => {
    const { body } = await house.ask(utilisateur, 'GET', `/api/livres?${query}`);
    return (body as { id: number }[]).map(({ id }) => id);
  };
  expect(await ids('tri=note')).toEqual([2, 4, 1, 3]);
  expect(await ids('tri=note&inverse=true')).toEqual([4, 2, 1, 3]);
  expect(await ids('tri=fin')).toEqual([3, 2, 1, 4]);
  expect(await ids('tri=note&recherche=b')).toEqual([2]);
  expect(await ids('tri=note', 'bob')).toEqual([1, 2, 3, 4]);
  expect(await ids('tri=fin', null)).toEqual([1, 2, 3, 4]);
});
