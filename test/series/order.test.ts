import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Element } from '#shared/series';
import { elementKey, orderAfterRewrite } from '#server/subjects/series';
import { cases } from '../support/random.ts';
import { openHouse } from '../support/house.ts';
import { ajouterSerie, lireSerie, ordre } from '../support/series.ts';

const titres = (...titres: string[]) => titres.map((titre) => ({ titre }));

/** A cycle 1 with the places A and B (1 and 2), then the series Deux and Trois; D is in another series. */
async function cycle() {
  const house = await openHouse();
  await ajouterSerie(house, { titre: 'Un', places: titres('A', 'B') });
  await ajouterSerie(house, { titre: 'Deux', parentId: 1, places: titres('D') });
  await ajouterSerie(house, { titre: 'Trois', parentId: 1 });
  return house;
}

describe('the order of a series', () => {
  test('is one for its places and its sub-series', async () => {
    const house = await cycle();
    expect(await ordre(house, 1)).toEqual(['A', 'B', '[Deux]', '[Trois]']);
    const elements = [{ serie: 3 }, { place: 2 }, { serie: 2 }, { place: 1 }];
    const { status, body } = await house.ask(null, 'PUT', '/api/series/1/ordre', { elements });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      elements,
      places: [{ id: 2 }, { id: 1 }],
      sousSeries: [{ id: 3 }, { id: 2 }],
    });
    expect(await ordre(house, 1)).toEqual(['[Trois]', 'B', '[Deux]', 'A']);
  });

  test('is refused unless it names every element exactly once', async () => {
    const house = await cycle();
    const revision = house.context.database.revision();
    const put = (payload: object) => house.ask(null, 'PUT', '/api/series/1/ordre', payload);
    for (const [name, elements] of [
      ['one missing', [{ serie: 3 }, { place: 2 }, { serie: 2 }]],
      ['none', []],
      ['one doubled', [{ serie: 3 }, { place: 2 }, { serie: 2 }, { place: 1 }, { place: 1 }]],
      ['one doubled in place of another', [{ serie: 3 }, { place: 2 }, { serie: 2 }, { place: 2 }]],
      ['another’s place', [{ serie: 3 }, { place: 2 }, { serie: 2 }, { place: 3 }]],
      ['itself', [{ serie: 3 }, { place: 2 }, { serie: 1 }, { place: 1 }]],
      ['a place for a series', [{ serie: 3 }, { place: 2 }, { place: 2 }, { place: 1 }]],
    ] as const)
      expect(await put({ elements }), name).toMatchObject({
        status: 409,
        body: { code: 'LISTE_PERIMEE' },
      });
    for (const elements of [undefined, [1, 2], [{}], [{ place: '1' }], [{ place: 0 }]])
      expect(await put({ elements }), JSON.stringify(elements)).toMatchObject({
        status: 400,
        body: { code: 'REQUETE_INVALIDE' },
      });
    expect(await ordre(house, 1)).toEqual(['A', 'B', '[Deux]', '[Trois]']);
    expect(house.context.database.revision()).toBe(revision);
  });
});

test('the elements of a deleted series take its position', async () => {
  const house = await openHouse();
  await ajouterSerie(house, { titre: 'Un', places: titres('A', 'B', 'C') });
  for (const titre of ['Deux', 'Trois', 'Quatre'])
    await ajouterSerie(house, { titre, parentId: 1 });
  for (const titre of ['Dedans', 'Aussi']) await ajouterSerie(house, { titre, parentId: 3 });
  const order = [{ place: 1 }, { serie: 2 }, { serie: 3 }, { place: 2 }, { serie: 4 }];
  const elements = [...order, { place: 3 }];
  await house.ask(null, 'PUT', '/api/series/1/ordre', { elements });
  await house.ask(null, 'DELETE', '/api/series/3');
  const expected = ['A', '[Deux]', '[Dedans]', '[Aussi]', 'B', '[Quatre]', 'C'];
  expect(await ordre(house, 1)).toEqual(expected);
});

describe('rewriting the places', () => {
  test('keeps the subseries in their positions', async () => {
    const house = await openHouse();
    for (const [name, places, expected] of [
      ['as they are', [1, 2], ['A', '[Deux]', 'B', '[Trois]']],
      ['with one more', [1, 2, 'C'], ['A', '[Deux]', 'B', '[Trois]', 'C']],
      ['with one before', ['C', 1, 2], ['C', 'A', '[Deux]', 'B', '[Trois]']],
      ['without one', [2], ['[Deux]', 'B', '[Trois]']],
      ['without the last', [1], ['A', '[Deux]', '[Trois]']],
      ['the other way round', [2, 1], ['B', '[Trois]', 'A', '[Deux]']],
      ['without any', [], ['[Deux]', '[Trois]']],
    ] as const) {
      const un = await ajouterSerie(house, { titre: 'Un', places: titres('A', 'B') });
      const deux = await ajouterSerie(house, { titre: 'Deux', parentId: un.id });
      const trois = await ajouterSerie(house, { titre: 'Trois', parentId: un.id });
      const [a, b] = un.places.map(({ id }) => id);
      const elements = [{ place: a }, { serie: deux.id }, { place: b }, { serie: trois.id }];
      const path = `/api/series/${String(un.id)}`;
      await house.ask(null, 'PUT', `${path}/ordre`, { elements });
      await house.ask(null, 'PUT', path, {
        titre: 'Un',
        places: places.map((place) =>
          typeof place === 'string' ? { titre: place } : un.places[place - 1],
        ),
      });
      expect(await ordre(house, un.id), name).toEqual(expected);
    }
  });

  test('keeps every subseries once, in any order', () => {
    const element = fc.oneof(
      fc.nat(8).map((place): Element => ({ place })),
      fc.nat(4).map((serie): Element => ({ serie })),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(element, { maxLength: 14, size: 'max', selector: elementKey }),
        fc.uniqueArray(fc.nat(12), { maxLength: 13, size: 'max' }),
        (elements, places) => {
          const rewritten = orderAfterRewrite(elements, places);
          const seriesIn = (list: Element[]) =>
            list.filter((each) => 'serie' in each).map(elementKey);
          expect(rewritten.flatMap((each) => ('place' in each ? [each.place] : []))).toEqual(
            places,
          );
          expect(seriesIn(rewritten).sort()).toEqual(seriesIn(elements).sort());
        },
      ),
      cases(),
    );
  });
});

test('the order of a series always holds exactly its elements', { tags: 'random' }, async () => {
  const step = fc.oneof(
    fc.record({ action: fc.constant('add'), sous: fc.option(fc.nat(6)) }),
    fc.record({
      action: fc.constant('rewrite'),
      nth: fc.nat(6),
      keptBits: fc.nat(7),
      sous: fc.nat(6),
    }),
    fc.record({ action: fc.constant('reorder'), nth: fc.nat(6), rotation: fc.nat(5) }),
    fc.record({ action: fc.constant('delete'), nth: fc.nat(6) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async (actions) => {
      const house = await openHouse();
      await ajouterSerie(house, { places: titres('A', 'B') });
      const answers: unknown[][] = [];
      const expected: unknown[][] = [];
      for (const g of actions) {
        const { body } = await house.ask(null, 'GET', '/api/series');
        const ids = (body as { id: number }[]).map(({ id }) => id);
        const id = (n: number | null) => (n === null ? null : (ids[n % ids.length] ?? null));
        if ('nth' in g && ids.length > 0) {
          const target = id(g.nth) ?? 0;
          const path = `/api/series/${String(target)}`;
          const before = await lireSerie(house, target);
          const { elements, places } = before;
          if ('rotation' in g) {
            const rotation = [...elements.slice(g.rotation), ...elements.slice(0, g.rotation)];
            const { status, body } = await house.ask(null, 'PUT', `${path}/ordre`, {
              elements: rotation,
            });
            answers.push([status, body]);
            expected.push([200, { elements: rotation }]);
          } else if ('keptBits' in g) {
            const remaining = places.filter((_, index) => (g.keptBits >> index) & 1).reverse();
            const saisie = {
              titre: 'S',
              parentId: id(g.sous),
              places: [...remaining, { titre: 'N' }],
            };
            const { status } = await house.ask(null, 'PUT', path, saisie);
            answers.push([status === 400 ? 200 : status]);
            expected.push([200]);
          } else await house.ask(null, 'DELETE', path);
        } else if ('sous' in g) {
          await ajouterSerie(house, { parentId: id(g.sous ?? null), places: titres('P', 'Q') });
        }
      }
      expect(answers).toMatchObject(expected);
      const { body } = await house.ask(null, 'GET', '/api/series');
      const all = body as Awaited<ReturnType<typeof lireSerie>>[];
      for (const { id, elements, places, sousSeries } of all) {
        const expected = [
          ...places.map((place) => elementKey({ place: place.id })),
          ...all.filter((s) => s.parentId === id).map((s) => elementKey({ serie: s.id })),
        ];
        expect(elements.map(elementKey).sort()).toEqual(expected.sort());
        expect(sousSeries).toHaveLength(elements.length - places.length);
      }
      // From every series, the path of parents ends.
      for (let serie of all)
        for (let depth = 0; serie.parentId !== null; depth++) {
          expect(depth).toBeLessThan(all.length);
          const parent = all.find(({ id }) => id === serie.parentId);
          if (parent === undefined) throw new Error('A parent that there is not');
          serie = parent;
        }
      await house.close();
    }),
    cases(15),
  );
});
