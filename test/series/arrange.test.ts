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

/** A place by its id, followed by its volume; a new place by its volume only. */
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
  ['Intégrale 1-3', '1 à 3', true],
  ['T1-T3', '1, 2, 3', true],
  ['1-3', '1', false],
  ['第１２巻', '12', true],
  ['HS ３', 'HS 3', true],
  ['HS 1', 'H S 1', false],
  ['1-3', '2-4', false],
  ['T II', '2', true],
  ['t.II', '2', true],
  ['Livre 3', '3', true],
  ['Livre3', '3', true],
])('numbers are compared by value: %s and %s (%s)', (a, b, isSame) => {
  expect(isSameNumero(a, b)).toBe(isSame);
  expect([isSameNumero(a, null), isSameNumero(null, a)]).toEqual([false, false]);
});

describe('a volume', () => {
  test('fills the missing place of its number before its title’s', () => {
    const places = [place(1, '1'), place(2, '07'), makePlace(3, 'Sept')];
    expect(arranged(places, [volume('Sept', '7')])).toEqual(['1', '2 Sept', '3']);
    expect(arranged(places, [volume('Sept')])).toEqual(['1', '2', '3 Sept']);
    expect(arrangeVolumes(places, [volume('Sept')]).map(({ kind }) => kind)).toEqual([
      'kept',
      'kept',
      'filled',
    ]);
  });

  test('fills a place only once, another with its number follows it', () => {
    const places = [place(1, '1'), place(2, '7'), place(3, '8')];
    const two = [volume('Sept', '7'), volume('Sept, relié', '07')];
    expect(arranged(places, two)).toEqual(['1', '2 Sept', 'Sept, relié', '3']);
  });

  test('of another number is none despite an equal title', () => {
    const places = [
      makePlace(1, 'Akira', { numero: '1' }),
      makePlace(2, 'Akira', { numero: 'II' }),
    ];
    expect(arranged(places, [volume('Akira', '3')])).toEqual(['1', '2 Akira']);
    expect(arranged(places.slice(0, 1), [volume('Akira', '3')])).toEqual(['1', 'Akira']);
  });

  test('fits best by number and work, then exact title', () => {
    const places = [
      makePlace(1, 'Le Secret', { numero: '1' }),
      makePlace(2, 'Le Trésor', { numero: '1' }),
      makePlace(3, 'Le Combat', { numero: '1', isbn: '9782070360024' }),
      makePlace(4, 'Akira : roman'),
      makePlace(5, 'Akira'),
    ];
    const find = (...one: Parameters<typeof volume>) =>
      arranged(places, [volume(...one)]).find((text) => text.includes(' '));
    expect(find('Le Trésor', '1')).toBe('2 Le Trésor');
    expect(find('Autre', '1', '9782070360024')).toBe('3 Autre');
    expect(find('Akira')).toBe('5 Akira');
    expect(find('Akira : récit')).toBe('4 Akira : récit');
    expect(find('Relié', '9', '9782070360024')).toBe('3 Relié');
    expect(find('Relié', '9', '9782070408504')).toBeUndefined();
  });

  test('may fit by title where one number is in words', () => {
    const places = [makePlace(1, 'Akira', { numero: 'HS 2' })];
    expect(arranged(places, [volume('Akira', '2')])).toEqual(['1 Akira']);
  });

  test('takes a new place where its own is already filled', () => {
    const both = [volume('Akira'), volume('Akira')];
    expect(arranged([makePlace(1, 'Akira')], both)).toEqual(['1 Akira', 'Akira']);
  });

  test('is ordered among new ones by number, unnumbered last', () => {
    const volumes = [
      volume('X'),
      volume('C', '3'),
      volume('B', '2'),
      volume('Y'),
      volume('A', '1'),
    ];
    expect(arranged([], volumes)).toEqual(['A', 'B', 'C', 'X', 'Y']);
    expect(arranged([place(1, null)], volumes.slice(1, 3))).toEqual(['1', 'B', 'C']);
    expect(arranged([place(1, null)], [volume('A', 'HS 1')])).toEqual(['1', 'A']);
  });

  test('goes after an owned one with the same number', () => {
    const places = [place(1, 'HS 1', 7), place(2, '5', 8), place(3, '5', 9)];
    expect(arranged(places, [volume('A', '5')])).toEqual(['1', '2', '3', 'A']);
    expect(arranged(places, [volume('A', '3')])).toEqual(['1', 'A', '2', '3']);
  });

  test('goes after the preceding number, unnumbered last', () => {
    const places = [place(1, '1'), place(2, '2'), place(3, 'HS 1'), place(4, null)];
    expect(arranged(places, [volume('A', '1,5')])).toEqual(['1', 'A', '2', '3', '4']);
    expect(arranged(places, [volume('A', '10')])).toEqual(['1', '2', 'A', '3', '4']);
    expect(arranged(places, [volume('A', '0')])).toEqual(['A', '1', '2', '3', '4']);
    expect(arranged(places, [volume('A', 'HS 2')])).toEqual(['1', '2', '3', 'A', '4']);
    expect(arranged(places, [volume('A')])).toEqual(['1', '2', '3', '4', 'A']);
  });
});

/** A number with its value in quarters, in one of its spellings. */
const numero = fc.tuple(fc.nat(24), fc.nat(2)).map(([quarters, spelling]) => ({
  value: quarters / 4,
  text: [String(quarters / 4), String(quarters / 4).replace('.', ','), `0${String(quarters / 4)}`][
    spelling
  ],
}));

const known = fc.record({ numero: fc.option(numero), isOwned: fc.boolean() });
const coming = fc.record({ numero: fc.option(numero) });

/** Places and volumes that can only be matched by number. */
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

describe('any element can be put into any series', () => {
  test('keeps every place, and takes each volume exactly once', () => {
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

  test('fills only missing volumes of its number, never owned ones', () => {
    fc.assert(
      fc.property(casesOf, ({ values, places, volumes }) => {
        const result = arrangeVolumes(places, volumes);
        const wrong = result.filter(
          (one) =>
            one.kind === 'filled' &&
            (one.place.livreId !== null ||
              values.get(one.volume.titre) !== values.get(one.place.titre)),
        );
        expect(wrong).toEqual([]);
        const missing = result.flatMap((one) =>
          one.kind === 'kept' && one.place.livreId === null ? [values.get(one.place.titre)] : [],
        );
        const passedOver = result.filter(
          (one) =>
            one.kind === 'new' &&
            one.volume.numero !== null &&
            missing.includes(values.get(one.volume.titre)),
        );
        expect(passedOver).toEqual([]);
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
