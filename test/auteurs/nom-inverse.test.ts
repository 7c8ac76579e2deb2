import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { commonSecondWords, givenNamesOf, invertNom, isDoubtful } from '#shared/nom-inverse';
import { cleRegroupement } from '#shared/text';
import { cases } from '../support/random.ts';

describe('a name that stands family name first', () => {
  it.each([
    ['Camus Albert', 'Albert Camus'],
    ['Poe Edgar Allan', 'Edgar Allan Poe'],
    ['Garcia Marquez Gabriel', 'Gabriel Garcia Marquez'],
    ['Le Clézio Jean-Marie', 'Jean-Marie Le Clézio'],
    ['Homère', 'Homère'],
    ['Maupassant Guy de', 'Guy de Maupassant'],
    ['de Beauvoir Simone', 'Simone de Beauvoir'],
    // Reading order already: a last word behind a particle is no given name.
    ['Guy de Maupassant', 'Guy de Maupassant'],
    ['Roger Martin du Gard', 'Roger Martin du Gard'],
    ['Jean d’Ormesson', 'Jean d’Ormesson'],
    ['', ''],
    [' Camus  Albert ', 'Albert Camus'],
    ['De La', 'De La'],
    ['Gabriel Marquez Gabriel', 'Gabriel Gabriel Marquez'],
  ])('« %s » is turned into « %s »', (nom, turned) => {
    expect(invertNom(nom, new Set(['gabriel']))).toBe(turned);
  });

  it('is doubtful with several words or a particle', () => {
    const noms = ['Camus Albert', 'Poe Edgar Allan', 'Le Clézio', 'Homère', 'Guy de Maupassant'];
    expect(noms.map(isDoubtful)).toEqual([false, true, true, false, false]);
  });

  it('is turned behind what stands second in several names', () => {
    expect(commonSecondWords(['Poe Edgar Allan', 'Jacobs Edgar Pierre', 'A B C'])).toEqual([
      'edgar',
    ]);
    expect(commonSecondWords(['Homère', 'Platon'])).toEqual([]);
  });

  it('is turned before what stands first in known names', () => {
    const known = givenNamesOf(['Edgar Poe', 'Le Clézio', 'Homère', '', 'ÉMILE Zola']);
    expect(known).toEqual(new Set(['edgar', 'emile']));
    expect(invertNom('Allan Poe Edgar', known)).toBe('Edgar Allan Poe');
  });

  test('keeps its words, so that it stays the same author', () => {
    fc.assert(
      fc.property(fc.string(), (nom) => {
        expect(cleRegroupement(invertNom(nom))).toBe(cleRegroupement(nom));
      }),
      cases(100),
    );
  });
});
