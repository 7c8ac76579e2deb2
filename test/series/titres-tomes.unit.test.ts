import { describe, expect, it } from 'vitest';
import { doubledNumeros } from '#shared/series-fit';
import { MAX_LENGTHS } from '#shared/fields';
import { numeroOf, parseSerie, parseTome, proposeSerie, serieOfTitre } from '#shared/series-titres';
import { spanOfTitre, tomesOf, tomesOfPlace } from '#shared/tomes';
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
    ['Akira, n° 3', ['Akira', '3', '']],
    ['Akira (n° 3)', ['Akira', '3', '']],
    ['Akira n° 3 : La ruine', ['Akira', '3', 'La ruine']],
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
    ['鋼の錬金術師 第3巻 : 夜', ['鋼の錬金術師', '3', '夜']],
    ['La Révolte (The Hunger Games,#3)', ['The Hunger Games', '3', 'La Révolte']],
    ['La Révolte (The Hunger Games#1.5)', ['The Hunger Games', '1.5', 'La Révolte']],
    ['La Source ( Le cycle , tome IV)', ['Le cycle', '4', 'La Source']],
    ['La Source (Le cycle T2)', ['Le cycle', '2', 'La Source']],
    ['Aventures, n° 8, tome 3 : Le retour', ['Aventures', '3', 'Le retour']],
    ['Kaiju n°8, tome 3 : Le retour', ['Kaiju n°8', '3', 'Le retour']],
    ['Kaiju n°8, tome 3', ['Kaiju n°8', '3', '']],
    ['Kaiju n°8 T3', ['Kaiju n°8', '3', '']],
    ['Le retour (Kaiju n°8, tome 3)', ['Kaiju n°8', '3', 'Le retour']],
    ['Lanfeust, tome 2 (édition collector)', ['Lanfeust', '2', '']],
    ['Lanfeust , 7', ['Lanfeust', '7', '']],
    ['Lanfeust - XII', ['Lanfeust', 'XII', '']],
    ['Le  petit   chat, tome 2', ['Le petit chat', '2', '']],
  ])('contains series and number: %s', (titre, [name, numero, own]) => {
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
    'Lanfeust (édition collector)',
    'Un combat (Le combat 2)',
    'Kaiju n°8',
    'Akira n° 3',
    'Le retour (Kaiju n°8)',
    '',
  ])('contains no number: « %s »', (titre) => {
    expect(parseTome(titre)).toBeNull();
  });

  it('has a number after « n° » only if the series is otherwise known', () => {
    const isSerie = (name: string) => name === 'Akira';
    expect(parseTome('Akira n° 3', isSerie)).toEqual({ serie: 'Akira', numero: '3', titre: '' });
    expect(parseTome('La ruine (Akira n°3)', isSerie)?.numero).toBe('3');
    expect(parseTome('Akira n° 8, tome 3', isSerie)?.serie).toBe('Akira');
    expect(parseTome('Kaiju n°8', isSerie)).toBeNull();
    expect(proposeSerie('Akira n° 3', [serie(1, 'AKIRA')])).toMatchObject({ numero: '3' });
    expect(proposeSerie('Kaiju n°8', [serie(1, 'Kaiju n°8')])).toBeNull();
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

  it.each([
    ['Coffret La Marée haute 1-3', '1-3'],
    ['Intégrale La marée haute, tomes 1 à 3', '1-3'],
    ['L’intégrale La Marée haute (4-6)', '4-6'],
    ['La Marée haute : intégrale 1-3', '1-3'],
  ])('proposes the places of %s', (titre, numero) => {
    const proposal = proposeSerie(titre, [serie(1, 'La Marée haute')]);
    expect(proposal).toMatchObject({ numero, known: { id: 1 } });
    expect(tomesOf(proposal?.numero ?? null)).toHaveLength(3);
  });

  it('makes no new series of a box', () => {
    expect(proposeSerie('Coffret Thorgal 1-3', [serie(1, 'La Marée haute')])).toBeNull();
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
  ['T01-03', '1-3'],
  ['1 et 2', '1-2'],
  ['1 et 3', '1 et 3'],
  ['Tome 2', '2'],
  ['Livre n° 4', '4'],
  ['8e tome', '8'],
  ['007', '7'],
  ['12.00', '12'],
  ['3,0', '3'],
  ['12.5', '12.5'],
  ['T3 bis', '3 bis'],
  ['Tome bis 3', 'Tome bis 3'],
  ['IV', '4'],
  ['I', 'I'],
  ['t. I', '1'],
  [' HS ', 'HS'],
])('%s is the number %s', (text, numero) => {
  expect(numeroOf(text)).toBe(numero);
});

it.each<[string | null, number[]]>([
  [null, []],
  ['400', [400]],
  ['401', []],
  ['399-400', [399, 400]],
  ['399-401', []],
  ['1, 401', []],
  ['V', [5]],
  ['C', []],
  ['L', []],
  ['IX', [9]],
  ['X1', []],
  ['I, III', [1, 3]],
  ['I et IIII', []],
  ['1, 2 et 5', [1, 2, 5]],
  ['1, 2 and 5', [1, 2, 5]],
  ['3 to 5', [3, 4, 5]],
  ['1+3', [1, 3]],
  ['1 à 3 et 6', [1, 2, 3, 6]],
  ['1 ET 3', [1, 3]],
  ['1 & 3', [1, 3]],
  ['3-1', []],
  ['3, 1', [3, 1]],
  ['1-3 巻', [1, 2, 3]],
  ['Intégrale 3', []],
  ['Intégrale (1-3)', [1, 2, 3]],
  ['Intégrale 2 (4-6)', [4, 5, 6]],
  ['1-3, intégrale', [1, 2, 3]],
])('the number %s covers the volumes %j', (numero, tomes) => {
  expect(tomesOf(numero)).toEqual(tomes);
});

it.each<[string, number[]]>([
  ['Coffret I-III', [1, 2, 3]],
  ['Brumes, tomes 1 à 3', [1, 2, 3]],
  ['L’intégrale 4-6', [4, 5, 6]],
  ['Brumes, tome 2', []],
  ['Coffret Brumes 1-3', [1, 2, 3]],
  ['Coffret Brumes (tomes 1, 2 et 5)', [1, 2, 5]],
  ['Intégrale Brumes, tome 1 à 3', [1, 2, 3]],
  ['Coffret Louis XIV et XV', []],
  ['Intégrale Brumes 1961-1963', []],
  ['Intégrale', []],
  ['Intégrale 2', []],
])('a place without a number covers the volumes of its title: %s', (titre, tomes) => {
  expect(tomesOfPlace({ numero: null, titre })).toEqual(tomes);
  expect(tomesOfPlace({ numero: '9', titre })).toEqual([9]);
});

it.each<[string, string, string | null]>([
  ['Dune #1', 'Dune', '1'],
  ['Dune, #2', 'Dune', '2'],
  [' Dune , tome 4 ', 'Dune', '4'],
  ['Akira, n° IV', 'Akira', '4'],
  ['Akira n° IV', 'Akira n° IV', null],
  ['Kaiju n°8', 'Kaiju n°8', null],
  ['Kaiju n°8 #3', 'Kaiju n°8', '3'],
  ['Dune (3)', 'Dune', '3'],
  ['Dune (3-4)', 'Dune', '3-4'],
  [' Dune ', 'Dune', null],
  ['1984', '1984', null],
  ['??? #1', '??? #1', null],
])('a file names a series as « %s »', (text, titre, numero) => {
  expect(parseSerie(text)).toEqual({ titre, numero });
});

it('a title of the greatest length is read, a longer one is not', () => {
  const end = ', tome 2';
  const name = 'a'.repeat(MAX_LENGTHS.titre - end.length);
  expect(parseTome(name + end)?.serie).toBe(name);
  expect(parseTome(`a${name}${end}`)).toBeNull();
});

it('another series of the title is found, never itself', () => {
  const series = [serie(1, 'La Marée haute'), serie(2, '???')];
  expect(serieOfTitre('la maree haute', series)?.id).toBe(1);
  expect(serieOfTitre('la maree haute', series, 1)).toBeNull();
  expect(serieOfTitre('???', series)).toBeNull();
});

it('numbers shared by several volumes are listed once', () => {
  const numeros = [' 7 ', '07', null, '8', '', '', ' ', ' ', 'HS 1', 'hs 01', '10', '100'];
  expect(doubledNumeros(numeros.map((numero) => ({ numero })))).toEqual(['7', 'HS 1']);
});

it.each([
  ['Astérix 1-4', 'Astérix', [1, 2, 3, 4]],
  ['Akira, tomes 1 à 3', 'Akira', [1, 2, 3]],
  ['Blacksad (2 et 5)', 'Blacksad', [2, 5]],
  ['Les Tuniques bleues T1-2', 'Les Tuniques bleues', [1, 2]],
])('« %s » are several volumes of one series', (text, titre, tomes) => {
  expect(spanOfTitre(text)).toEqual({ titre, tomes });
});

it.each(['Astérix 4', '1984', 'La Révolution française 1789-1799', '1-4', 'Louis XIV et XV', ''])(
  '« %s » is no span of volumes',
  (text) => {
    expect(spanOfTitre(text)).toBeNull();
  },
);

describe('a costly text is read at once', () => {
  it.each([
    ['blanks', ' '],
    ['blanks that do not break', '\u00a0'],
    ['zeros', '0'],
    ['commas', ','],
    ['brackets', ' ('],
  ])('of %s', (_, part) => {
    const begin = performance.now();
    for (const text of [`a${part.repeat(5_000)}x`, `a (${part.repeat(5_000)}x`, part.repeat(5_000)])
      for (const read of [parseSerie, parseTome, numeroOf, spanOfTitre]) read(text);
    expect(performance.now() - begin).toBeLessThan(500);
  });
});
