import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isbn10Of, parseIsbn } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import { unescape } from '../support/escapes.ts';
import { readVectors } from '../support/vectors.ts';
import { cases } from '../support/random.ts';

describe('an ISBN', () => {
  it.each(readVectors('isbn-valid'))(
    'is read in « %s »',
    (text = '', isbn13 = '', displayed, isbn10) => {
      expect(parseIsbn(unescape(text))).toBe(isbn13);
      expect(formatIsbn(isbn13)).toBe(displayed);
      expect(isbn10Of(isbn13) ?? '').toBe(isbn10);
    },
  );

  it.each(readVectors('isbn-invalid'))('is not in « %s »', (text = '') => {
    expect(parseIsbn(unescape(text))).toBeNull();
  });

  it('is not in a blank text', () => {
    expect(parseIsbn('')).toBeNull();
    expect(parseIsbn(' \u00a0')).toBeNull();
  });

  const prefixes = fc.stringMatching(/^97(8\d|9[1-9])\d{8}$/);
  const isbns = prefixes.map((prefix) => {
    const valid = Array.from({ length: 10 }, (_, cle) => parseIsbn(`${prefix}${cle}`));
    return valid.filter((isbn) => isbn !== null);
  });

  it('is not at the end of a longer code', () => {
    for (let digit = 0; digit < 10; digit++)
      expect(parseIsbn(`${String(digit)}9782070360024`)).toBeNull();
  });

  it('has one check digit for every first twelve digits', () => {
    fc.assert(
      fc.property(isbns, (valid) => {
        expect(valid).toHaveLength(1);
      }),
      cases(),
    );
  });

  it('is read again from its shown form and its ISBN-10', () => {
    fc.assert(
      fc.property(isbns, ([isbn = '']) => {
        expect(parseIsbn(formatIsbn(isbn))).toBe(isbn);
        const isbn10 = isbn10Of(isbn);
        const again = isbn10 === null ? null : parseIsbn(isbn10);
        expect(again).toBe(isbn.startsWith('979') ? null : isbn);
      }),
      cases(),
    );
  });

  it('is cut into five parts in French groups only', () => {
    fc.assert(
      fc.property(isbns, ([isbn = '']) => {
        const parts = formatIsbn(isbn).split('-');
        const isFrench = /^978-2-|^979-10-/.test(formatIsbn(isbn));
        expect([1, isFrench ? 5 : 4]).toContain(parts.length);
      }),
      cases(),
    );
  });
});
