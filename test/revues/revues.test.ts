import { describe, expect, test } from 'vitest';
import type { Revue } from '#shared/revues';
import { openHouse, type House } from '../support/house.ts';
import { ajouterNumero, ajouterRevue, themes } from '../support/revues.ts';
import { documentsOf } from '../support/replication.ts';

const ISSN = '0988-2480';
const AUTRE = '2917-0443';

const poster = (house: House, saisie: object) => house.ask(null, 'POST', '/api/revues', saisie);

/** The periodicals as « id title issn ». */
async function all(house: House): Promise<string[]> {
  const { body } = await house.ask(null, 'GET', '/api/revues');
  return (body as Revue[]).map(({ id, titre, issn }) => `${String(id)} ${titre} ${issn ?? '-'}`);
}

describe('a periodical', () => {
  test('is made with a dashed ISSN, and listed by title', async () => {
    const house = await openHouse();
    const { status, body, headers } = await poster(house, { titre: ' Zoom ', issn: '09882480' });
    expect([status, body]).toEqual([201, { id: 1, titre: 'Zoom', issn: ISSN, secondIssn: null }]);
    expect(headers.get('location')).toBe('/api/revues/1');
    expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
    await poster(house, { titre: 'Été' });
    await poster(house, { titre: 'étang', issn: ' ' });
    expect((await house.ask(null, 'GET', '/api/revues/1')).body).toEqual(body);
    expect(await all(house)).toEqual(['3 étang -', '2 Été -', `1 Zoom ${ISSN}`]);
    expect(await documentsOf(house, null, 'revues')).toMatchObject([body, {}, {}]);
  });

  test('is found by its ISSN, or else by its title', async () => {
    const house = await openHouse();
    await ajouterRevue(house, { titre: 'Avec', issn: ISSN });
    await ajouterRevue(house, { titre: 'Sans' });
    for (const [saisie, expected, id, titre, issn] of [
      // The ISSN matches, whatever the title.
      [{ titre: 'Autre', issn: '0988 2480' }, 200, 1, 'Avec', ISSN],
      [{ titre: 'AVEC' }, 200, 1, 'Avec', ISSN],
      // A periodical without an ISSN takes the given one.
      [{ titre: 'sans', issn: AUTRE }, 200, 2, 'Sans', AUTRE],
      // No match: the title has another ISSN, both are new, or titles have no letter.
      [{ titre: 'Avec', issn: '0153-4092' }, 201, 3, 'Avec', '0153-4092'],
      [{ titre: 'Neuve' }, 201, 4, 'Neuve', null],
      [{ titre: '???' }, 201, 5, '???', null],
    ] as const) {
      const { status, body, headers } = await poster(house, saisie);
      expect([status, body]).toEqual([expected, { id, titre, issn, secondIssn: null }]);
      expect(headers.get('location')).toBe(`/api/revues/${String(id)}`);
      expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
      expect((await poster(house, saisie)).status).toBe(200);
    }
  });

  test('of an ambiguous title is the first that fits', async () => {
    const house = await openHouse();
    await ajouterRevue(house, { titre: 'Une', issn: ISSN });
    await ajouterRevue(house, { titre: 'Une', issn: AUTRE });
    expect((await poster(house, { titre: 'une' })).body).toMatchObject({ id: 1 });
    await house.ask(null, 'PUT', '/api/revues/2', { titre: 'Une' });
    expect((await poster(house, { titre: 'une', issn: AUTRE })).body).toEqual({
      id: 2,
      titre: 'Une',
      issn: AUTRE,
      secondIssn: null,
    });
  });

  test('that is written is whole, and its ISSN its own', async () => {
    const house = await openHouse();
    await ajouterRevue(house, { titre: 'Une', issn: ISSN });
    await ajouterRevue(house, { titre: 'Deux', issn: AUTRE });
    const put = (payload: object) => house.ask(null, 'PUT', '/api/revues/2', payload);
    expect(await put({ titre: 'Trois', issn: '09882480' })).toMatchObject({
      status: 409,
      body: {
        code: 'REVUE_EXISTANTE',
        message: 'Cet ISSN est déjà celui de la revue Une.',
        revue: { id: 1, titre: 'Une' },
      },
    });
    expect(await all(house)).toEqual([`2 Deux ${AUTRE}`, `1 Une ${ISSN}`]);
    expect((await put({ titre: 'Une', issn: AUTRE })).body).toMatchObject({ issn: AUTRE });
    expect(await put({ titre: 'Une' })).toMatchObject({ status: 200, body: { issn: null } });
    expect(await poster(house, { titre: 'Quatre' })).toMatchObject({ status: 201 });
  });

  test('is deleted with its issues and the themes only theirs', async () => {
    const house = await openHouse();
    const { id } = await ajouterRevue(house);
    await ajouterRevue(house, { titre: 'Autre' });
    await ajouterNumero(house, id, { themes: ['Mer', 'Ville'] });
    await ajouterNumero(house, 2, { themes: ['Ville'] });
    const { status, body } = await house.ask(null, 'DELETE', '/api/revues/1');
    expect([status, body]).toEqual([204, null]);
    expect((await house.ask(null, 'GET', '/api/numeros')).body).toMatchObject([{ id: 2 }]);
    expect(await themes(house)).toEqual(['Ville']);
    for (const path of ['/api/revues/1', '/api/revues/1/numeros', '/api/numeros/1'])
      expect(await house.ask(null, 'GET', path)).toMatchObject({ status: 404 });
    expect(await documentsOf(house, null, 'numeros')).toMatchObject([{ id: 2 }]);
  });
});

test('an invalid periodical is refused, and nothing is written', async () => {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Une', issn: ISSN });
  for (const [saisie, code] of [
    [{ issn: '0988-2481' }, 'ISSN_INVALIDE'],
    [{ issn: '09882' }, 'ISSN_INVALIDE'],
    [{ issn: '9770988248008' }, 'ISSN_INVALIDE'],
    [{ titre: ' ' }, 'REQUETE_INVALIDE'],
    [{ titre: 'a'.repeat(501) }, 'REQUETE_INVALIDE'],
    [{ issn: 9882480 }, 'REQUETE_INVALIDE'],
  ] as const) {
    const payload = { titre: 'Deux', ...saisie };
    for (const answer of [
      await poster(house, payload),
      await house.ask(null, 'PUT', '/api/revues/1', payload),
    ])
      expect(answer, JSON.stringify(saisie)).toMatchObject({ status: 400, body: { code } });
  }
  expect(await all(house)).toEqual([`1 Une ${ISSN}`]);
});

test('a missing periodical cannot be read, written or deleted', async () => {
  const house = await openHouse();
  for (const id of ['99', '0', 'x'])
    for (const [method, body] of [['GET'], ['PUT', { titre: 'A', issn: 'x' }], ['DELETE']] as const)
      expect(await house.ask(null, method, `/api/revues/${id}`, body)).toMatchObject({
        status: 404,
        body: { code: 'INTROUVABLE' },
      });
});
