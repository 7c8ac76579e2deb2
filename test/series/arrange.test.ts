import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrangeVolumes, isSameNumero } from '#shared/series-fit';
import { cases } from '../support/random.ts';
import { makePlace } from '../support/series.ts';

const volume = (titre: string, numero: string | null = null, isbn: string | null = null) => ({
  titre,
  numero,
  isbn,
  auteurs: [],
});

const place = (id: number, numero: string | null, livreId: number | null = null) =>
  makePlace(id, `Volume ${String(id)}`, { numero, livreId });

/** A place by its id, with its volume behind it; a new place by its volume alone. */
const arranged = (...args: Parameters<typeof arrangeVolumes>): string[] =>
  arrangeVolumes<{ id?: number } & (typeof args)[0][number], (typeof args)[1][number]>(...args).map(
    (one) => {
      if (one.kind === 'new') return one.volume.titre;
      const id = String(one.place.id);
      return one.kind === 'kept' ? id : `${id} ${one.volume.titre}`;
    },
  );

test.each([
  ['7', '07', true],
  ['1,5', '1.5', true],
  ['1,50', '1.5', true],
  ['2,0', '2', true],
  ['HS 01', 'hs 1', true],
  ['7 bis', '7', false],
  ['1,5', '15', false],
  ['1,5', '1', false],
  ['1,05', '1,5', false],
  ['II', '2', false],
])('numbers are compared by value: %s and %s (%s)', (a, b, isSame) => {
  expect(isSameNumero(a, b)).toBe(isSame);
  expect(isSameNumero(a, null)).toBe(false);
});

describe('a volume', () => {
  test('fills the missing place of its number, before that of its title', () => {
    const places = [place(1, '1'), place(2, '07'), makePlace(3, 'Sept')];
    expect(arranged(places, [volume('Sept', '7')])).toEqual(['1', '2 Sept', '3']);
    expect(arranged(places, [volume('Sept')])).toEqual(['1', '2', '3 Sept']);
  });

  test('is none whose number says otherwise, though the titles be equal', () => {
    const places = [
      makePlace(1, 'Akira', { numero: '1' }),
      makePlace(2, 'Akira', { numero: 'II' }),
    ];
    expect(arranged(places, [volume('Akira', '3')])).toEqual(['1', '2 Akira']);
    expect(arranged(places.slice(0, 1), [volume('Akira', '3')])).toEqual(['1', 'Akira']);
  });

  test('goes behind the number before its own, and without a number to the end', () => {
    const places = [place(1, '1'), place(2, '2'), place(3, 'HS 1'), place(4, null)];
    expect(arranged(places, [volume('A', '1,5')])).toEqual(['1', 'A', '2', '3', '4']);
    expect(arranged(places, [volume('A', '10')])).toEqual(['1', '2', 'A', '3', '4']);
    expect(arranged(places, [volume('A', '0')])).toEqual(['A', '1', '2', '3', '4']);
    expect(arranged(places, [volume('A', 'HS 2')])).toEqual(['1', '2', '3', 'A', '4']);
    expect(arranged(places, [volume('A')])).toEqual(['1', '2', '3', '4', 'A']);
  });
});

/** A number by its value in quarters, in one of its spellings. */
const numero = fc.tuple(fc.nat(24), fc.nat(2)).map(([quarters, spelling]) => ({
  value: quarters / 4,
  text: [String(quarters / 4), String(quarters / 4).replace('.', ','), `0${String(quarters / 4)}`][
    spelling
  ],
}));

const known = fc.record({ numero: fc.option(numero), isOwned: fc.boolean() });
const coming = fc.record({ numero: fc.option(numero) });

/** Places and volumes of which only the numbers tell what belongs together. */
const casesOf = fc
  .tuple(fc.array(known, { maxLength: 9 }), fc.array(coming, { maxLength: 6 }))
  .map(([places, volumes]) => ({
    values: new Map<string, number | undefined>([
      ...places.map((one, i) => [`Volume ${String(i)}`, one.numero?.value] as const),
      ...volumes.map((one, i) => [`Livre ${String(i)}`, one.numero?.value] as const),
    ]),
    places: places.map((one, i) => place(i, one.numero?.text ?? null, one.isOwned ? 99 + i : null)),
    volumes: volumes.map((one, i) => volume(`Livre ${String(i)}`, one.numero?.text ?? null)),
  }));

describe('whatever comes into whatever series', () => {
  test('each place stays where it was, and each volume comes in once', () => {
    fc.assert(
      fc.property(casesOf, ({ places, volumes }) => {
        const result = arrangeVolumes(places, volumes);
        expect(result.flatMap((one) => (one.kind === 'new' ? [] : [one.place]))).toEqual(places);
        const arrived = result.flatMap((one) => (one.kind === 'kept' ? [] : [one.volume]));
        expect(new Set(arrived)).toEqual(new Set(volumes));
        expect(arrived).toHaveLength(volumes.length);
      }),
      cases(),
    );
  });

  test('a missing volume of its number is filled, and an owned one never', () => {
    fc.assert(
      fc.property(casesOf, ({ values, places, volumes }) => {
        const result = arrangeVolumes(places, volumes);
        for (const one of result)
          if (one.kind === 'filled') {
            expect(one.place.livreId).toBeNull();
            expect(values.get(one.volume.titre)).toBe(values.get(one.place.titre));
          }
        const missing = result.flatMap((one) =>
          one.kind === 'kept' && one.place.livreId === null ? [one.place] : [],
        );
        for (const one of result)
          if (one.kind === 'new' && one.volume.numero !== null)
            expect(missing.map(({ titre }) => values.get(titre))).not.toContain(
              values.get(one.volume.titre),
            );
      }),
      cases(),
    );
  });

  test('a series in the order of its numbers stays so', () => {
    fc.assert(
      fc.property(casesOf, ({ values, places, volumes }) => {
        const sorted = places.toSorted(
          (a, b) => (values.get(a.titre) ?? Infinity) - (values.get(b.titre) ?? Infinity),
        );
        const numbers = arrangeVolumes(sorted, volumes).flatMap(
          (one) => values.get(one.kind === 'new' ? one.volume.titre : one.place.titre) ?? [],
        );
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }),
      cases(),
    );
  });
});
