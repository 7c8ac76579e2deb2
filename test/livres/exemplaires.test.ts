import { expect, test } from 'vitest';
import { isSameEdition } from '#shared/doublons';
import { reunir } from '../../src/lib/livres/catalogue/exemplaires.ts';
import { makeLivre } from '../support/livres.ts';

const ISBN = '9782070612758';
const OTHER = '9782070408504';
const print = (
  isbn: string | null,
  editeur: string | null = null,
  annee: number | null = null,
) => ({
  isbn,
  editeur,
  annee,
  cleOeuvre: 'nana',
  auteurs: [1],
});

test.each([
  ['one ISBN', print(ISBN, 'Folio', 1990), print(ISBN, 'Pocket', 2000), true],
  ['two ISBNs', print(ISBN), print(OTHER), false],
  ['an ISBN that one lacks', print(ISBN, 'Folio'), print(null, 'FOLIO'), true],
  ['another publisher', print(null, 'Folio'), print(null, 'Pocket'), false],
  ['another year', print(null, null, 1990), print(null, null, 1991), false],
  ['a year that one lacks', print(null, null, 1990), print(null), true],
  ['another work', print(null), { ...print(null), cleOeuvre: 'germinal' }, false],
])('copies of one edition: %s', (_name, a, b, expected) => {
  expect([isSameEdition(a, b), isSameEdition(b, a)]).toEqual([expected, expected]);
});

test('copies of one edition are one line, at the place of the first', () => {
  const auteurs = [{ id: 1, nom: 'Zola' }];
  const livres = [
    makeLivre(1, 'Germinal', { auteurs }),
    makeLivre(2, 'Nana', { auteurs, isbn: ISBN }),
    makeLivre(3, 'Nana', { auteurs, isbn: OTHER }),
    makeLivre(4, 'Nana', { auteurs }),
    makeLivre(5, 'Nana !', { auteurs, isbn: OTHER }),
    makeLivre(6, 'Nana', { auteurs: [{ id: 2, nom: 'Autre' }] }),
  ];
  const { livres: firsts, counts } = reunir(livres);
  expect(firsts.map(({ id }) => id)).toEqual([1, 2, 3, 6]);
  expect([...counts]).toEqual([
    [2, 2],
    [3, 2],
  ]);
});
