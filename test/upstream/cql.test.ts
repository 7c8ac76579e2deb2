import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../support/any-character.ts';
import { cases } from '../support/random.ts';
import { toCql, quoteTerm } from '#server/plumbing/upstream/bnf';

test('words are quoted, criteria joined', () => {
  expect(toCql([['isbn', '9782948012017']])).toBe('bib.isbn all "9782948012017"');
  expect(
    toCql([
      ['title', 'le château'],
      ['author', 'verne'],
    ]),
  ).toBe('bib.title all "le château" and bib.author all "verne"');
});

test.each(['', '   ', '"', '\\', '"\\"', '***', '-'])('« %s » asks for nothing', (text) => {
  expect(quoteTerm(text)).toBeNull();
  expect(
    toCql([
      ['title', 'mer'],
      ['author', text],
    ]),
  ).toBeNull();
});

test.each([
  ['a" or bib.title all "b', '"a or bib.title all b"'],
  ['a\\', '"a"'],
  ['a\\" or b', '"a or b"'],
  ['mer*', '"mer"'],
  ['l’île d’en\nface', '"l’île d’en face"'],
])('%j cannot end its term', (text, expected) => {
  expect(quoteTerm(text)).toBe(expected);
});

test('no typed text ends a term', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(quoteTerm(text) ?? '""').toMatch(/^"[^"\\]*"$/u);
    }),
    cases(),
  );
});
