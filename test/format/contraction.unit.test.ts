import { expect, it } from 'vitest';
import { withA } from '../../src/lib/format/french.ts';

it.each([
  ['Astérix', 'à Astérix'],
  ['Le Chat', 'au Chat'],
  ['Les Aventures de Tintin', 'aux Aventures de Tintin'],
  ['La Comédie humaine', 'à La Comédie humaine'],
  ['L’Arabe du futur', 'à L’Arabe du futur'],
  ['Lesbos', 'à Lesbos'],
  ['Les', 'à Les'],
  [' Le Cycle de Fondation ', 'au Cycle de Fondation'],
])('« à » and « %s » make « %s »', (titre, expected) => {
  expect(withA(titre)).toBe(expected);
});
