import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  auteurSortKey,
  isPersonalTri,
  letterOf,
  numbersByValue,
  railOf,
  titreSortKey,
  TRIS,
} from '#shared/sort';
import { compareText } from '#shared/text';

const sorted = (titres: readonly string[], key: (text: string) => string) =>
  titres.toSorted((a, b) => compareText(key(a), key(b)));

const stopsOf = (letters: readonly string[]) => railOf(letters.length, (i) => letters[i] ?? '');

describe('titles in alphabetical order', () => {
  it.each([
    ['La Peste', 'peste'],
    ['Peste (La)', 'peste'],
    ['Peste, La', 'peste'],
    ['Étranger (L’)', 'etranger'],
    ['Great Gatsby, The', 'great gatsby'],
    ['L’Étranger', 'etranger'],
    ["L' Assommoir", 'assommoir'],
    ['« Les Misérables »', 'miserables'],
    ['Un amour de Swann', 'amour de swann'],
    ['Une vie', 'vie'],
    ['Des souris et des hommes', 'souris et des hommes'],
    ['The Great Gatsby', 'great gatsby'],
    ['A Tale of Two Cities', 'tale of two cities'],
    ['An Artist of the Floating World', 'artist of the floating world'],
    ['À la recherche du temps perdu', 'a la recherche du temps perdu'],
    ['A la recherche du temps perdu', 'a la recherche du temps perdu'],
    ['Lautrec', 'lautrec'],
    ['Les', 'les'],
    ['Un, deux, trois', 'un deux trois'],
    ['La !', 'la'],
  ])('set the leading article aside: %s', (titre, key) => {
    expect(titreSortKey(titre)).toBe(key);
  });

  it('take numbers by value', () => {
    expect(
      sorted(
        ['Tome 100', 'Tome 13', 'Tome 12', 'Tome 012 bis', 'Tome 2', 'Tome', '10'],
        titreSortKey,
      ),
    ).toEqual(['10', 'Tome', 'Tome 2', 'Tome 12', 'Tome 012 bis', 'Tome 13', 'Tome 100']);
    const long = ['5', '999999999', '1000000000', '12345678901', '012345678902'];
    expect(sorted(long.toReversed(), titreSortKey)).toEqual(long);
    expect(numbersByValue('0012 1234567890')).toBe('212 911234567890');
  });
});

describe('authors', () => {
  it.each([
    ['Albert Camus', 'camus\nalbert'],
    ['Camus, Albert', 'camus\nalbert'],
    ['Simone de Beauvoir', 'beauvoir\nsimone'],
    ['Beauvoir, Simone de', 'beauvoir\nsimone'],
    ['de Beauvoir, Simone', 'beauvoir\nsimone'],
    ['Honoré d’Urfé', 'urfe\nhonore'],
    ["Jean d'Ormesson", 'ormesson\njean'],
    ['Joachim du Bellay', 'bellay\njoachim'],
    ['Jean de La Fontaine', 'la fontaine\njean'],
    ['La Fontaine, Jean de', 'la fontaine\njean'],
    ['Antoine de Saint-Exupéry', 'saint exupery\nantoine'],
    ['Ursula K. Le Guin', 'le guin\nursula k'],
    ['Johann Wolfgang von Goethe', 'goethe\njohann wolfgang'],
    ['Alexandre Dumas fils', 'dumas\nalexandre fils'],
    ['Le Corbusier', 'le corbusier\n'],
    ['La Fontaine', 'la fontaine\n'],
    ['Les Inconnus', 'les inconnus\n'],
    ['Van Hamme', 'van hamme\n'],
    ['Dumas,Alexandre,Fils', 'dumas\nalexandre fils'],
    ['Dumas, Alexandre, fils', 'dumas\nalexandre fils'],
    [', Albert Camus', 'camus\nalbert'],
    ['Fils', 'fils\n'],
    ['De Du, Ana', 'de du\nana'],
    ['Al Gore', 'gore\nal'],
    ['La Comtesse Dupont', 'dupont\nla comtesse'],
    ['Colette', 'colette\n'],
    ['De Gaulle', 'gaulle\n'],
    ['De', 'de\n'],
    ['???', '\n'],
  ])('are sorted by family name, without particles: %s', (nom, key) => {
    expect(auteurSortKey(nom)).toBe(key);
  });

  it('are in the order of « Nom, Prénom »', () => {
    const noms = ['Isabel Allende', 'Honoré de Balzac', 'Zoé Bal', 'Anne Bal', 'Bal, Émile'];
    expect(sorted(noms, auteurSortKey)).toEqual([
      'Isabel Allende',
      'Anne Bal',
      'Bal, Émile',
      'Zoé Bal',
      'Honoré de Balzac',
    ]);
  });
});

it('only the orders by a reader’s own notes and days are personal', () => {
  expect(TRIS.filter(isPersonalTri)).toEqual(['note', 'fin']);
});

describe('the rail of letters', () => {
  it('has « # » for numbers, the letters, and « … » for everything after Z', () => {
    expect(['1984', 'Été', 'Зима', '', 'Z'].map((titre) => letterOf(titreSortKey(titre)))).toEqual([
      '#',
      'E',
      '…',
      '…',
      'Z',
    ]);
  });

  it.each([
    ['0', '#'],
    ['9', '#'],
    ['a', 'A'],
    ['z', 'Z'],
  ])('has the key « %s » under « %s »', (key, letter) => {
    expect(letterOf(key)).toBe(letter);
  });

  it('has one stop a letter, at its first row', () => {
    expect(stopsOf(['#', 'A', 'A', 'C', '…', '…'])).toEqual([
      { letter: '#', index: 0 },
      { letter: 'A', index: 1 },
      { letter: 'C', index: 3 },
      { letter: '…', index: 4 },
    ]);
    expect(stopsOf([])).toEqual([]);
    expect(stopsOf(['…', '…', '…', 'A', '…', '…'])).toEqual([
      { letter: '…', index: 0 },
      { letter: 'A', index: 3 },
      { letter: '…', index: 4 },
    ]);
  });

  it('finds every letter’s first row, « … » at both ends', () => {
    const run = fc.tuple(fc.constantFrom('#', 'A', 'B', 'C', 'Y', 'Z', '…'), fc.nat(300));
    fc.assert(
      fc.property(fc.array(run), fc.nat(5), fc.nat(5), (runs, before, after) => {
        const sorted = runs.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
        const letters = [['…', before], ...sorted, ['…', after]] as const;
        const list = letters.flatMap(([letter, count]) => Array<string>(count).fill(letter));
        const firsts = list.flatMap((letter, index) =>
          letter === list[index - 1] ? [] : [{ letter, index }],
        );
        expect(stopsOf(list)).toEqual(firsts);
      }),
    );
  });
});
