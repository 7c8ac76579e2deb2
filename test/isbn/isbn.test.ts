import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afficherIsbn, isbn10De, lireIsbn } from '#shared/isbn';
import { unescape } from '../support/escapes.ts';
import { readVectors } from '../support/vectors.ts';

describe('an ISBN', () => {
  it.each(readVectors('isbn-valides'))(
    'is read in « %s »',
    (texte = '', isbn13 = '', affiche, dix) => {
      expect(lireIsbn(unescape(texte))).toBe(isbn13);
      expect(afficherIsbn(isbn13)).toBe(affiche);
      expect(isbn10De(isbn13) ?? '').toBe(dix);
    },
  );

  it.each(readVectors('isbn-invalides'))('is not in « %s »', (texte = '') => {
    expect(lireIsbn(unescape(texte))).toBeNull();
  });

  it('is not in a blank text', () => {
    expect(lireIsbn('')).toBeNull();
    expect(lireIsbn(' \u00a0')).toBeNull();
  });

  const racines = fc.stringMatching(/^97(8\d|9[1-9])\d{8}$/);
  const isbns = racines.map((racine) => {
    const valides = Array.from({ length: 10 }, (_, cle) => lireIsbn(`${racine}${cle}`));
    return valides.filter((isbn) => isbn !== null);
  });

  it('has one check digit for every first twelve digits', () => {
    fc.assert(
      fc.property(isbns, (valides) => {
        expect(valides).toHaveLength(1);
      }),
    );
  });

  it('is read again from how it is shown, and from its ISBN-10', () => {
    fc.assert(
      fc.property(isbns, ([isbn = '']) => {
        expect(lireIsbn(afficherIsbn(isbn))).toBe(isbn);
        const dix = isbn10De(isbn);
        expect(dix === null).toBe(isbn.startsWith('979'));
        if (dix !== null) expect(lireIsbn(dix)).toBe(isbn);
      }),
    );
  });

  it('is cut before the check digit outside the French-language group, or not at all', () => {
    fc.assert(
      fc.property(isbns, ([isbn = '']) => {
        const parties = afficherIsbn(isbn).split('-');
        const francophone = /^978-2-|^979-10-/.test(afficherIsbn(isbn));
        expect([1, francophone ? 5 : 4]).toContain(parties.length);
      }),
    );
  });
});
