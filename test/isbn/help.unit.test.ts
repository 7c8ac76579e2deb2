import { expect, it } from 'vitest';
import { diagnoseIsbn } from '#shared/isbn-help';

it.each([
  ['', { kind: 'empty' }],
  [' - ', { kind: 'empty' }],
  ['2-07-036002-4', { kind: 'valid', isbn: '9782070360024' }],
  ['978 2 07 036002 4', { kind: 'valid', isbn: '9782070360024' }],
  ['2-07-036002-5', { kind: 'check', shown: '2-07-036002-?' }],
  // In a group that the agency has not assigned.
  ['6600000001', { kind: 'check', shown: '660000000?' }],
  ['9790014029029', { kind: 'other', sorte: 'musique' }],
  ['036000291452', { kind: 'other', sorte: 'produit' }],
  ['2-07-036002-X', { kind: 'check', shown: '2-07-036002-?' }],
  ['9782070360025', { kind: 'check', shown: '978-2-07-036002-?' }],
  ['207036002', { kind: 'missing', count: 1, length: 10 }],
  ['1978', { kind: 'missing', count: 6, length: 10 }],
  ['2', { kind: 'missing', count: 9, length: 10 }],
  ['978207036002', { kind: 'missing', count: 1, length: 13 }],
  ['97820', { kind: 'missing', count: 8, length: 13 }],
  ['20703600244', { kind: 'extra', count: 1, length: 10 }],
  ['97820703600244', { kind: 'extra', count: 1, length: 13 }],
  ['9790000000000', { kind: 'prefix', prefix: '979-0' }],
  ['1239781234567', { kind: 'prefix', prefix: '123' }],
  ['1234567890123', { kind: 'prefix', prefix: '123' }],
  ['9770988248015', { kind: 'revue', issn: '0988-2480' }],
  ['9770988248016', { kind: 'revueCheck', code: '9770988248016' }],
  ['977098824801603', { kind: 'revueCheck', code: '9770988248016' }],
  ['2-07-O36002-4', { kind: 'character', character: 'O' }],
  ['2X7036002', { kind: 'character', character: 'X' }],
])('the reason why « %s » is no ISBN', (text, expected) => {
  expect(diagnoseIsbn(text)).toEqual(expected);
});
