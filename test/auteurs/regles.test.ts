import { describe, expect, it } from 'vitest';
import { abrege, lireForme } from '#shared/nom-forme';
import { nomLePlusPresentable } from '#shared/nom-presentable';
import { cleRegroupement } from '#shared/text';
import { Refus } from '#server/auteurs/refus';
import { ressemblances } from '#server/auteurs/suggestions';
import { readVectors } from '../support/vectors.ts';

/** What the rules make of two names, in the words of the table. */
function relation(a: string, b: string): string {
  if (cleRegroupement(a) === cleRegroupement(b)) return 'meme';
  if (abrege(lireForme(a), lireForme(b))) return 'abrege';
  if (abrege(lireForme(b), lireForme(a))) return 'est abrege par';
  const deux = [
    { id: 1, nom: a },
    { id: 2, nom: b },
  ];
  return ressemblances(deux, new Refus()).length > 0 ? 'suggestion' : 'distincts';
}

describe('two names', () => {
  const cas = readVectors('auteurs-deux-noms');

  it.each(cas)('%s: %s / %s', (attendue, a = '', b = '') => {
    expect(relation(a, b)).toBe(attendue);
    expect(relation(b, a)).toBe(attendue === 'abrege' ? 'est abrege par' : attendue);
  });
});

describe('the most presentable name', () => {
  it.each(readVectors('auteurs-presentables').map((noms) => ({ noms })))('$noms', ({ noms }) => {
    const [meilleur = '', ...autres] = noms;
    for (const autre of autres) {
      expect(nomLePlusPresentable([meilleur, autre])).toBe(meilleur);
      expect(nomLePlusPresentable([autre, meilleur])).toBe(meilleur);
    }
  });

  it('is the first one among equals', () => {
    expect(nomLePlusPresentable(['Hugo Victor', 'Victor Hugo'])).toBe('Hugo Victor');
    expect(nomLePlusPresentable([])).toBeNull();
  });
});
