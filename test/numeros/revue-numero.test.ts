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
  expect(await revues(house)).toEqual([
    { id: 1, titre: 'Cahiers', issn: '0988-2480', secondIssn: null },
  ]);
});

test('a periodical that is there is found', async () => {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Cahiers' });
  const body = { revue: { titre: 'cahiers' }, numero: { numero: '1' } };
  expect(await add(house, body)).toMatchObject({ status: 201, body: { revueId: 1 } });
  expect(await revues(house)).toHaveLength(1);
});

test('an issue and its new periodical are written together only', async () => {
  const house = await openHouse();
  await ajouterNumero(house, (await ajouterRevue(house, { titre: 'Cahiers' })).id);
  const revision = house.context.database.revision();
  const invalid = (champ: string) => ({ code: 'REQUETE_INVALIDE', champs: [{ champ }] });
  for (const [revue, numero, status, refusal] of [
    [{ titre: 'Rivages' }, { numero: '1', date: 'hier' }, 400, invalid('numero.date')],
    [{ titre: 'Rivages' }, { numero: '1', coverUrl: 'c.jpg' }, 400, invalid('numero.coverUrl')],
    [
      { titre: 'Rivages' },
      { numero: '1', themes: ['Mer'], articles: ['Un', ';'] },
      400,
      invalid('numero.articles.1'),
    ],
    [{ titre: 'Rivages' }, { numero: 1 }, 400, invalid('numero.numero')],
    [{ titre: 'Rivages' }, { numero: ' ' }, 400, invalid('numero.numero')],
    [{ titre: 'Rivages' }, {}, 400, invalid('numero.numero')],
    [{}, { numero: '1' }, 400, invalid('revue.titre')],
    [{ titre: 'Rivages', issn: '0988-2481' }, { numero: '1' }, 400, { code: 'ISSN_INVALIDE' }],
    [{ titre: 'Cahiers', issn: '0988-2480' }, { numero: '1' }, 409, { code: 'NUMERO_EXISTANT' }],
  ] as const) {
    const asked = JSON.stringify({ revue, numero });
    expect(await add(house, { revue, numero }), asked).toMatchObject({ status, body: refusal });
    expect(await revues(house), asked).toEqual([
      { id: 1, titre: 'Cahiers', issn: null, secondIssn: null },
    ]);
    expect(await themes(house), asked).toEqual([]);
    expect(house.context.database.revision(), asked).toBe(revision);
  }
});
