import { describe, expect, it } from 'vitest';
import { initiales, reliure } from '../../src/lib/format/reliure.ts';

describe('the initials on a cover’s substitute', () => {
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
  ])('makes of « %s » %s', (titre, lettres) => {
    expect(initiales(titre)).toBe(lettres);
  });
});

describe('the binding', () => {
  it('is one of eight, and the same for every spelling of a title', () => {
    for (const titre of ['L’Étranger', '', '戦争と平和'])
      expect(reliure(titre)).toBeOneOf([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(reliure('L’ÉTRANGER')).toBe(reliure("l'etranger"));
  });
});
