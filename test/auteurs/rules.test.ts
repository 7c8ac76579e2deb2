import { describe, expect, it, test } from 'vitest';
import { abbreviates, hasInitial, parseNom } from '#shared/nom-form';
import { mostPresentableNom } from '#shared/presentable-nom';
import { cleRegroupement } from '#shared/text';
import { Refus } from '#server/subjects/auteurs/merging';
import { atLeastOne } from '../support/at-least-one.ts';
import { readVectors } from '../support/vectors.ts';
import { UNDECIDED, suggestFusions } from './support.ts';

let count = 0;
/** The same name with blanks around it: what is remembered of names read lately is not asked. */
const anew = (nom: string): string => {
  count++;
  return `${' '.repeat(count % 60)}${nom}${' '.repeat(Math.floor(count / 60) % 60)}`;
};

/** What the rules make of two names, in the words of the table. */
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
  ])('stands for a given name in « %s »: %s', (nom, expected) => {
    expect(hasInitial(parseNom(anew(nom)))).toBe(expected);
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
