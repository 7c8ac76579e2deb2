import { describe, expect, it } from 'vitest';
import { bindingOf, initials } from '../../src/lib/format/binding.ts';

describe('initials', () => {
  it.each([
    ['L’Étranger', 'É'],
    ["L'Étranger", 'É'],
    ['Les Années', 'A'],
    ['La Horde du Contrevent', 'HC'],
    ['Vendredi ou les Limbes du Pacifique', 'VL'],
    ['Le Petit Prince', 'PP'],
    ['Œuvres complètes', 'ŒC'],
    ['De la', 'DL'],
    ['戦争と平和', '戦'],
    ['Мастер и Маргарита', 'МИ'],
    ['e\u0301tude', 'É'],
    ['???', '·'],
    ['', '·'],
  ])('of « %s » are %s', (titre, letters) => {
    expect(initials(titre)).toBe(letters);
  });
});

describe('bindingOf', () => {
  it('is one of eight, the same for every spelling of a title', () => {
    for (const titre of ['L’Étranger', '', '戦争と平和'])
      expect(bindingOf(titre)).toBeOneOf([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(bindingOf('L’ÉTRANGER')).toBe(bindingOf("l'etranger"));
  });
});
