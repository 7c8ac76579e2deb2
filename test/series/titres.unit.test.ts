import { expect, test } from 'vitest';
import { parseTitres } from '../../src/lib/records/series/titres.ts';

const read = (text: string) =>
  parseTitres(text).map(({ numero, titre, auteur }) =>
    [numero, titre, auteur].filter((word) => word !== '').join(' | '),
  );

test.each([
  ['1. Prélude à Fondation', '1 | Prélude à Fondation'],
  ['2) L’Aube de Fondation', '2 | L’Aube de Fondation'],
  ['03 - Fondation', '03 | Fondation'],
  ['4\tFondation et Empire', '4 | Fondation et Empire'],
  ['Tome 2 : Thanos l’incongru', '2 | Thanos l’incongru'],
  ['TOME IV – La Cour des ombres', 'IV | La Cour des ombres'],
  ['T5. Le Frisson de l’haruspice', '5 | Le Frisson de l’haruspice'],
  ['T6 Cixi impératrice', '6 | Cixi impératrice'],
  ['vol. 7, Les pétaures se cachent', '7 | Les pétaures se cachent'],
  ['n° 8 La bête fabuleuse', '8 | La bête fabuleuse'],
  ['#12 bis : Hors piste', '12 bis | Hors piste'],
  ['- Livre I : Combray', 'I | Combray'],
  ['Tome 9', '9'],
  ['10', '10'],
  ['Lanfeust de Troy, tome 2', '2 | Lanfeust de Troy, tome 2'],
  ['Lanfeust de Troy (T. 3)', '3 | Lanfeust de Troy (T. 3)'],
  ['5. Terre et Fondation / Isaac Asimov', '5 | Terre et Fondation | Isaac Asimov'],
])('« %s » is read', (line, expected) => {
  expect(read(line)).toEqual([expected]);
});

test.each([
  '1984',
  '2001 : l’odyssée de l’espace',
  '20 000 lieues sous les mers',
  '1Q84',
  'Vol 714 pour Sydney',
  'Vol de nuit',
  'Le Livre de la jungle',
  'Tintin au Tibet',
  'Ti amo',
  'Civilizations',
])('« %s » is a title without a number', (titre) => {
  expect(read(titre)).toEqual([titre]);
});

test('each line is a volume, blank ones are none', () => {
  expect(read('1. Un\r\n\r\n  2. Deux  \n3. Trois\n')).toEqual(['1 | Un', '2 | Deux', '3 | Trois']);
});
