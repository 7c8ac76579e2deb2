import { expect, test } from 'vitest';
import { areSimilar } from '#shared/doublons';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

const livre = (cleOeuvre: string, auteurs: number[] = [], isbn: string | null = null) => ({
  cleOeuvre,
  auteurs,
  isbn,
});

test.each([
  [
    'the same ISBN, whatever the rest',
    livre('a', [1], '9782070612758'),
    livre('b', [2], '9782070612758'),
    true,
  ],
  [
    'another ISBN of one work',
    livre('a', [1], '9782070612758'),
    livre('a', [1], '9782070408504'),
    true,
  ],
  ['no ISBN on both sides', livre('a', [1]), livre('b', [1]), false],
  ['one author in common', livre('a', [1, 2]), livre('a', [3, 2]), true],
  ['no author in common', livre('a', [1]), livre('a', [2]), false],
  ['both without author', livre('a'), livre('a'), true],
  ['one without author', livre('a', [1]), livre('a'), false],
  ['titles that normalise to nothing', livre(''), livre(''), false],
  [
    'the same ISBN under such titles',
    livre('', [], '9782070612758'),
    livre('', [], '9782070612758'),
    true,
  ],
])('%s', (_name, a, b, expected) => {
  expect([areSimilar(a, b), areSimilar(b, a)]).toEqual([expected, expected]);
});

test('a likely duplicate is written only once it is confirmed', async () => {
  const house = await openHouse();
  const premier = await ajouterLivre(
    house,
    { titre: 'Le Petit Prince', auteurs: ['Antoine de Saint-Exupéry'] },
    'alice',
  );
  await house.ask('alice', 'PUT', '/api/livres/1/statut', { statut: 1 });
  const revision = house.context.database.revision();
  const saisie = {
    titre: 'Le petit prince : avec les aquarelles',
    auteurs: ['SAINT-EXUPERY, Antoine de', 'X'],
    format: 'Numerique',
  };

  const refused = await house.ask('alice', 'POST', '/api/livres', saisie);
  expect(refused).toMatchObject({ status: 409, body: { code: 'DOUBLON' } });
  expect((refused.body as { similaires: unknown }).similaires).toEqual([{ ...premier, statut: 1 }]);
  expect(house.context.database.revision()).toBe(revision);
  expect((await house.ask(null, 'GET', '/api/auteurs')).body).toHaveLength(1);

  const unconfirmed = await house.ask(null, 'POST', '/api/livres?confirmerDoublon=false', {
    ...saisie,
    confirmerDoublon: null,
  });
  expect(unconfirmed.status).toBe(409);
  expect((await house.ask(null, 'POST', '/api/livres?confirmerDoublon=true', saisie)).status).toBe(
    201,
  );
  expect(
    (await house.ask(null, 'POST', '/api/livres', { ...saisie, confirmerDoublon: true })).status,
  ).toBe(201);
  // An edit is never checked for duplicates.
  const edited = await house.ask(null, 'PUT', '/api/livres/3', {
    ...premier,
    titre: 'Le Petit Prince',
  });
  expect(edited.status).toBe(200);
});

test('two volumes of a series are two works', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Lanfeust : tome 2', auteurs: ['Arleston'] });
  const tome3 = { titre: 'Lanfeust : tome 3', auteurs: ['Arleston'], format: 'Physique' };
  expect((await house.ask(null, 'POST', '/api/livres', tome3)).status).toBe(201);
});

test('the title of another author is no duplicate', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Poésies', auteurs: ['Arthur Rimbaud'] });
  for (const auteurs of [['Paul Verlaine'], []]) {
    const livre = { titre: 'Poésies', auteurs, format: 'Physique' };
    expect((await house.ask(null, 'POST', '/api/livres', livre)).status).toBe(201);
  }
});

test('an ISBN-10 finds the books of its ISBN-13, by title', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Zèbre', isbn: '9782070612758' });
  await ajouterLivre(house, { titre: 'Âne', isbn: '9782070612758' });
  const { body } = await house.ask(null, 'POST', '/api/livres', {
    titre: 'Autre',
    format: 'Physique',
    isbn: '2070612759',
  });
  expect(
    (body as { similaires: { titre: string }[] }).similaires.map(({ titre }) => titre),
  ).toEqual(['Âne', 'Zèbre']);
});

test('a letter with a stroke makes no other book and no other author', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Đất rừng phương Nam', auteurs: ['Đoàn Giỏi'] });
  const saisie = { titre: 'Dat rung phuong nam', auteurs: ['Doan Gioi'], format: 'Physique' };
  const again = await house.ask('ana', 'POST', '/api/livres', saisie);
  expect(again).toMatchObject({ status: 409, body: { code: 'DOUBLON' } });
  const path = `/api/livres?recherche=${encodeURIComponent('dat doan')}`;
  const { body } = await house.ask('ana', 'GET', path);
  expect(body).toMatchObject([{ titreNormalise: 'đat rung phuong nam' }]);
  await house.ask('ana', 'POST', '/api/livres?confirmerDoublon=true', saisie);
  const auteurs = await house.ask('ana', 'GET', '/api/auteurs');
  expect(auteurs.body).toMatchObject([{ nomNormalise: 'đoan gioi', nombreLivres: 2 }]);
});

test('a title with its article at the end is the same work as with it in front', async () => {
  const house = await openHouse();
  const titres = ['Le Petit Quai', 'Petit Quai (Le)', 'Petit Quai, Le', 'Petit Quai'];
  const answers = [];
  for (const titre of titres) {
    const saisie = { titre, format: 'Physique', auteurs: ['Hugo Ferrand'] };
    answers.push((await house.ask('ana', 'POST', '/api/livres', saisie)).status);
  }
  expect(answers).toEqual([201, 409, 409, 201]);
  await ajouterLivre(house, { titre: 'Eaux mortes (Les)', auteurs: [] });
  const titresOf = async (query: string) =>
    ((await house.ask('ana', 'GET', `/api/livres?${query}`)).body as { titre: string }[]).map(
      ({ titre }) => titre,
    );
  expect(await titresOf('tri=alphabetique')).toEqual([
    'Eaux mortes (Les)',
    'Le Petit Quai',
    'Petit Quai',
  ]);
  for (const recherche of ['les eaux mortes', 'Eaux mortes, Les', 'eaux mortes (les)'])
    expect(await titresOf(`recherche=${encodeURIComponent(recherche)}`)).toEqual([
      'Eaux mortes (Les)',
    ]);
});
