import { describe, expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { rangs, souhaiter } from '../support/souhaits.ts';
import { documentsOf } from '../support/replication.ts';

const ISBN = '9782070360024';
const FALLBACK = `https://covers.openlibrary.org/b/isbn/${ISBN}-L.jpg?default=false`;
const OTHER_ISBN = '9782070408504';
const COVER = 'https://exemple.fr/c.jpg';

const put = (house: House, id: number, saisie: object, utilisateur = 'ana') =>
  house.ask(utilisateur, 'PUT', `/api/souhaits/${String(id)}`, { titre: 'Un titre', ...saisie });

describe('a wish', () => {
  test('for an owned book is accepted, with the book in the response', async () => {
    const house = await openHouse();
    await ajouterLivre(house, { titre: 'Nana', auteurs: ['Émile Zola'], isbn: ISBN });
    const add = async (saisie: object) =>
      (await house.ask('ana', 'POST', '/api/souhaits', saisie)).body;
    expect(await add({ titre: 'Nana : roman', auteur: 'Zola, Emile' })).toMatchObject({
      livreId: 1,
    });
    expect(await add({ titre: 'Tout autre', isbn: ISBN })).toMatchObject({ livreId: 1 });
    expect(await add({ titre: 'Nana', auteur: 'Un autre' })).not.toHaveProperty('livreId');
    expect(await rangs(house, 'ana')).toHaveLength(3);
  });

  test('is added at the end of its owner’s own list', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: 'Sido' });
    const saisie = { titre: ' Chéri ', auteur: ' Colette ', isbn: '2-07-036002-4', rang: 9, id: 7 };
    const { status, body, headers } = await house.ask('ana', 'POST', '/api/souhaits', saisie);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: 2,
      titre: 'Chéri',
      auteur: 'Colette',
      isbn: ISBN,
      isbnAffiche: '978-2-07-036002-4',
      coverUrl: FALLBACK,
      couverture: null,
      rang: 2,
      dateAjout: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    });
    expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(await rangs(house, 'ana')).toEqual(['1 Sido', '2 Chéri']);
    expect(await rangs(house, 'bob')).toEqual([]);
    expect((await souhaiter(house, 'bob', { titre: 'Chéri' })).rang).toBe(1);
    expect((await house.ask('ana', 'GET', '/api/livres')).body).toEqual([]);
  });

  test('of the same work and author is refused however written', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: 'Sido', auteur: 'Colette' });
    for (const titre of ['sido', 'SIDO : récit', 'Sido / Colette']) {
      const again = { titre, auteur: 'COLETTE' };
      const { status, body } = await house.ask('ana', 'POST', '/api/souhaits', again);
      expect(status, titre).toBe(400);
      expect(body, titre).toEqual({
        statusCode: 400,
        error: 'Bad Request',
        code: 'SOUHAIT_EXISTANT',
        message: 'C’est déjà sur votre liste.',
      });
    }
    expect(await rangs(house, 'ana')).toEqual(['1 Sido']);
  });

  test('without an author differs from one with an author', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: 'Sido' });
    const again = { titre: 'Sido', auteur: ' ' };
    expect((await house.ask('ana', 'POST', '/api/souhaits', again)).body).toMatchObject({
      code: 'SOUHAIT_EXISTANT',
    });
    await souhaiter(house, 'ana', { titre: 'Sido', auteur: 'Colette' });
    await souhaiter(house, 'ana', { titre: 'Sido', auteur: 'Willy' });
    await souhaiter(house, 'bob', { titre: 'Sido' });
  });

  test('is recognised by its author in any order of names', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: 'Triste tigre', auteur: 'Neige Sinno' });
    const again = { titre: 'Triste Tigre', auteur: 'Sinno, Neige' };
    const { status, body } = await house.ask('ana', 'POST', '/api/souhaits', again);
    expect([status, body]).toMatchObject([400, { code: 'SOUHAIT_EXISTANT' }]);
    expect((await put(house, 1, again)).body).toMatchObject({ auteur: 'Sinno, Neige' });
  });

  test('with a title of symbols only resembles only itself', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: '???' });
    await souhaiter(house, 'ana', { titre: '!!!' });
    await souhaiter(house, 'ana', { titre: 'Sido' });
    await souhaiter(house, 'ana', { titre: 'Sido', auteur: '***' });
    const { body } = await house.ask('ana', 'POST', '/api/souhaits', { titre: '!!!' });
    expect(body).toMatchObject({ code: 'SOUHAIT_EXISTANT' });
  });
});

describe('an edited wish', () => {
  test('gets new keys, and keeps its rank and date', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: 'Sido' });
    const before = await souhaiter(house, 'ana', { titre: 'Chéri', auteur: 'Colette' });
    const { status, body } = await put(house, 2, { titre: 'La Chatte', rang: 1 });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, titre: 'La Chatte', auteur: null });
    await souhaiter(house, 'ana', { titre: 'Chéri', auteur: 'Colette' });
    const { status: refus, body: message } = await put(house, 3, { titre: 'la chatte' });
    expect([refus, message]).toMatchObject([400, { code: 'SOUHAIT_EXISTANT' }]);
    expect(await rangs(house, 'ana')).toEqual(['1 Sido', '2 La Chatte', '3 Chéri']);
  });

  test('may repeat its own title in another spelling', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: 'sido' });
    expect((await put(house, 1, { titre: 'Sido : récit' })).status).toBe(200);
  });

  test('keeps its cover unless another one is given', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { coverUrl: COVER, isbn: ISBN });
    for (const coverUrl of [undefined, null, '', ' '])
      expect((await put(house, 1, { isbn: ISBN, coverUrl })).body).toMatchObject({
        coverUrl: COVER,
      });
    const other = 'http://exemple.fr/autre.jpg';
    expect((await put(house, 1, { coverUrl: other })).body).toMatchObject({ coverUrl: other });
  });

  test('a fallback cover sent back counts as none given', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { isbn: ISBN, coverUrl: FALLBACK });
    const other = FALLBACK.replace(ISBN, OTHER_ISBN);
    const payload = { isbn: OTHER_ISBN, coverUrl: FALLBACK };
    expect((await put(house, 1, payload)).body).toMatchObject({ coverUrl: other });
    expect((await put(house, 1, { coverUrl: other })).body).toMatchObject({ coverUrl: null });
    await put(house, 1, { isbn: ISBN, coverUrl: COVER });
    expect((await put(house, 1, { isbn: ISBN, coverUrl: FALLBACK })).body).toMatchObject({
      coverUrl: COVER,
    });
  });

  test('shows the fallback of the site that the setting says', async () => {
    const house = await openHouse(undefined, {
      OPEN_LIBRARY_COVERS_URL: 'https://couvertures.example/',
    });
    const { coverUrl } = await souhaiter(house, 'ana', { isbn: ISBN });
    expect(coverUrl).toBe(`https://couvertures.example/b/isbn/${ISBN}-L.jpg?default=false`);
    expect(await documentsOf(house, 'ana', 'souhaits')).toMatchObject([{ coverUrl }]);
  });
});

test('an invalid wish is refused, and nothing is written', async () => {
  const house = await openHouse();
  await souhaiter(house, 'ana', { titre: 'Sido' });
  for (const [name, saisie, code] of [
    ['an ISBN with a wrong check digit', { isbn: '9782070360025' }, 'ISBN_INVALIDE'],
    ['a periodical’s code', { isbn: '9772917044002' }, 'ISBN_INVALIDE'],
    ['a cover that is no address', { coverUrl: 'c.jpg' }, 'REQUETE_INVALIDE'],
    ['a cover that is a script', { coverUrl: 'javascript:alert(1)' }, 'REQUETE_INVALIDE'],
    ['no title', { titre: ' ' }, 'REQUETE_INVALIDE'],
    ['a title of 501 characters', { titre: 'a'.repeat(501) }, 'REQUETE_INVALIDE'],
    ['an author of 201 characters', { auteur: 'a'.repeat(201) }, 'REQUETE_INVALIDE'],
    ['a number for an author', { auteur: 12 }, 'REQUETE_INVALIDE'],
    ['a NUL', { auteur: 'a\0' }, 'REQUETE_INVALIDE'],
    ['a lone surrogate', { titre: '\ud83d' }, 'REQUETE_INVALIDE'],
  ] as const)
    for (const [method, path] of [
      ['POST', '/api/souhaits'],
      ['PUT', '/api/souhaits/1'],
    ] as const)
      expect(
        await house.ask('ana', method, path, { titre: 'Chéri', ...saisie }),
        `${name} ${method}`,
      ).toMatchObject({ status: 400, body: { code } });
  expect(await rangs(house, 'ana')).toEqual(['1 Sido']);
});

describe('the wall', () => {
  const operations = (id: string): [method: string, path: string, body?: object][] => [
    ['PUT', `/api/souhaits/${id}`, { titre: 'À moi' }],
    ['PUT', `/api/souhaits/${id}`, { titre: 'À moi', isbn: 'faux' }],
    ['DELETE', `/api/souhaits/${id}`],
  ];

  test('another’s wish is hidden, like an unknown one', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: 'Sido' });
    for (const id of ['1', '99', '0', 'x', 'ordre/'])
      for (const [method, path, body] of atLeastOne(operations(id)))
        expect(await house.ask('bob', method, path, body), path).toMatchObject({
          status: 404,
          body: { code: 'INTROUVABLE' },
        });
    const ordre = await house.ask('bob', 'PUT', '/api/souhaits/ordre', { ids: [1] });
    expect(ordre).toMatchObject({ status: 409, body: { code: 'LISTE_PERIMEE' } });
    expect(await rangs(house, 'ana')).toEqual(['1 Sido']);
  });

  test('an unknown caller has no list, even with an invalid body', async () => {
    const house = await openHouse();
    const all: [string, string, unknown?][] = [
      ...operations('1'),
      ['GET', '/api/souhaits'],
      ['POST', '/api/souhaits', { titre: '' }],
      ['PUT', '/api/souhaits/ordre', { ids: 'x' }],
      ['GET', '/api/souhaits/export.txt'],
      ['GET', '/api/souhaits/export.csv'],
    ];
    for (const [method, path, body] of all)
      expect(await house.ask(null, method, path, body), path).toMatchObject({
        status: 401,
        body: { code: 'IDENTITE_INCONNUE' },
      });
  });
});
