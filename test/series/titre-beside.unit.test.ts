import { expect, it } from 'vitest';
import { titreBeside } from '#shared/serie-beside';

it.each([
  ['Blacksad : Âme rouge', 'Blacksad', 'Âme rouge'],
  ['Blacksad, tome 3 : Âme rouge', 'Blacksad', 'Âme rouge'],
  ['Blacksad – âme rouge', 'BLACKSAD', 'Âme rouge'],
  ['Astérix. 7, Le combat des chefs', 'Astérix', 'Le combat des chefs'],
  [
    'Le Seigneur des anneaux : La Communauté de l’anneau',
    'Le Seigneur des anneaux',
    'La Communauté de l’anneau',
  ],
  [
    'L’Amie prodigieuse : Celle qui fuit et celle qui reste',
    'L’Amie prodigieuse',
    'Celle qui fuit et celle qui reste',
  ],
  ['La Révolte (The Hunger Games, #3)', 'The Hunger Games', 'La Révolte'],
])('a title leaves its series to the line: %s', (titre, serie, rest) => {
  expect(titreBeside(titre, serie)).toEqual({ titre: rest, isSerie: false });
});

it.each([
  ['L’Amie prodigieuse', 'L’Amie prodigieuse', 'L’Amie prodigieuse'],
  ['L’amie prodigieuse', 'L’Amie prodigieuse', 'L’amie prodigieuse'],
  ['Akira n° 3', 'Akira', 'Akira'],
  ['Kaiju n°8', 'Kaiju n°8', 'Kaiju n°8'],
  ['Kaiju n°8, tome 3', 'Kaiju n°8', 'Kaiju n°8'],
  ['One Piece - Tome 12', 'One Piece', 'One Piece'],
])('a title that is its series’ says so: %s', (titre, serie, shown) => {
  expect(titreBeside(titre, serie)).toEqual({ titre: shown, isSerie: true });
});

it.each([
  ['Astérix et Cléopâtre', 'Astérix'],
  ['Astérix', 'Astérix le Gaulois'],
  ['Dune : Le messie', 'Fondation'],
  ['2001 : l’odyssée de l’espace', 'Odyssées'],
  ['', 'Astérix'],
  ['Astérix', '!'],
])('any other title stays whole: %s', (titre, serie) => {
  expect(titreBeside(titre, serie)).toEqual({ titre, isSerie: false });
});
