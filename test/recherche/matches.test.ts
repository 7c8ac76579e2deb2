import { expect, test } from 'vitest';
import { bestFirst } from '#server/subjects/recherche';

const record = (titre: string, ...auteurs: string[]) => ({
  id: null,
  titre,
  auteurs,
  editeur: null,
  annee: null,
  nombrePages: null,
  isbns: [],
  details: [],
});

/** Each title has one record; equally good matches keep this order. */
const FOUND = [
  record('Le tour de Nana', 'Ana Tiers'),
  record('Nanarland', 'Ana Tiers'),
  record('Nana et les autres', 'Ana Tiers'),
  record('Nana sans fin', ''),
  record('Nana : roman', 'Ana Tiers'),
  record('NANA !', 'Ana Tiers'),
  record('Tout autre chose', 'Bob', 'Zola, Émile'),
  record('Nana', 'Émile Zola'),
  record('Nana : édition critique', 'Zola, Émile'),
];

const titres = (titre: string, auteur: string | null) =>
  bestFirst(FOUND, { titre, auteur }).map((one) => one.titre);

test('the exact title is first, then its work, then beginnings', () => {
  expect(titres('nana', null)).toEqual([
    'NANA !',
    'Nana',
    'Nana : roman',
    'Nana : édition critique',
    'Nana et les autres',
    'Nana sans fin',
    'Le tour de Nana',
    'Nanarland',
    'Tout autre chose',
  ]);
});

test('the author asked for comes before any title', () => {
  expect(titres('nana', 'EMILE ZOLA')).toEqual([
    'Nana',
    'Nana : édition critique',
    'Tout autre chose',
    'NANA !',
    'Nana : roman',
    'Nana et les autres',
    'Nana sans fin',
    'Le tour de Nana',
    'Nanarland',
  ]);
});
