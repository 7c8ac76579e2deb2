import { expect, it } from 'vitest';
import { diagnoseIssn } from '#shared/issn-help';

it.each([
  ['', { kind: 'empty' }],
  [' - ', { kind: 'empty' }],
  ['0988-2480', { kind: 'valid', issn: '0988-2480' }],
  ['977 0988 248 015', { kind: 'valid', issn: '0988-2480' }],
  ['0988-2481', { kind: 'check', shown: '0988-248?' }],
  ['9771-2340', { kind: 'check', shown: '9771-234?' }],
  ['0988-248X', { kind: 'check', shown: '0988-248?' }],
  ['9770988248016', { kind: 'revueCheck', code: '9770988248016' }],
  ['977098824801605', { kind: 'revueCheck', code: '9770988248016' }],
  ['0988-248', { kind: 'missing', count: 1, length: 8 }],
  ['977', { kind: 'missing', count: 5, length: 8 }],
  ['977098824801', { kind: 'missing', count: 1, length: 13 }],
  ['0988-24800', { kind: 'extra', count: 1, length: 8 }],
  ['97709882480150', { kind: 'extra', count: 1, length: 13 }],
  ['O988-2480', { kind: 'character', character: 'O' }],
  ['09X8-2480', { kind: 'character', character: 'X' }],
])('the reason why « %s » is no ISSN', (text, expected) => {
  expect(diagnoseIssn(text)).toEqual(expected);
});
