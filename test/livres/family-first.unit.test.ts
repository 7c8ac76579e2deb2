import { expect, it } from 'vitest';
import { familyFirst, familyName } from '#shared/sort';

it.each([
  ['Honoré de Balzac', 'Balzac, Honoré de'],
  ['Antoine de Saint-Exupéry', 'Saint-Exupéry, Antoine de'],
  ['J. M. G. Le Clézio', 'Le Clézio, J. M. G.'],
  ['J. M. G.  Le  Clézio', 'Le Clézio, J. M. G.'],
  ['Jean d’Ormesson', 'd’Ormesson, Jean'],
  ['Alexandre Dumas fils', 'Dumas fils, Alexandre'],
  ['Colette', 'Colette'],
  [' Honoré de Balzac ', 'Balzac, Honoré de'],
  ['Poe, Edgar Allan', 'Poe, Edgar Allan'],
])('« %s » is printed as « %s »', (nom, printed) => {
  expect(familyFirst(nom)).toBe(printed);
});

it.each([
  ['Walter de la Mare', 'la Mare'],
  [' de  la Mare , Walter', 'de la Mare'],
  ['Fils', 'Fils'],
])('the family name of « %s » is « %s »', (nom, family) => {
  expect(familyName(nom)).toBe(family);
});
