import { expect, test } from 'vitest';
import { givenByPage } from '../../src/lib/recherche/code.ts';

const textOf = (shared: Record<string, string>) =>
  Object.fromEntries(givenByPage(new URLSearchParams(shared)) ?? [['nothing', 'shared']]);

test.each([
  [{ url: 'https://librairie.example/livre/9782070360024-l-etranger-albert-camus/' }],
  [{ url: 'https://magasin.example/dp/2070360024?ref=1' }],
  [{ text: 'L’Étranger https://magasin.example/dp/2070360024' }],
  [{ text: 'ISBN : 978-2-07-036002-4' }],
  [{ text: 'ISBN 2-07-036002-4, folio' }],
  [{ text: 'ISBN : 2-07-036002-4' }],
  [{ text: 'ISBN2070360024' }],
  [{ text: 'Code 978 2 07 036002 4.' }],
  [{ title: 'L’Étranger', text: 'EAN 9782070360024', url: 'https://librairie.example/' }],
  // The first number is no valid ISBN, the second one is.
  [{ text: '9782070360025 ou 9782070360024' }],
])('the ISBN of a shared page is found in %j', (shared) => {
  expect(textOf(shared)).toEqual({ isbn: '9782070360024' });
});

test.each([
  [{ title: 'L’Étranger', url: 'https://critique.example/camus/3683' }, 'L’Étranger'],
  [{ text: 'L’Étranger https://critique.example/camus/3683' }, 'L’Étranger'],
  // A telephone number that would be a valid ISBN-10.
  [{ title: 'Librairie, 0612345671', url: 'https://librairie.example/' }, 'Librairie, 0612345671'],
  [{ title: 'Isbndex2070360024' }, 'Isbndex2070360024'],
  [{ title: '978a2b0c7d0e3f6g0h0i2j4' }, '978a2b0c7d0e3f6g0h0i2j4'],
  [{ title: '978/2/07/036002/4' }, '978/2/07/036002/4'],
])('without one its title is taken: %j', (shared, titre) => {
  expect(textOf(shared)).toEqual({ titre });
});

test('an empty shared text opens no page', () => {
  expect(textOf({ isbn: '9782070360024' })).toEqual({ nothing: 'shared' });
  expect(textOf({ title: '', text: ' ' })).toEqual({ nothing: 'shared' });
  expect(textOf({ url: 'https://critique.example/' })).toEqual({});
});
