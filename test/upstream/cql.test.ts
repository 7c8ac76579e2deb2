import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requete, terme } from '#server/upstream/bnf/cql';

test('words are quoted, criteria joined', () => {
  expect(requete([['isbn', '9782948012017']])).toBe('bib.isbn all "9782948012017"');
  expect(
    requete([
      ['title', 'le château'],
      ['author', 'verne'],
    ]),
  ).toBe('bib.title all "le château" and bib.author all "verne"');
});

test.each(['', '   ', '"', '\\', '"\\"', '***', '-'])('« %s » asks for nothing', (texte) => {
  expect(terme(texte)).toBeNull();
  expect(
    requete([
      ['title', 'mer'],
      ['author', texte],
    ]),
  ).toBeNull();
});

test.each([
  ['a" or bib.title all "b', '"a or bib.title all b"'],
  ['a\\', '"a"'],
  ['a\\" or b', '"a or b"'],
  ['mer*', '"mer"'],
  ['l’île d’en\nface', '"l’île d’en face"'],
])('%j cannot end its term', (texte, attendu) => {
  expect(terme(texte)).toBe(attendu);
});

test('nothing typed ends a term', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (texte) => {
      expect(terme(texte) ?? '""').toMatch(/^"[^"\\]*"$/u);
    }),
  );
});
