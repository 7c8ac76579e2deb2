import { expect, test } from 'vitest';
import { Catalogue } from '#shared/catalogue';
import { searchedDetails, searchedLength, searchedParts, type Detail } from '#shared/details';
import { foundDetail } from '../../src/lib/livres/catalogue/found-detail.ts';
import { makeLivre } from '../support/livres.ts';

const NOBODY = new Map();

/** A text of this length that ends with a word. */
const ending = (length: number, word: string): string =>
  'mot '.repeat(Math.ceil(length / 4)).slice(0, length - word.length - 1) + ` ${word}`;

function catalogueOf(count: number, details: readonly Detail[]): Catalogue {
  const catalogue = new Catalogue();
  catalogue.applyLivres(
    Array.from({ length: count }, (_, at) =>
      makeLivre(at + 1, `Titre ${String(at)}`, { details: at === 0 ? [...details] : [] }),
    ),
  );
  return catalogue;
}

test.each([3, 3_000])('a search among %i books reads the beginning of long values', (count) => {
  const found = (valeur: string, word: string) =>
    catalogueOf(count, [{ nom: 'Résumé', valeur }]).search({ recherche: word }, NOBODY).length;
  expect(found(ending(2_000, 'zinnia'), 'zinnia')).toBe(1);
  expect(found(ending(2_001, 'zinnia'), 'zinnia')).toBe(0);
  // A truncated word is not found.
  expect(found(ending(2_003, 'zinnia'), 'zinn')).toBe(0);
  expect(found('x'.repeat(10_000), 'xxx')).toBe(1);
});

test.each([3, 3_000])('a search among %i books reads so much of all details of a book', (count) => {
  const long = Array.from({ length: 29 }, (_, at) => ({
    nom: `Nom ${String(at)}`,
    valeur: `w${String(at)} ${'mot '.repeat(2_499)}`,
  }));
  const catalogue = catalogueOf(count, [...long, { nom: 'Fin', valeur: 'zinnia' }]);
  const found = (recherche: string) => catalogue.search({ recherche }, NOBODY).length;
  expect([found('w0'), found('w2'), found('w4'), found('zinnia')]).toEqual([1, 1, 0, 0]);
  expect(searchedParts(long).join('').length).toBeLessThanOrEqual(searchedLength(long));
  expect(searchedDetails(long).length).toBeLessThan(6_200);
});

test('a row of the list contains only the searchable part of a detail', () => {
  const livre = makeLivre(1, 'Un', {
    details: [{ nom: 'Résumé', valeur: `${ending(2_001, 'zinnia')} et la suite` }],
  });
  expect(foundDetail(livre, 'zinnia')).toBeNull();
  expect(foundDetail(livre, 'mot')?.nom).toBe('Résumé');
});
