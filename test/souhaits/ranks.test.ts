import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../support/random.ts';
import { openHouse } from '../support/house.ts';
import { rangs, souhaiter, souhaiterRevue } from '../support/souhaits.ts';

const LISTS = ['souhaits', 'souhaits-revues'] as const;
const ajouter = { souhaits: souhaiter, 'souhaits-revues': souhaiterRevue };

describe.each(LISTS)('the order of %s', (list) => {
  /** A household in which Ana wants A to D (ids 1, 2, 4 and 5), and Bob another book. */
  async function openFour() {
    const house = await openHouse();
    for (const [reader, titre] of [
      ['ana', 'A'],
      ['ana', 'B'],
      ['bob', 'X'],
      ['ana', 'C'],
      ['ana', 'D'],
    ] as const)
      await ajouter[list](house, reader, { titre });
    return house;
  }

  test('is set by all its ids, and answered as set', async () => {
    const house = await openFour();
    const path = `/api/${list}/ordre`;
    const { status, body, headers } = await house.ask('ana', 'PUT', path, { ids: [5, 1, 4, 2] });
    expect(status).toBe(200);
    expect((body as { id: number; rang: number }[]).map(({ id, rang }) => [id, rang])).toEqual([
      [5, 1],
      [1, 2],
      [4, 3],
      [2, 4],
    ]);
    expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
    expect(await rangs(house, 'ana', list)).toEqual(['1 D', '2 A', '3 C', '4 B']);
    expect(await rangs(house, 'bob', list)).toEqual(['1 X']);
  });

  test('moves up after a deletion without an entry per wish', async () => {
    const house = await openFour();
    const { headers } = await house.ask('ana', 'DELETE', `/api/${list}/1`);
    expect(await rangs(house, 'ana', list)).toEqual(['1 B', '2 C', '3 D']);
    const act = headers.get('x-modification');
    const captureChangeset = house.context.database.values<string>(
      "SELECT cle FROM Trace WHERE acte = ? AND nom <> 'Ordre'",
      act,
    );
    expect(captureChangeset).toEqual(['1']);
    await house.ask('ana', 'POST', `/api/modifications/${act}/annulation`);
    expect(await rangs(house, 'ana', list)).toEqual(['1 A', '2 B', '3 C', '4 D']);
  });

  test('is refused unless it names every wish exactly once', async () => {
    const house = await openFour();
    const revision = house.context.database.revision();
    for (const [name, ids] of [
      ['one missing', [5, 1, 4]],
      ['none', []],
      ['one doubled', [5, 1, 4, 2, 2]],
      ['one doubled in place of another', [5, 1, 4, 4]],
      ['another’s among them', [5, 1, 4, 2, 3]],
      ['another’s in place of one', [5, 1, 4, 3]],
      ['one that never was', [5, 1, 4, 99]],
    ] as const)
      expect(await house.ask('ana', 'PUT', `/api/${list}/ordre`, { ids }), name).toMatchObject({
        status: 409,
        body: { code: 'LISTE_PERIMEE' },
      });
    for (const payload of [{}, { ids: '1' }, { ids: ['1'] }, { ids: [1.5] }, { ids: [0] }, [1]])
      expect(
        await house.ask('ana', 'PUT', `/api/${list}/ordre`, payload),
        JSON.stringify(payload),
      ).toMatchObject({ status: 400, body: { code: 'REQUETE_INVALIDE' } });
    expect(await rangs(house, 'ana', list)).toEqual(['1 A', '2 B', '3 C', '4 D']);
    expect(house.context.database.revision()).toBe(revision);
  });

  test('has no hole where a wish is taken off', async () => {
    const house = await openFour();
    const { status, body } = await house.ask('ana', 'DELETE', `/api/${list}/2`);
    expect([status, body]).toEqual([204, null]);
    expect(await rangs(house, 'ana', list)).toEqual(['1 A', '2 C', '3 D']);
    expect(await rangs(house, 'bob', list)).toEqual(['1 X']);
    expect((await ajouter[list](house, 'ana', { titre: 'E' })).rang).toBe(4);
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

const step = fc.oneof(
  fc.record({ action: fc.constant('add'), reader: fc.constantFrom('ana', 'bob') }),
  fc.record({
    action: fc.constant('remove'),
    reader: fc.constantFrom('ana', 'bob'),
    nth: fc.nat(20),
  }),
  fc.record({
    action: fc.constant('move'),
    reader: fc.constantFrom('ana', 'bob'),
    nth: fc.nat(20),
    to: fc.nat(20),
  }),
);

test('ranks always run from 1 in the order asked', { tags: 'random' }, async () => {
  const house = await openHouse();
  let played = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...LISTS),
      fc.array(step, { maxLength: 40, size: 'max' }),
      async (list, actions) => {
        // Two new readers for each case, whose lists are empty.
        const nth = String(played++);
        const who = (reader: string) => `${reader} ${nth}`;
        const model: Record<string, number[]> = { ana: [], bob: [] };
        let n = 0;
        for (const g of actions) {
          const ids = (model[g.reader] ??= []);
          if (g.action === 'add') {
            const { id } = await ajouter[list](house, who(g.reader), {
              titre: `Titre ${String(++n)}`,
            });
            ids.push(id);
          } else if ('nth' in g && ids.length > 0) {
            const [id = 0] = ids.splice(g.nth % ids.length, 1);
            if ('to' in g) {
              ids.splice(g.to % (ids.length + 1), 0, id);
              await house.ask(who(g.reader), 'PUT', `/api/${list}/ordre`, { ids });
            } else await house.ask(who(g.reader), 'DELETE', `/api/${list}/${String(id)}`);
          }
        }
        for (const reader of ['ana', 'bob']) {
          const { body } = await house.ask(who(reader), 'GET', `/api/${list}`);
          expect(
            (body as { id: number; rang: number }[]).map(({ id, rang }) => [id, rang]),
          ).toEqual(model[reader]?.map((id, index) => [id, index + 1]));
        }
      },
    ),
    cases(15),
  );
});
