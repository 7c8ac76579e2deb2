import { describe, expect, test } from 'vitest';
import type { Numero, NumeroSaisi } from '#shared/numeros';
import { openHouse, type House } from '../support/house.ts';
import { ajouterNumero, ajouterRevue, makeNumero, themes } from '../support/revues.ts';
import { documentsOf } from '../support/replication.ts';

/** A household with two periodicals and no issue. */
async function openRevues(): Promise<House> {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Cahiers du rivage' });
  await ajouterRevue(house, { titre: 'Zoom' });
  return house;
}

const put = (house: House, id: number, saisie: Partial<NumeroSaisi>) =>
  house.ask(null, 'PUT', `/api/numeros/${String(id)}`, { numero: '1', ...saisie });

describe('an issue', () => {
  test('keeps the entered values, with lists in order and without blanks', async () => {
    const house = await openRevues();
    const { status, body, headers } = await house.ask(null, 'POST', '/api/revues/1/numeros', {
      numero: ' HS 3 ',
      date: '2026-11',
      coverUrl: 'https://exemple.fr/c.jpg',
      une: ' La mer ',
      resume: 'Un résumé.',
      themes: ['Mer', ' ', 'Climat'],
      articles: ['', 'Vagues, courants et marées', ' Le phare '],
      revueId: 2,
      id: 9,
    });
    const numero = {
      id: 1,
      revueId: 1,
      numero: 'HS 3',
      date: '2026-11',
      coverUrl: 'https://exemple.fr/c.jpg',
      couverture: null,
      une: 'La mer',
      resume: 'Un résumé.',
      themes: ['Mer', 'Climat'],
      articles: ['Vagues, courants et marées', 'Le phare'],
    };
    expect([status, body]).toEqual([201, numero]);
    expect(headers.get('location')).toBe('/api/numeros/1');
    expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
    expect((await house.ask(null, 'GET', '/api/numeros/1')).body).toEqual(numero);
    expect((await house.ask(null, 'PUT', '/api/numeros/1', body)).body).toEqual(numero);
    expect(await documentsOf(house, null, 'numeros')).toEqual([numero]);
    expect((await put(house, 1, { numero: '4' })).body).toEqual(makeNumero(1, '4'));
  });

  test('exists once per number in its periodical', async () => {
    const house = await openRevues();
    await ajouterNumero(house, 1, { numero: '12 bis' });
    await ajouterNumero(house, 1, { numero: '+' });
    await ajouterNumero(house, 1, { numero: '++' });
    await ajouterNumero(house, 2, { numero: '12 bis' });
    for (const [numero, id] of [
      ['12 BIS', 1],
      ['12-bis', 1],
      ['+', 2],
    ] as const)
      expect(await house.ask(null, 'POST', '/api/revues/1/numeros', { numero })).toMatchObject({
        status: 409,
        body: { code: 'NUMERO_EXISTANT', numero: { id } },
      });
    const { status, body } = await put(house, 2, { numero: '12 bis', themes: ['Mer'] });
    expect([status, body]).toMatchObject([
      409,
      { code: 'NUMERO_EXISTANT', message: 'Cette revue a déjà un numéro 12 bis.' },
    ]);
    expect((await house.ask(null, 'GET', '/api/revues/1/numeros')).body).toHaveLength(3);
    expect(await themes(house)).toEqual([]);
    expect((await put(house, 1, { numero: '12 Bis' })).status).toBe(200);
  });

  test.each([
    ['13', 'N° 13', 'n°013', 'No 13', 'Numéro 13', '１３', '№ 13'],
    ['HS 03', 'hs 3', 'HS n° 3'],
    ['3-4', '03/04'],
  ])('is one by value: %s', async (numero, ...others) => {
    const house = await openRevues();
    await ajouterNumero(house, 1, { numero });
    const answers = await Promise.all(
      others.map((other) => house.ask(null, 'POST', '/api/revues/1/numeros', { numero: other })),
    );
    expect(answers.map(({ status }) => status)).toEqual(others.map(() => 409));
    for (const another of ['14', '13 bis', '130', 'HS 30', 'Hors-série 3'])
      expect((await ajouterNumero(house, 1, { numero: another })).numero).toBe(another);
  });

  test('goes', async () => {
    const house = await openRevues();
    await ajouterNumero(house, 1, { articles: ['Un'], themes: ['Mer'] });
    expect(await house.ask(null, 'DELETE', '/api/numeros/1')).toMatchObject({
      status: 204,
      body: null,
    });
    expect((await house.ask(null, 'GET', '/api/numeros')).body).toEqual([]);
    expect(await themes(house)).toEqual([]);
    expect((await house.ask(null, 'DELETE', '/api/numeros/1')).status).toBe(404);
  });

  test('may be a year, month, day, season or double month', async () => {
    const house = await openRevues();
    for (const date of [
      '2024',
      '0999',
      '2024-12',
      '2024-02-29',
      '2000-02-29',
      '2026-12-31',
      'printemps 2026',
      'Juillet-août 2026',
      'Hiver 2025/2026',
    ])
      expect(await ajouterNumero(house, 1, { numero: date, date })).toMatchObject({ date });
  });
});

describe('invalid issues', () => {
  const dates = [
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13',
    '2026-00',
  ].concat([
    '2026-01-00',
    '2026-1',
    '26',
    '20261',
    '2026/01',
    '01-2026',
    '2026-01-01T',
    'mai',
    '٢٠٢٦',
  ]);

  test('is refused by its field, and nothing is written', async () => {
    const house = await openRevues();
    const before = await ajouterNumero(house, 1, { themes: ['Mer'], articles: ['Un'] });
    const revision = house.context.database.revision();
    for (const [name, saisie, champ] of [
      ...dates.map((date) => [`a date of ${date}`, { date }, 'date'] as const),
      ['no number', { numero: ' ' }, 'numero'],
      ['a number that is no text', { numero: 12 }, 'numero'],
      ['a cover that is no address', { coverUrl: 'ftp://exemple.fr/c.jpg' }, 'coverUrl'],
      ['an article of semicolons', { articles: ['Un', ' ; ;; '] }, 'articles.1'],
      ['articles that are no list', { articles: ';;' }, 'articles'],
      ['an article of 501 characters', { articles: ['a'.repeat(501)] }, 'articles.0'],
      ['themes that are no list', { themes: 'Mer' }, 'themes'],
      ['a theme of 201 characters', { themes: ['a'.repeat(201)] }, 'themes.0'],
      ['a summary of 10,001 characters', { resume: 'a'.repeat(10_001) }, 'resume'],
      ['a NUL', { une: 'a\0' }, 'une'],
    ] as const) {
      const payload = { numero: '2', themes: ['Neuf'], ...saisie };
      for (const [method, path] of [
        ['POST', '/api/revues/1/numeros'],
        ['PUT', '/api/numeros/1'],
      ] as const)
        expect(await house.ask(null, method, path, payload), `${name} ${method}`).toMatchObject({
          status: 400,
          body: { code: 'REQUETE_INVALIDE', champs: [{ champ }] },
        });
      expect(house.context.database.revision(), name).toBe(revision);
    }
    expect((await house.ask(null, 'GET', '/api/numeros')).body).toEqual([before]);
    expect(await themes(house)).toEqual(['Mer']);
  });

  test('is refused with the expected form', async () => {
    const house = await openRevues();
    const post = (saisie: object) =>
      house.ask(null, 'POST', '/api/revues/1/numeros', { numero: '2', ...saisie });
    expect((await post({ date: 'mai' })).body).toMatchObject({
      champs: [
        {
          message:
            'doit être une date comme 2026-11-20, 2026-11, juillet-août 2026 ou printemps 2026',
        },
      ],
    });
    expect((await post({ articles: [';'] })).body).toMatchObject({
      champs: [{ message: 'ne contient aucun titre' }],
    });
  });

  test('semicolons beside the title of an article are no fault', async () => {
    const numero = await ajouterNumero(await openRevues(), 1, { articles: ['Un ;', '; Deux'] });
    expect(numero).toMatchObject({ articles: ['Un ;', '; Deux'] });
  });

  test('an unknown issue or periodical is answered as not found', async () => {
    const house = await openRevues();
    for (const id of ['99', '0', 'x'])
      for (const [method, path, body] of [
        ['GET', `/api/numeros/${id}`],
        ['PUT', `/api/numeros/${id}`, { numero: '1' }],
        ['DELETE', `/api/numeros/${id}`],
        ['GET', `/api/revues/${id}/numeros`],
        ['POST', `/api/revues/${id}/numeros`, { numero: '1' }],
      ] as const)
        expect(await house.ask(null, method, path, body), path).toMatchObject({
          status: 404,
          body: { code: 'INTROUVABLE' },
        });
  });
});

describe('the themes', () => {
  test('are one vocabulary, each word in its first spelling', async () => {
    const house = await openRevues();
    await ajouterNumero(house, 1, { themes: ['Écologie', 'ÉCOLOGIE', 'mer'] });
    const { themes: following } = await ajouterNumero(house, 2, {
      themes: ['Mer', 'ecologie', 'Arts', '???', '!!!'],
    });
    expect(following).toEqual(['mer', 'Écologie', 'Arts', '???', '!!!']);
    expect((await house.ask(null, 'GET', '/api/themes')).body).toMatchObject(
      ['!!!', '???', 'Arts', 'Écologie', 'mer'].map((nom) => ({
        id: expect.any(Number) as number,
        nom,
      })),
    );
  });

  test('that no issue has any more are not proposed', async () => {
    const house = await openRevues();
    await ajouterNumero(house, 1, { themes: ['Mer', 'Ville'] });
    await put(house, 1, { themes: ['VILLE'] });
    expect(await themes(house)).toEqual(['Ville']);
    // The first spelling is restored.
    expect((await put(house, 1, { themes: ['mer'] })).body).toMatchObject({ themes: ['Mer'] });
    expect(await themes(house)).toEqual(['Mer']);
  });
});

test('issues of a periodical come newest first, undated last', async () => {
  const house = await openRevues();
  const dates = [null, '2024', '2025-03', '2024-06-15', '2025-03-01', '2024-06', null, '2025-03'];
  for (const [index, date] of dates.entries())
    await ajouterNumero(house, 1, { numero: String(index + 1), date });
  await ajouterNumero(house, 2, { date: '2030' });
  const { body } = await house.ask(null, 'GET', '/api/revues/1/numeros');
  expect((body as Numero[]).map(({ date, numero }) => `${numero} ${date ?? '-'}`)).toEqual([
    '5 2025-03-01',
    '3 2025-03',
    '8 2025-03',
    '4 2024-06-15',
    '6 2024-06',
    '2 2024',
    '1 -',
    '7 -',
  ]);
});
