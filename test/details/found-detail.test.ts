import { expect, test } from 'vitest';
import { foundDetail } from '../../src/lib/livres/catalogue/found-detail.ts';
import { makeLivre } from '../support/livres.ts';

const LONG = `Un récit de voyage, ${'de port en port, '.repeat(8)}jusqu’au phare d’Armen, la nuit.`;

const livre = makeLivre(1, 'L’île au trésor', {
  auteurs: [{ id: 1, nom: 'Stevenson' }],
  details: [
    { nom: 'Traduction', valeur: 'Lise Marchand' },
    { nom: 'Note', valeur: 'De Lise' },
    { nom: 'Résumé', valeur: LONG },
  ],
});

test.each([
  [
    'the value with most of the words',
    'lise MARCH',
    { nom: 'Traduction', valeur: 'Lise Marchand' },
  ],
  ['what the title leaves to explain', 'ile lise de', { nom: 'Note', valeur: 'De Lise' }],
  ['nothing where title and authors say all', 'ile steven', null],
  ['nothing where no detail has a word', 'zzz', null],
  [
    'a long value from shortly before its word',
    'armen',
    { nom: 'Résumé', valeur: '… en port, jusqu’au phare d’Armen, la nuit.' },
  ],
])('a row shows %s', (_, recherche, detail) => {
  expect(foundDetail(livre, recherche)).toEqual(detail);
});
