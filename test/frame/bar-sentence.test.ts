import { expect, test } from 'vitest';
import { barSentence } from '../../src/lib/frame/bar-sentence.ts';

test.each([
  ['Prêté à Zoé\u00a0: Dune', 'Prêté à Zoé', '\u00a0: Dune', '', 'Dune'],
  ['Livre ajouté : Dune : le film', 'Livre ajouté', ' : Dune : le film', '', 'Dune : le film'],
  [
    'L’ajout de «\u00a0Dune\u00a0» est annulé.',
    'L’ajout',
    ' de «\u00a0Dune\u00a0»',
    ' est annulé.',
    'Dune',
  ],
  [
    'La suppression de « Le « bug » » est rétablie.',
    'La suppression',
    ' de « Le « bug » »',
    ' est rétablie.',
    'Le « bug »',
  ],
  ['Souhaits rangés', 'Souhaits rangés', '', '', ''],
  ['', '', '', '', ''],
])('of « %s » the name is cut, and never the verb', (text, head, named, tail, name) => {
  expect(barSentence(text)).toEqual({ head, named, tail, name });
});
