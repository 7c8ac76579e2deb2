import { expect, test } from 'vitest';
import { openHouse, type House } from '../support/house.ts';
import { ajouterNumero, ajouterRevue, themes } from '../support/revues.ts';

const add = (house: House, body: unknown) => house.ask(null, 'POST', '/api/revues/numeros', body);

const revues = async (house: House) => (await house.ask(null, 'GET', '/api/revues')).body;

test('an issue and its periodical are added at once', async () => {
  const house = await openHouse();
  const { status, body, headers } = await add(house, {
    revue: { titre: 'Cahiers', issn: '09882480' },
    numero: { numero: '1', date: '2026-11', themes: ['Mer'] },
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ id: 1, revueId: 1, numero: '1', date: '2026-11', themes: ['Mer'] });
  expect(headers.get('location')).toBe('/api/numeros/1');
  expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
  expect(await revues(house)).toEqual([{ id: 1, titre: 'Cahiers', issn: '0988-2480' }]);
});

test('a periodical that is there is found', async () => {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Cahiers' });
  const body = { revue: { titre: 'cahiers' }, numero: { numero: '1' } };
  expect(await add(house, body)).toMatchObject({ status: 201, body: { revueId: 1 } });
  expect(await revues(house)).toHaveLength(1);
});

test.each<[object, object, number, string]>([
  [{ titre: 'Rivages' }, { numero: '1', date: 'hier' }, 400, 'REQUETE_INVALIDE'],
  [
    { titre: 'Rivages' },
    { numero: '1', themes: ['Mer'], articles: [';'] },
    400,
    'REQUETE_INVALIDE',
  ],
  [{ titre: 'Rivages' }, { numero: ' ' }, 400, 'REQUETE_INVALIDE'],
  [{ titre: 'Rivages' }, {}, 400, 'REQUETE_INVALIDE'],
  [{}, { numero: '1' }, 400, 'REQUETE_INVALIDE'],
  [{ titre: 'Rivages', issn: '0988-2481' }, { numero: '1' }, 400, 'ISSN_INVALIDE'],
  [{ titre: 'Cahiers', issn: '0988-2480' }, { numero: '1' }, 409, 'NUMERO_EXISTANT'],
])('of %j and %j neither is written', async (revue, numero, status, code) => {
  const house = await openHouse();
  await ajouterNumero(house, (await ajouterRevue(house, { titre: 'Cahiers' })).id);
  const revision = house.context.database.revision();
  expect(await add(house, { revue, numero })).toMatchObject({ status, body: { code } });
  expect(await revues(house)).toEqual([{ id: 1, titre: 'Cahiers', issn: null }]);
  expect(await themes(house)).toEqual([]);
  expect(house.context.database.revision()).toBe(revision);
});

test.each([
  [{ numero: '1', date: 'hier' }, 'numero.date'],
  [{ numero: '1', coverUrl: 'c.jpg' }, 'numero.coverUrl'],
  [{ numero: '1', articles: ['Un', ';'] }, 'numero.articles.1'],
  [{ numero: 1 }, 'numero.numero'],
])('%j is refused at %s', async (numero, champ) => {
  const { body } = await add(await openHouse(), { revue: { titre: 'Cahiers' }, numero });
  expect(body).toMatchObject({ code: 'REQUETE_INVALIDE', champs: [{ champ }] });
});
