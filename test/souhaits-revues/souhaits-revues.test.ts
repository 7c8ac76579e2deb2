import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { rangs, souhaiterRevue } from '../support/souhaits.ts';
import { documentsOf } from '../support/replication.ts';

test('a wished periodical has a dashed ISSN and own rank', async () => {
  const house = await openHouse();
  const saisie = { titre: ' Cahiers ', numero: ' 12 bis ', issn: '0988 2480', rang: 4 };
  const { status, body, headers } = await house.ask('ana', 'POST', '/api/souhaits-revues', saisie);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: 1,
    titre: 'Cahiers',
    numero: '12 bis',
    issn: '0988-2480',
    rang: 1,
    dateAjout: expect.stringMatching(/Z$/) as string,
  });
  expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
  expect(await documentsOf(house, 'ana', 'souhaits-revues')).toEqual([body]);
});

test('the same periodical and number cannot be wished for twice', async () => {
  const house = await openHouse();
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers' });
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers', numero: '12 bis' });
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers', numero: '+' });
  await souhaiterRevue(house, 'bob', { titre: 'Cahiers' });
  for (const saisie of [
    { titre: 'CAHIERS', numero: ' ' },
    { titre: 'Cahiers : revue', numero: '12 BIS' },
    { titre: 'Cahiers', numero: '+', issn: '0988-2480' },
  ])
    expect(await house.ask('ana', 'POST', '/api/souhaits-revues', saisie)).toMatchObject({
      status: 400,
      body: { code: 'SOUHAIT_EXISTANT', message: 'C’est déjà sur votre liste.' },
    });
  expect(await rangs(house, 'ana', 'souhaits-revues')).toHaveLength(3);
});

test('an edit replaces all but the rank and date', async () => {
  const house = await openHouse();
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers' });
  const { dateAjout } = await souhaiterRevue(house, 'ana', { titre: 'Rivages', numero: '2' });
  const put = (payload: object) => house.ask('ana', 'PUT', '/api/souhaits-revues/2', payload);
  expect(await put({ titre: 'Rivages', issn: '29170443', rang: 1 })).toMatchObject({
    status: 200,
    body: { id: 2, titre: 'Rivages', numero: null, issn: '2917-0443', rang: 2, dateAjout },
  });
});

test('an edit is refused onto another wish', async () => {
  const house = await openHouse();
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers', numero: '1', issn: '0988-2480' });
  await souhaiterRevue(house, 'ana', { titre: 'Rivages', numero: '2' });
  const put = (payload: object) => house.ask('ana', 'PUT', '/api/souhaits-revues/2', payload);
  expect(await put({ titre: 'cahiers', numero: '1' })).toMatchObject({
    status: 400,
    body: { code: 'SOUHAIT_EXISTANT' },
  });
  expect(await put({ titre: 'Cahiers' })).toMatchObject({ status: 200, body: { issn: null } });
});

test('an invalid periodical is refused, and nothing is written', async () => {
  const house = await openHouse();
  await souhaiterRevue(house, 'ana', { titre: 'Rivages' });
  for (const [saisie, code] of [
    [{ issn: '0988-2481' }, 'ISSN_INVALIDE'],
    [{ issn: '9770988248008' }, 'ISSN_INVALIDE'],
    [{ titre: '' }, 'REQUETE_INVALIDE'],
    [{ titre: 'a'.repeat(501) }, 'REQUETE_INVALIDE'],
    [{ numero: 12 }, 'REQUETE_INVALIDE'],
  ] as const)
    for (const [method, path] of [
      ['POST', '/api/souhaits-revues'],
      ['PUT', '/api/souhaits-revues/1'],
    ] as const) {
      const answer = await house.ask('ana', method, path, { titre: 'Cahiers', ...saisie });
      expect(answer, JSON.stringify(saisie)).toMatchObject({ status: 400, body: { code } });
    }
  expect(await rangs(house, 'ana', 'souhaits-revues')).toEqual(['1 Rivages']);
});

test('another’s is hidden, and an unknown caller has none', async () => {
  const house = await openHouse();
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers' });
  const one = '/api/souhaits-revues/1';
  for (const [method, body] of [['PUT', { titre: 'À moi' }], ['DELETE']] as const) {
    expect(await house.ask('bob', method, one, body)).toMatchObject({ status: 404 });
    expect(await house.ask(null, method, one, body)).toMatchObject({ status: 401 });
  }
  const ordre = (reader: string | null) =>
    house.ask(reader, 'PUT', '/api/souhaits-revues/ordre', { ids: [1] });
  expect(await ordre('bob')).toMatchObject({ status: 409, body: { code: 'LISTE_PERIMEE' } });
  expect(await ordre(null)).toMatchObject({ status: 401 });
  expect(await house.ask(null, 'GET', '/api/souhaits-revues')).toMatchObject({ status: 401 });
  expect(await rangs(house, 'ana', 'souhaits-revues')).toEqual(['1 Cahiers']);
});
