import { describe, expect, it } from 'vitest';
import { doubledNumeros } from '#shared/series-fit';
import { numeroOf, parseSerie, parseTome, proposeSerie, serieOfTitre } from '#shared/series-titres';
import type { Serie } from '#shared/series';

const serie = (id: number, titre: string): Serie => ({
  id,
  titre,
  parentId: null,
  nombreTomes: null,
  places: [],
  sousSeries: [],
  elements: [],
});

describe('a title', () => {
  it.each([
    ['La marée haute : 1', ['La marée haute', '1', '']],
    ['Astérix. 7, Le combat des chefs', ['Astérix', '7', 'Le combat des chefs']],
    ['Astérix, tome 7 : Le combat des chefs', ['Astérix', '7', 'Le combat des chefs']],
    ['Lanfeust (T. 3)', ['Lanfeust', '3', '']],
    ['One Piece - Tome 12', ['One Piece', '12', '']],
    ['Akira n° 3', ['Akira', '3', '']],
    ['Thorgal, Vol. IV – La galère noire', ['Thorgal', 'IV', 'La galère noire']],
    ['Blacksad T3', ['Blacksad', '3', '']],
    ['Les Tuniques bleues - 12', ['Les Tuniques bleues', '12', '']],
    ['La Révolte (The Hunger Games, #3)', ['The Hunger Games', '3', 'La Révolte']],
    ['Peter Pan #1 : Londres', ['Peter Pan', '1', 'Londres']],
    [' Dune,  tome 2 :  Le messie ', ['Dune', '2', 'Le messie']],
    [' La Révolte ( The Hunger Games , #3) ', ['The Hunger Games', '3', 'La Révolte']],
    ['Harry Potter (7)', ['Harry Potter', '7', '']],
    ['Brumes, intégrale 1-3', ['Brumes', '1-3', '']],
    ['Brumes - L’Intégrale : tomes 4 à 6', ['Brumes', '4-6', '']],
    ['Brumes. Intégrale 2 (T4 à T6)', ['Brumes', '4-6', '']],
    ['Brumes (intégrale 1-3)', ['Brumes', '1-3', '']],
    ['Brumes T1 à T3', ['Brumes', '1-3', '']],
    ['Brumes, tomes 1 et 2', ['Brumes', '1-2', '']],
    ['鋼の錬金術師 第3巻', ['鋼の錬金術師', '3', '']],
    ['鋼の錬金術師　１２巻', ['鋼の錬金術師', '12', '']],
    ['鋼の錬金術師（３）', ['鋼の錬金術師', '3', '']],
    ['よつばと! 第十二巻', ['よつばと!', '12', '']],
  ])('tells series and number: %s', (titre, [name, numero, own]) => {
    expect(parseTome(titre)).toEqual({ serie: name, numero, titre: own });
  });

  it.each([
    'L’Assommoir',
    '1984',
    '2001 : l’odyssée de l’espace',
    'Vol 714 pour Sydney',
    'Dr. X',
    'Les Trois Mousquetaires : 1844',
    'Sapiens : une brève histoire',
    'Journal, C',
    ': 1',
    '???, tome 1',
    '',
  ])('tells none: « %s »', (titre) => {
    expect(parseTome(titre)).toBeNull();
  });

  it('proposes the house’s series of that title, or a new', () => {
    const series = [serie(1, 'La Marée haute'), serie(2, 'Autre')];
    expect(proposeSerie('La marée haute : 1', series)?.known?.id).toBe(1);
    expect(proposeSerie('Thorgal, tome 2', series)).toMatchObject({
      serie: 'Thorgal',
      known: null,
    });
    expect(proposeSerie('La marée haute', series)).toBeNull();
  });
});

it.each([
  ['第３巻', '3'],
  ['3巻', '3'],
  ['２０', '20'],
  ['第二十一巻', '21'],
  ['三巻', '3'],
  ['十巻', '10'],
  ['第二十巻', '20'],
  ['十十巻', '十十巻'],
  ['二三巻', '二三巻'],
  ['T1 à T3', '1-3'],
  ['1 et 3', '1 et 3'],
])('%s is the number %s', (text, numero) => {
  expect(numeroOf(text)).toBe(numero);
});

it('another series of the title is found, never itself', () => {
  const series = [serie(1, 'La Marée haute'), serie(2, '???')];
  expect(serieOfTitre('la maree haute', series)?.id).toBe(1);
  expect(serieOfTitre('la maree haute', series, 1)).toBeNull();
  expect(serieOfTitre('???', series)).toBeNull();
});

it('numbers that several volumes share are told once', () => {
  const numeros = ['7', ' 07', null, '8', '', '', ' ', ' ', 'HS 1', 'hs 01', '10', '100'];
  expect(doubledNumeros(numeros.map((numero) => ({ numero })))).toEqual(['7', 'HS 1']);
});

describe('a text made to take long is read at once', () => {
  it.each([
    ['blanks', ' '],
    ['blanks that do not break', '\u00a0'],
    ['zeros', '0'],
    ['commas', ','],
    ['brackets', ' ('],
  ])('of %s', (_, part) => {
    const begin = performance.now();
    for (const text of [`a${part.repeat(5_000)}x`, `a (${part.repeat(5_000)}x`, part.repeat(5_000)])
      for (const read of [parseSerie, parseTome, numeroOf]) read(text);
    expect(performance.now() - begin).toBeLessThan(500);
  });
});
