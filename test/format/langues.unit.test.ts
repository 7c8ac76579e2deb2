import { expect, test } from 'vitest';
import { langueIn, nomOfLangue } from '#shared/langues';

test.each([
  ['fre', 'français', 'French'],
  ['fr', 'français', 'French'],
  ['français', 'français', 'French'],
  ['Anglais', 'Anglais', 'English'],
  [' ger ', 'allemand', 'German'],
  ['allemand', 'allemand', 'German'],
  ['grc', 'grec ancien', 'Ancient Greek'],
  ['pt-BR', 'portugais brésilien', 'Brazilian Portuguese'],
  ['patois de Villefort', 'patois de Villefort', 'patois de Villefort'],
  ['zzz', 'zzz', 'zzz'],
  ['', '', ''],
])('the language %j is « %s » in French and “%s” in English', (text, french, english) => {
  expect(nomOfLangue(text)).toBe(french);
  expect(langueIn('fr', text)).toBe(french);
  expect(langueIn('en-GB', text)).toBe(english);
});
