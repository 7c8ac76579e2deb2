import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  gapsOf,
  holderOf,
  holdingOf,
  isManquant,
  lastTome,
  missingNumeros,
  slotsOf,
  formatTomes,
  withoutBorrowed,
} from '#shared/series-gaps';
import { cases } from '../support/random.ts';
import { makePlace, makeSerie } from '../support/series.ts';

const serieOf = (numeros: readonly (string | null)[], nombreTomes: number | null = null) => ({
  ...makeSerie(
    1,
    'Astérix',
    numeros.map((numero, i) => makePlace(i + 1, `Volume ${String(i)}`, { numero, livreId: i + 1 })),
  ),
  nombreTomes,
});

describe('a gap in the numbers of a series is a missing volume', () => {
  it.each<[(string | null)[], string]>([
    [['1', '2', '6', '8', '20'], '3 à 5, 7 et 9 à 19'],
    [['1', '2', '3'], ''],
    [['3'], '1 et 2'],
    [['07', '5', '1-3', 'VI'], '4'],
    [['1', '2 et 3', '5'], '4'],
    [['IV'], '1 à 3'],
    [['II', 'IX', 'xi'], '1, 3 à 8 et 10'],
    [['2', '4-4', '3-1'], '1 et 3'],
    [['2', '399-401'], '1'],
    [[' 2 '], '1'],
    [['399-400', '1 - 398'], ''],
    [['400', '1/398'], '399'],
    [['1', '1 bis', 'HS 9', null, '3'], '2'],
    [['0', '2'], '1'],
    [[null, 'hors-série'], ''],
    [['1999', '2003'], ''],
    [['2', '1999'], '1'],
    [['Intégrale 1-3', '5'], '4'],
    [['L’intégrale, tomes 1 à 3', '5'], '4'],
    [['Intégrale 2 (4-6)'], '1 à 3'],
    [['Intégrale 2'], ''],
    [['T1 à T3', 'I-II', '5'], '4'],
    [['1, 2 et 4', '1 & 3', '6'], '5'],
    [['第１-３巻', '第5巻', '７'], '4 et 6'],
  ])('%j: « %s »', (numeros, gaps) => {
    expect(formatTomes(gapsOf(serieOf(numeros)))).toBe(gaps);
  });

  it('counts up to the last volume of a finished series', () => {
    expect(gapsOf(serieOf(['1', '2'], 4))).toEqual(['3', '4']);
    expect(gapsOf(serieOf([null, null], 4))).toEqual([]);
  });

  test('known numbers and gaps together count without overlap', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (tomes) => {
        const serie = serieOf(tomes.map(String));
        const gaps = gapsOf(serie).map(Number);
        expect([...new Set(tomes), ...gaps].sort((a, b) => a - b)).toEqual(
          Array.from({ length: lastTome(serie) ?? 0 }, (_, i) => i + 1),
        );
        expect(holdingOf(serie).total).toBe(new Set(tomes).size + gaps.length);
      }),
      cases(100),
    );
  });
});

it('has the place of its number', () => {
  const { places } = serieOf(['1', '4', null]);
  expect(
    slotsOf(places, ['2', '3']).map((slot) => ('gap' in slot ? slot.gap : slot.place.titre)),
  ).toEqual(['Volume 0', '2', '3', 'Volume 1', 'Volume 2']);
});

it('a gap follows the places of lower numbers', () => {
  const places = [makePlace(1, '2', { numero: null }), makePlace(2, 'Un', { numero: '1' })];
  expect(
    slotsOf(places, ['2']).map((slot) => ('gap' in slot ? slot.gap : slot.place.titre)),
  ).toEqual(['2', 'Un', '2']);
});

it('a missing volume is filled by the first book that contains it', () => {
  const places = [
    makePlace(1, 'Deux', { numero: '2' }),
    makePlace(2, 'Intégrale', { numero: '1-3', livreId: 1 }),
    makePlace(3, 'Deux, relié', { numero: '2', livreId: 2 }),
  ];
  const [missing, integrale] = places as [(typeof places)[0], (typeof places)[0]];
  expect(holderOf(missing, places)).toBe(integrale);
  expect(holderOf(integrale, places)).toBeNull();
});

it('lists missing volumes by number, without owned ones', () => {
  const places = [
    makePlace(1, 'Un', { numero: 'HS 1', livreId: 1 }),
    makePlace(2, 'Deux', { numero: 'HS 2' }),
    makePlace(3, 'Sans numéro'),
  ];
  expect(missingNumeros({ places, nombreTomes: null })).toEqual(['HS 2']);
});

it('gives the last known volume, owned or not', () => {
  expect(lastTome(serieOf(['1', '3-4', 'HS 9']))).toBe(4);
  expect(lastTome(serieOf([null, 'HS 9']))).toBeNull();
});

it('counts places with a book as owned', () => {
  const places = [makePlace(1, 'Un', { livreId: 1 }), makePlace(2, 'Deux')];
  expect(holdingOf({ places, nombreTomes: 2 })).toEqual({ owned: 1, total: 2, isComplete: false });
});

it('a series is complete only when someone says it’s finished', () => {
  expect(holdingOf(serieOf(['1', '2'])).isComplete).toBe(false);
  expect(holdingOf(serieOf(['1', '2'], 2)).isComplete).toBe(true);
  expect(holdingOf(serieOf(['1', '2'], 3))).toEqual({ owned: 2, total: 3, isComplete: false });
  expect(holdingOf(serieOf([null, null], 3))).toEqual({ owned: 2, total: 3, isComplete: false });
});

test('a borrowed volume counts as missing, and fills no place', () => {
  const serie = serieOf(['1', 'Intégrale 2-3', '4']);
  const ownedOnly = withoutBorrowed(serie, (livreId) => livreId === 2);
  expect(holdingOf(ownedOnly)).toEqual({ owned: 2, total: 4, isComplete: false });
  expect(missingNumeros(ownedOnly)).toEqual(['2', '3']);
  expect(withoutBorrowed(serie, () => false)).toBe(serie);
});

describe('a book of several volumes is all of them', () => {
  const house = (places: readonly (readonly [string | null, boolean])[]) => ({
    ...makeSerie(
      1,
      'Brumes',
      places.map(([numero, isOwned], i) =>
        makePlace(i + 1, `Volume ${String(i + 1)}`, { numero, livreId: isOwned ? i + 1 : null }),
      ),
    ),
    nombreTomes: null,
  });

  it.each<[[string | null, boolean][], number, number, string[], string[]]>([
    [
      [
        ['Intégrale 1-3', true],
        ['4', false],
      ],
      3,
      4,
      ['4'],
      ['4'],
    ],
    [
      [
        ['1-3', true],
        ['4', true],
        ['5', true],
      ],
      5,
      5,
      [],
      [],
    ],
    [
      [
        ['1-3', true],
        ['2', false],
        ['5', false],
      ],
      3,
      5,
      ['5'],
      ['4', '5'],
    ],
    [
      [
        ['1', true],
        ['2', true],
        ['1-2', false],
        ['HS', false],
      ],
      2,
      3,
      ['HS'],
      ['HS'],
    ],
    [
      [
        ['1', true],
        ['1-2', false],
      ],
      1,
      2,
      ['1-2'],
      ['2'],
    ],
    [
      [
        ['5', true],
        ['05', true],
      ],
      1,
      5,
      [],
      ['1', '2', '3', '4'],
    ],
  ])('%j: %d of %d', (places, owned, total, manquants, numeros) => {
    const serie = house(places);
    expect(holdingOf(serie)).toEqual({ owned, total, isComplete: false });
    const missing = serie.places.filter((place) => isManquant(place, serie.places));
    expect(missing.map(({ numero }) => numero)).toEqual(manquants);
    expect(missingNumeros(serie)).toEqual(numeros);
    expect(holdingOf({ ...serie, nombreTomes: total }).isComplete).toBe(owned === total);
  });

  it('by its title where its place has no number', () => {
    const places = [
      makePlace(1, 'Brumes, intégrale 1-3', { livreId: 1 }),
      makePlace(2, '20 et 21'),
    ];
    expect(
      gapsOf({ places: [...places, makePlace(3, 'Cinq', { numero: '5' })], nombreTomes: null }),
    ).toEqual(['4']);
  });
});
