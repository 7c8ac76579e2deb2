import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { rangs, souhaiter, souhaiterRevue } from '../support/souhaits.ts';

const LISTES = ['souhaits', 'souhaits-revues'] as const;
const ajouter = { souhaits: souhaiter, 'souhaits-revues': souhaiterRevue };

describe.each(LISTES)('the order of %s', (liste) => {
  /** A house where Ana wants A to D (1, 2, 4 and 5), and Bob something between. */
  async function quatre() {
    const house = await openHouse();
    for (const [qui, titre] of [
      ['ana', 'A'],
      ['ana', 'B'],
      ['bob', 'X'],
      ['ana', 'C'],
      ['ana', 'D'],
    ] as const)
      await ajouter[liste](house, qui, { titre });
    return house;
  }

  test('is put anew by all its ids, and answers the list', async () => {
    const house = await quatre();
    const path = `/api/${liste}/ordre`;
    const { status, body, headers } = await house.ask('ana', 'PUT', path, { ids: [5, 1, 4, 2] });
    expect(status).toBe(200);
    expect((body as { id: number; rang: number }[]).map(({ id, rang }) => [id, rang])).toEqual([
      [5, 1],
      [1, 2],
      [4, 3],
      [2, 4],
    ]);
    expect(Number(headers.get('x-revision'))).toBe(house.context.base.revision());
    expect(await rangs(house, 'ana', liste)).toEqual(['1 D', '2 A', '3 C', '4 B']);
    expect(await rangs(house, 'bob', liste)).toEqual(['1 X']);
  });

  test.each([
    ['one missing', [5, 1, 4]],
    ['none', []],
    ['one doubled', [5, 1, 4, 2, 2]],
    ['one doubled in place of another', [5, 1, 4, 4]],
    ['another’s among them', [5, 1, 4, 2, 3]],
    ['another’s in place of one', [5, 1, 4, 3]],
    ['one that never was', [5, 1, 4, 99]],
  ])('is refused with %s, and nothing is changed', async (_, ids) => {
    const house = await quatre();
    const revision = house.context.base.revision();
    const { status, body } = await house.ask('ana', 'PUT', `/api/${liste}/ordre`, { ids });
    expect([status, body]).toMatchObject([409, { code: 'LISTE_PERIMEE' }]);
    expect(await rangs(house, 'ana', liste)).toEqual(['1 A', '2 B', '3 C', '4 D']);
    expect(house.context.base.revision()).toBe(revision);
  });

  test.each([[{}], [{ ids: '1' }], [{ ids: ['1'] }], [{ ids: [1.5] }], [{ ids: [0] }], [[1]]])(
    'is no order: %j',
    async (corps) => {
      const house = await quatre();
      const { status, body } = await house.ask('ana', 'PUT', `/api/${liste}/ordre`, corps);
      expect([status, body]).toMatchObject([400, { code: 'REQUETE_INVALIDE' }]);
    },
  );

  test('has no hole where a wish is taken off', async () => {
    const house = await quatre();
    const { status, body } = await house.ask('ana', 'DELETE', `/api/${liste}/2`);
    expect([status, body]).toEqual([204, null]);
    expect(await rangs(house, 'ana', liste)).toEqual(['1 A', '2 C', '3 D']);
    expect(await rangs(house, 'bob', liste)).toEqual(['1 X']);
    expect((await ajouter[liste](house, 'ana', { titre: 'E' })).rang).toBe(4);
  });
});

test('the two lists number their ranks apart', async () => {
  const house = await openHouse();
  await souhaiter(house, 'ana', { titre: 'A' });
  await souhaiter(house, 'ana', { titre: 'B' });
  expect((await souhaiterRevue(house, 'ana', { titre: 'R' })).rang).toBe(1);
  await house.ask('ana', 'DELETE', '/api/souhaits/1');
  expect(await rangs(house, 'ana', 'souhaits-revues')).toEqual(['1 R']);
});

const geste = fc.oneof(
  fc.record({ fait: fc.constant('ajouter'), qui: fc.constantFrom('ana', 'bob') }),
  fc.record({ fait: fc.constant('retirer'), qui: fc.constantFrom('ana', 'bob'), nth: fc.nat(20) }),
  fc.record({
    fait: fc.constant('deplacer'),
    qui: fc.constantFrom('ana', 'bob'),
    nth: fc.nat(20),
    vers: fc.nat(20),
  }),
);

test('whatever is done, the ranks run from 1 without holes, in the order that was asked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...LISTES),
      fc.array(geste, { maxLength: 40 }),
      async (liste, gestes) => {
        const house = await openHouse();
        const modele: Record<string, number[]> = { ana: [], bob: [] };
        let n = 0;
        for (const g of gestes) {
          const ids = (modele[g.qui] ??= []);
          if (g.fait === 'ajouter') {
            const { id } = await ajouter[liste](house, g.qui, { titre: `Titre ${String(++n)}` });
            ids.push(id);
          } else if ('nth' in g && ids.length > 0) {
            const [id = 0] = ids.splice(g.nth % ids.length, 1);
            if ('vers' in g) {
              ids.splice(g.vers % (ids.length + 1), 0, id);
              await house.ask(g.qui, 'PUT', `/api/${liste}/ordre`, { ids });
            } else await house.ask(g.qui, 'DELETE', `/api/${liste}/${String(id)}`);
          }
        }
        for (const qui of ['ana', 'bob']) {
          const { body } = await house.ask(qui, 'GET', `/api/${liste}`);
          expect(
            (body as { id: number; rang: number }[]).map(({ id, rang }) => [id, rang]),
          ).toEqual(modele[qui]?.map((id, index) => [id, index + 1]));
        }
        await house.close();
      },
    ),
    { numRuns: 15 },
  );
});
