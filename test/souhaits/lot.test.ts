import { describe, expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { rangs, souhaiter, souhaiterRevue } from '../support/souhaits.ts';

/** Ana wants the books A, B, D and the issues P, Q; Bob wants C. */
async function openLists() {
  const house = await openHouse();
  for (const titre of ['A', 'B']) await souhaiter(house, 'ana', { titre });
  await souhaiter(house, 'bob', { titre: 'C' });
  await souhaiter(house, 'ana', { titre: 'D' });
  for (const titre of ['P', 'Q']) await souhaiterRevue(house, 'ana', { titre });
  const send = (body: unknown) => house.ask('ana', 'POST', '/api/souhaits/lot', body);
  const lists = async () => [
    await rangs(house, 'ana'),
    await rangs(house, 'ana', 'souhaits-revues'),
    await rangs(house, 'bob'),
  ];
  return { house, send, lists };
}

describe('many wishes at once', () => {
  test.each([
    ['supprimer', [['1 B'], ['1 Q']], '3 souhaits retirés'],
    [
      'enTete',
      [
        ['1 A', '2 D', '3 B'],
        ['1 P', '2 Q'],
      ],
      '3 souhaits mis en tête',
    ],
    [
      'enFin',
      [
        ['1 B', '2 A', '3 D'],
        ['1 Q', '2 P'],
      ],
      '3 souhaits mis à la fin',
    ],
  ] as const)('%s is one act over both lists, and one undoing', async (action, after, resume) => {
    const { house, send, lists } = await openLists();
    const before = await lists();
    // With a duplicate, and not in the list's order.
    const { status, body, headers } = await send({ action, souhaits: [4, 1, 4], revues: [1] });
    expect([status, body]).toEqual([200, { action, nombre: 3 }]);
    expect(await lists()).toEqual([...after, ['1 C']]);
    const act = String(headers.get('x-modification'));
    expect((await house.ask('ana', 'GET', `/api/modifications/${act}`)).body).toMatchObject({
      resume,
    });
    // Nobody else can read the modification.
    expect((await house.ask('bob', 'GET', `/api/modifications/${act}`)).status).toBe(404);
    await house.ask('ana', 'POST', `/api/modifications/${act}/annulation`);
    expect(await lists()).toEqual(before);
  });

  test('one wish is announced in the singular', async () => {
    const { house, send } = await openLists();
    const { headers } = await send({ action: 'supprimer', revues: [2] });
    const act = String(headers.get('x-modification'));
    expect((await house.ask('ana', 'GET', `/api/modifications/${act}`)).body).toMatchObject({
      resume: '1 souhait retiré',
    });
  });

  test.each([
    ['a wish of another reader', { action: 'supprimer', souhaits: [1, 3] }, 404, 'INTROUVABLE'],
    ['one to move that is gone', { action: 'enTete', souhaits: [1, 9] }, 404, 'INTROUVABLE'],
    ['an issue that is gone', { action: 'enFin', souhaits: [2], revues: [9] }, 404, 'INTROUVABLE'],
    ['none', { action: 'supprimer', souhaits: [], revues: [] }, 400, 'REQUETE_INVALIDE'],
    ['no list', { action: 'supprimer' }, 400, 'REQUETE_INVALIDE'],
    ['another action', { action: 'lire', souhaits: [1] }, 400, 'REQUETE_INVALIDE'],
    [
      'too many',
      { action: 'enFin', souhaits: Array.from({ length: 1001 }, () => 1) },
      400,
      'REQUETE_INVALIDE',
    ],
  ])('%s changes nothing', async (_, body, status, code) => {
    const { send, lists } = await openLists();
    const before = await lists();
    expect(await send(body)).toMatchObject({ status, body: { code } });
    expect(await lists()).toEqual(before);
  });

  test('needs a known caller', async () => {
    const { house } = await openLists();
    const lot = { action: 'supprimer', souhaits: [1] };
    expect(await house.ask(null, 'POST', '/api/souhaits/lot', lot)).toMatchObject({
      status: 401,
      body: { code: 'IDENTITE_INCONNUE' },
    });
  });

  test('a thousand go in a thread of their own', async () => {
    const { house, send, lists } = await openLists();
    house.context.database.write((tx) =>
      tx.run(
        `INSERT INTO Souhait
           (utilisateur, titre, cleOeuvre, auteurNormalise, dateAjout, rang, ordre)
         SELECT 'ana', 'Livre ' || value, 'livre ' || value, '', '2026-01-01T00:00:00.000Z',
           value + 3, value + 9 FROM json_each(?)`,
        JSON.stringify(Array.from({ length: 1000 }, (_, index) => index + 1)),
      ),
    );
    const ids = house.context.database.values<number>(
      "SELECT id FROM Souhait WHERE titre LIKE 'Livre %' ORDER BY rang",
    );
    expect(await send({ action: 'supprimer', souhaits: ids })).toMatchObject({ status: 200 });
    expect((await lists())[0]).toEqual(['1 A', '2 B', '3 D']);
  });
});
