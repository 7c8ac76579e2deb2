import { expect, it } from 'vitest';
import { contracted } from '#shared/elision';

it.each([
  ['Manque à Astérix', 'Manque à Astérix'],
  ['Manque à Le Chat, tome 3', 'Manque au Chat, tome 3'],
  ['Manque à Les Aventures de Tintin', 'Manque aux Aventures de Tintin'],
  ['Manque à La Comédie humaine', 'Manque à La Comédie humaine'],
  ['Manque à L’Arabe du futur', 'Manque à L’Arabe du futur'],
  ['Manque à Lesbos', 'Manque à Lesbos'],
  ['Manque à Les', 'Manque à Les'],
  ['Manque à Le Cycle de Asimov', 'Manque au Cycle de Asimov'],
  ['De Victor Hugo', 'De Victor Hugo'],
  ['De Elena Ferrante', 'D’Elena Ferrante'],
  ['De Hergé', 'D’Hergé'],
  ['De Émile Zola', 'D’Émile Zola'],
  ['Souhaits de Camille', 'Souhaits de Camille'],
  ['Souhaits de Alice', 'Souhaits d’Alice'],
  ['Souhaits de Inès', 'Souhaits d’Inès'],
  ['De Éric', 'D’Éric'],
  ['Missing from Le Chat', 'Missing from Le Chat'],
])('« %s » is « %s »', (sentence, expected) => {
  expect(contracted(sentence)).toBe(expected);
});
