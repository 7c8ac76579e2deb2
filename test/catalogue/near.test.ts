import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Catalogue } from '#shared/catalogue';
import { editDistance, joinedElisions, nearIndexOf } from '#shared/catalogue-near';
import { makeLivre } from '../support/livres.ts';
import { cases } from '../support/random.ts';

const household = () => {
  const catalogue = new Catalogue();
  const livres: [string, string][] = [
    ['L’Étranger', 'Albert Camus'],
    ['Harry Potter à l’école des sorciers', 'J. K. Rowling'],
    ['Le Petit Nicolas', 'René Goscinny'],
    ['Guerre et paix', 'Léon Tolstoï'],
    ['Nana', 'Émile Zola'],
    ['Aujourd’hui', 'Harry Mulisch'],
    ['Ombre (L’)', 'Personne'],
  ];
  catalogue.applyLivres(
    livres.map(([titre, nom], i) => makeLivre(i + 1, titre, { auteurs: [{ id: i + 1, nom }] })),
  );
  return catalogue;
};

const near = (catalogue: Catalogue, recherche: string) =>
  nearIndexOf(catalogue)
    .find(recherche)
    .map(({ livre, distance }) => `${livre.titre} ${distance}`);

describe('near matches', () => {
  it.each([
    ['letranger', ['L’Étranger 0']],
    ['l etranger', ['L’Étranger 0']],
    ['étranger', ['L’Étranger 0']],
    ['aujourdhui', ['Aujourd’hui 0']],
    ['lombre', ['Ombre (L’) 0']],
    ['letranger camu', ['L’Étranger 0']],
    ['etrangr', ['L’Étranger 1']],
    ['harry poter', ['Harry Potter à l’école des sorciers 1']],
    ['hrary potter', ['Harry Potter à l’école des sorciers 1']],
    ['goscini', ['Le Petit Nicolas 2']],
    ['gosccinny', ['Le Petit Nicolas 1']],
    ['tolstoy', ['Guerre et paix 1']],
    ['guere tolstoy', ['Guerre et paix 2']],
    ['nan', ['Nana 0']],
    ['nxn', []],
    ['mana', ['Nana 1']],
    ['xoka', ['Nana 2']],
    ['tolstoi lexx', ['Guerre et paix 2']],
    ['goscbxny', ['Le Petit Nicolas 2']],
    ['gossonny', ['Le Petit Nicolas 2']],
    ['petitnicolas', []],
    // A word of three letters is never corrected, even beside a corrected one of four.
    ['ett paix', []],
    ['zzzzzzzz', []],
    ['', []],
    ['?!', []],
  ])('of « %s »', (recherche, expected) => {
    expect(near(household(), recherche)).toEqual(expected);
  });

  it('come nearest first, within one letter of the best', () => {
    const catalogue = new Catalogue();
    catalogue.applyLivres([
      makeLivre(1, 'Potiers'),
      makeLivre(2, 'Potter'),
      makeLivre(3, 'Potters'),
      makeLivre(4, 'Lettre'),
    ]);
    expect(near(catalogue, 'pottter')).toEqual(['Potter 1', 'Potters 2']);
    expect(near(catalogue, 'pottr')).toEqual(['Potter 1']);
    // A word of six letters may differ by two.
    expect(near(catalogue, 'pottir')).toEqual(['Potter 1', 'Potters 2']);
  });

  it('come nearest first, then by title, twenty at most', () => {
    const catalogue = new Catalogue();
    const titres = [
      'Potters Lettres',
      'Potter Lettre',
      'Zutea',
      'Zutez',
      'Étranger',
      'L’étrangers',
    ];
    catalogue.applyLivres(titres.map((titre, i) => makeLivre(9 - i, titre)));
    expect(near(catalogue, 'pottter')).toEqual(['Potter Lettre 1', 'Potters Lettres 2']);
    expect(near(catalogue, 'pottter lettrre')).toEqual(['Potter Lettre 2']);
    expect(near(catalogue, 'zuteo')).toEqual(['Zutea 1', 'Zutez 1']);
    expect(near(catalogue, 'letranger')).toEqual(['L’étrangers 0']);
    catalogue.applyLivres(Array.from({ length: 25 }, (_, i) => makeLivre(20 + i, 'Babar')));
    expect(near(catalogue, 'babat')).toHaveLength(20);
  });

  it('keep that order, whichever was added last', () => {
    const catalogue = new Catalogue();
    catalogue.applyLivres([makeLivre(1, 'Autres potters'), makeLivre(2, 'Vrai potter')]);
    expect(near(catalogue, 'pottter')).toEqual(['Vrai potter 1', 'Autres potters 2']);
    catalogue.applyLivres([makeLivre(3, 'Faux potter')]);
    expect(near(catalogue, 'pottter')).toEqual([
      'Faux potter 1',
      'Vrai potter 1',
      'Autres potters 2',
    ]);
  });

  it('are found by a word that another book had too', () => {
    const catalogue = household();
    expect(near(catalogue, 'harryy')).toHaveLength(2);
    catalogue.applyLivres([{ id: 2, _deleted: true }]);
    expect(near(catalogue, 'harryy')).toEqual(['Aujourd’hui 1']);
    catalogue.applyLivres([makeLivre(2, 'Harry, oh Harry'), makeLivre(7, 'Harry')]);
    expect(near(catalogue, 'harryy')).toHaveLength(3);
    catalogue.applyLivres([{ id: 2, _deleted: true }]);
    expect(near(catalogue, 'harryy')).toEqual(['Aujourd’hui 1', 'Harry 1']);
  });

  it('follow the changes of the catalogue, read partly or wholly', () => {
    for (const read of [0, 2, Infinity]) {
      const catalogue = household();
      expect(nearIndexOf(catalogue).prepare(read)).toBe(read === Infinity);
      catalogue.applyLivres([makeLivre(1, 'Les Justes'), { id: 4, _deleted: true }]);
      expect(near(catalogue, 'letranger')).toEqual([]);
      expect(near(catalogue, 'justtes')).toEqual(['Les Justes 1']);
      expect(near(catalogue, 'tolstoy')).toEqual([]);
      expect(nearIndexOf(catalogue).prepare(0)).toBe(true);
    }
  });
});

test('elided words are joined to the next, where there is one', () => {
  expect(joinedElisions('l ami qu il a d l'.split(' '))).toEqual(['lami', 'quil', 'dl']);
});

describe('the distance of two words', () => {
  it('counts letters put in, left out, changed and swapped', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, max) => {
        expect(editDistance(a, b, max)).toBe(Math.min(plainDistance(a, b), max + 1));
        expect(editDistance(b, a, max)).toBe(editDistance(a, b, max));
      }),
      cases(),
    );
  });
});

/** The textbook definition: the minimum over the last edit. */
function plainDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(0, -1), b.slice(0, -1)];
  const changed = plainDistance(restA, restB) + (a.at(-1) === b.at(-1) ? 0 : 1);
  const shorter = Math.min(plainDistance(restA, b), plainDistance(a, restB)) + 1;
  const isSwap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  const swapped = isSwap ? plainDistance(a.slice(0, -2), b.slice(0, -2)) + 1 : Infinity;
  return Math.min(changed, shorter, swapped);
}
