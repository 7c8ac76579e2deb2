import { describe, expect, it, test } from 'vitest';
import { abbreviates, hasInitial, parseNom } from '#shared/nom-form';
import { mostPresentableNom } from '#shared/presentable-nom';
import { cleRegroupement } from '#shared/text';
import { Refus } from '#server/subjects/auteurs/merging';
import { atLeastOne } from '../support/at-least-one.ts';
import { readVectors } from '../support/vectors.ts';
import { UNDECIDED, suggestFusions } from './support.ts';

let count = 0;
/** The same name with blanks around it, to miss the cache of parsed names. */
const anew = (nom: string): string => {
  count++;
  return `${' '.repeat(count % 60)}${nom}${' '.repeat(Math.floor(count / 60) % 60)}`;
};

/** The relation between two names, in the table's terms. */
function relation(a: string, b: string): string {
  if (cleRegroupement(a) === cleRegroupement(b)) return 'same';
  if (abbreviates(parseNom(a), parseNom(b))) return 'abbreviates';
  if (abbreviates(parseNom(b), parseNom(a))) return 'is abbreviated by';
  const pair = [
    { id: 1, nom: a },
    { id: 2, nom: b },
  ];
  return suggestFusions(pair, new Refus(), UNDECIDED).length > 0 ? 'suggestion' : 'distinct';
}

describe('two names', () => {
  const cases = readVectors('auteur-pairs');

  it.each(cases)('%s: %s / %s', (expected, a = '', b = '') => {
    expect(relation(anew(a), anew(b))).toBe(expected);
    expect(relation(b, a)).toBe(expected === 'abbreviates' ? 'is abbreviated by' : expected);
  });
});

describe('an initial', () => {
  it.each([
    ['J. Martin', true],
    ['Martin, J.', true],
    ['J Martin', true],
    ['JEAN P MARTIN', true],
    ['Jean-P. Martin', true],
    ['Jean Martin', false],
    ['Jean M.', false],
    ['J. M.', false],
    ['JOSE Y GASSET', false],
    ['Ortega y Gasset', false],
    ['L’Arbre Sec', false],
    ['王 明', false],
    ['Homère', false],
    ['', false],
    [', Jean M.', false],
    ['Martin, , J.', true],
    ['M. García, Gabriel', false],
    ['GASSET, Y', true],
    ['王 小明', false],
    ['Jean à Martin', false],
    ['Jean D Martin', true],
    ['jean p martin', true],
    ['ﷺ. Martin', false],
  ])('stands for a given name in « %s »: %s', (nom, expected) => {
    expect(hasInitial(parseNom(anew(nom)))).toBe(expected);
  });

  it('leaves no word of the name out', () => {
    expect(abbreviates(parseNom('J. García'), parseNom('Jean García Márquez'))).toBe(false);
    expect(abbreviates(parseNom('J. Jean'), parseNom('Jean'))).toBe(false);
  });
});

describe('the stored forms of a name', () => {
  it.each([
    ['Jean-Paul Sartre', 'j p s sartre'],
    ['Sartre, J. P.', 'j p s sartre'],
    ['Œ. Martin', 'o m martin'],
    ['😀 𝒜', 'a a'],
    ['', ''],
  ])('is what its short forms share: %s', (nom, signature) => {
    expect(parseNom(anew(nom)).signature).toBe(signature);
  });
});

describe('the most presentable name', () => {
  it.each(readVectors('presentable-noms').map((noms) => ({ noms })))('$noms', ({ noms }) => {
    const [best = '', ...others] = noms;
    for (const other of atLeastOne(others)) {
      expect(mostPresentableNom([best, other])).toBe(best);
      expect(mostPresentableNom([other, best])).toBe(best);
    }
  });

  it('is the first one among equals', () => {
    expect(mostPresentableNom(['Hugo Victor', 'Victor Hugo'])).toBe('Hugo Victor');
    const dick = ['Philip K. Dick', 'Dick Philip K.'];
    expect(dick.map((first) => mostPresentableNom([first, ...dick]))).toEqual(dick);
    const oneCase = ['VICTOR HUGO', 'victor hugo'];
    expect(oneCase.map((first) => mostPresentableNom([first, ...oneCase]))).toEqual(oneCase);
    expect(mostPresentableNom([])).toBeNull();
  });
});

test('thousands of names one letter apart are compared few times', () => {
  const auteurs = Array.from({ length: 2000 }, (_, id) => ({
    id,
    nom: `Bibliothèque ${String.fromCodePoint(0x4e00 + id)}`,
  }));
  let pairs = 0;
  const confidence = () => {
    pairs++;
    return -1;
  };
  suggestFusions(auteurs, new Refus(), { ...UNDECIDED, confidence });
  expect(pairs).toBeGreaterThan(2000);
  expect(pairs).toBeLessThan(50_000);
});
