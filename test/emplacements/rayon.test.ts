import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LivreDocument } from '#shared/livres';
import { orderSeen, rayonOf } from '#shared/rayon';
import { download, importInto } from '../export/support.ts';
import {
  ajouterEmplacement,
  annuler,
  codeOf,
  modifierEmplacement,
  rangerLivre,
  resumeOf,
  supprimerEmplacement,
} from '../support/emplacements.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre, makeLivre } from '../support/livres.ts';
import { cases } from '../support/random.ts';

/** A shelf « Haut » with these books, and an empty one, « Bas ». */
async function shelved(...titres: string[]) {
  const house = await openHouse();
  await ajouterEmplacement(house, 'Haut');
  await ajouterEmplacement(house, 'Bas');
  const ids: number[] = [];
  for (const titre of titres) ids.push((await ajouterLivre(house, { titre, emplacementId: 1 })).id);
  return { house, ids };
}

const ordonner = (house: House, ids: readonly unknown[], emplacementId = 1) =>
  house.ask(null, 'PUT', `/api/emplacements/${String(emplacementId)}/livres`, { ids });

const scan = (house: House, id: number, emplacementId = 1) =>
  house.ask(null, 'PUT', `/api/livres/${String(id)}/emplacement`, { emplacementId, auBout: true });

/** The books of a location that have a position, from left to right. */
async function known(house: House, emplacementId = 1): Promise<string[]> {
  const livres = (await house.ask(null, 'GET', '/api/livres')).body as LivreDocument[];
  return livres
    .filter((livre) => livre.emplacementId === emplacementId && livre.rang !== null)
    .sort((a, b) => Number(a.rang) - Number(b.rang) || a.id - b.id)
    .map(({ titre }) => titre);
}

describe('the order of a shelf', () => {
  test('is that in which its books were scanned', async () => {
    const { house, ids } = await shelved('A', 'B', 'C');
    expect(await known(house)).toEqual([]);
    for (const id of ids.toReversed()) await scan(house, id, 2);
    expect(await known(house, 2)).toEqual(['C', 'B', 'A']);
    await scan(house, ids[2] ?? 0, 2);
    expect(await known(house, 2)).toEqual(['C', 'B', 'A']);
  });

  test('is set, listed in the history, and undone', async () => {
    const { house, ids } = await shelved('A', 'B', 'C');
    const [a, b, c] = ids;
    const ordered = await ordonner(house, [b, c, a]);
    expect([ordered.status, resumeOf(ordered)]).toEqual([204, 'Ordre noté : Haut']);
    expect(await known(house)).toEqual(['B', 'C', 'A']);
    const again = await ordonner(house, [a, b, c]);
    const undone = await annuler(house, again);
    expect(undone.body).toMatchObject({ resume: 'Le rangement est annulé.' });
    expect(await known(house)).toEqual(['B', 'C', 'A']);
    await annuler(house, ordered);
    expect(await known(house)).toEqual([]);
  });

  test('stays that of the others when one goes', async () => {
    const { house, ids } = await shelved('A', 'B', 'C', 'D');
    await ordonner(house, ids);
    const moved = await rangerLivre(house, ids[1] ?? 0, 2);
    expect(await known(house)).toEqual(['A', 'C', 'D']);
    expect(await known(house, 2)).toEqual([]);
    await ordonner(house, [ids[3], ids[0], ids[2]]);
    await annuler(house, moved);
    expect(await known(house)).toEqual(['D', 'A', 'B', 'C']);
    await house.ask(null, 'DELETE', `/api/livres/${String(ids[0])}`);
    expect(await known(house)).toEqual(['D', 'B', 'C']);
  });

  test('keeps unseen books after their neighbours', async () => {
    const { house, ids } = await shelved('A', 'B', 'C', 'D', 'E');
    const [a, b, c, d, e] = ids;
    await ordonner(house, [a, b, c, d]);
    await ordonner(house, [d, e, a]);
    expect(await known(house)).toEqual(['D', 'E', 'A', 'B', 'C']);
  });

  test('leaves out a book that was taken away meanwhile', async () => {
    const { house, ids } = await shelved('A', 'B', 'C');
    await rangerLivre(house, ids[0] ?? 0, 2);
    expect((await ordonner(house, ids)).status).toBe(204);
    expect([await known(house), await known(house, 2)]).toEqual([['B', 'C'], []]);
  });

  test('goes with a shelf that is moved, and not on', async () => {
    const { house, ids } = await shelved('A', 'B');
    await ordonner(house, ids);
    await modifierEmplacement(house, 1, { nom: 'Haut', parentId: 2 });
    expect(await known(house)).toEqual(['A', 'B']);
    const deletion = await supprimerEmplacement(house, 1);
    expect(await known(house, 2)).toEqual([]);
    await annuler(house, deletion);
    expect(await known(house)).toEqual(['A', 'B']);
  });

  test('is refused for other locations and for invalid lists', async () => {
    const { house, ids } = await shelved('A');
    expect(codeOf(await ordonner(house, ids, 9))).toEqual([404, 'INTROUVABLE']);
    for (const bad of [[], ['a'], [0], [1, 1], [1.5]])
      expect((await ordonner(house, bad)).status, JSON.stringify(bad)).toBe(400);
  });

  test('is restored from an archive, after the books that are there', async () => {
    const { house, ids } = await shelved('A', 'B', 'C');
    await ordonner(house, ids.toReversed());
    const { bytes } = await download(house, '/api/export.zip');
    const empty = await openHouse();
    await importInto(empty, bytes);
    expect(await known(empty)).toEqual(['C', 'B', 'A']);
    const other = await shelved('Z');
    await ordonner(other.house, other.ids);
    await importInto(other.house, bytes);
    expect(await known(other.house)).toEqual(['Z', 'C', 'B', 'A']);
  });
});

test('two devices at once lose no place', { tags: 'random' }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3]), fc.boolean(), async (order, moves) => {
      const { house, ids } = await shelved('A', 'B', 'C', 'D');
      await ordonner(house, ids);
      const acts = [
        ordonner(house, [ids[2], ids[1], ids[3]]),
        ...order.map((at) => rangerLivre(house, ids[at] ?? 0, moves ? 2 : 1)),
      ];
      await Promise.all(acts);
      const gone = new Set(moves ? order.map((at) => 'ABCD'[at]) : []);
      const stay = ['A', 'C', 'B', 'D'].filter((titre) => !gone.has(titre));
      expect((await known(house)).toSorted()).toEqual(stay.toSorted());
    }),
    cases(12),
  );
});

test('acts and their undoings keep the others’ sequence', { tags: 'random' }, async () => {
  const act = fc.record({ at: fc.nat(4), to: fc.constantFrom(1, 2, null), scanned: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 5 }), async (acts) => {
      const { house, ids } = await shelved('A', 'B', 'C', 'D', 'E');
      await ordonner(house, ids);
      const done = [];
      for (const { at, to, scanned } of acts) {
        const before = await known(house);
        const answer =
          scanned && to !== null
            ? await scan(house, ids[at] ?? 0, to)
            : await rangerLivre(house, ids[at] ?? 0, to);
        const moved = 'ABCDE'[at];
        const others = (titres: readonly string[]) => titres.filter((each) => each !== moved);
        expect(others(await known(house))).toEqual(others(before));
        if (answer.headers.has('X-Modification')) done.push(answer);
      }
      for (const answer of done.toReversed()) await annuler(house, answer);
      expect(await known(house)).toEqual(['A', 'B', 'C', 'D', 'E']);
    }),
    cases(12),
  );
});

describe('who was seen', () => {
  const ids = fc.uniqueArray(fc.nat(12), { maxLength: 12 });

  test('follows the stocktaking, and no book is lost', () => {
    fc.assert(
      fc.property(ids, ids, (before, seen) => {
        const after = orderSeen(before, seen);
        expect(after.toSorted()).toEqual([...new Set([...before, ...seen])].toSorted());
        expect(after.filter((id) => seen.includes(id))).toEqual(seen);
        expect(orderSeen(after, seen)).toEqual(after);
      }),
      cases(200),
    );
  });
});

describe('a shelf', () => {
  const livres = (...rangs: (number | null)[]) =>
    rangs.map((rang, index) => makeLivre(index + 1, `L${String(index)}`, { rang }));
  const idsOf = (rangs: readonly (number | null)[]) => {
    const rayon = rayonOf(livres(...rangs));
    return [rayon.livres.map(({ id }) => id), rayon.rangs];
  };

  test('has an order where most places are known', () => {
    expect(idsOf([2, 0, 1, null])).toEqual([[2, 3, 1, 4], 3]);
    expect(idsOf([2, 0, null])).toEqual([[1, 2, 3], 0]);
    expect(idsOf([])).toEqual([[], 0]);
  });

  test('has its books of one place by id', () => {
    const alike = livres(7, 7, 7).toReversed();
    expect(rayonOf(alike).livres.map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});
