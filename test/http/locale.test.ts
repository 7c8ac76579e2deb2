import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BASE_LOCALE, LOCALES, preferredLocale } from '#shared/locale';
import { localeOf, withoutLangue } from '#server/plumbing/http/language';

test.each([
  ['fr', 'fr'],
  ['en-GB,en;q=0.9', 'en'],
  ['de, nl;q=0.9, en;q=0.5, fr;q=0.7', 'fr'],
  ['fr;q=0, en;q=0.1', 'en'],
  ['EN', 'en'],
  ['*', null],
  ['de-CH', null],
  ['', null],
  [';q=1,,', null],
])('the language preferred by « %s » is %s', (wanted, expected) => {
  expect(preferredLocale(wanted)).toBe(expected);
});

test.each([
  ['/api/livres?langue=en', 'fr', 'en'],
  ['/api/livres?q=langue&langue=fr&limite=2', 'en', 'fr'],
  ['/api/livres', 'en', 'en'],
  ['/api/livres?langue=klingon', 'en', 'en'],
  ['/api/livres', 'de', 'fr'],
])('%s with « %s » is answered in %s', (url, wanted, expected) => {
  expect(localeOf({ url, headers: { 'accept-language': wanted } }, 'fr')).toBe(expected);
});

test.each([
  ['/api/livres/1?langue=en', '/api/livres/1'],
  ['/api/livres?limite=2&langue=en', '/api/livres?limite=2'],
  ['/api/livres?langue=en&limite=2', '/api/livres?limite=2'],
  ['/api/livres?limite=2', '/api/livres?limite=2'],
])('%s is, in any language, %s', (url, expected) => {
  expect(withoutLangue(url)).toBe(expected);
});

test('the known languages are the project’s, each with its own name', () => {
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const settings = read('project.inlang/settings.json');
  expect(settings).toMatchObject({ baseLocale: BASE_LOCALE, locales: LOCALES });
  for (const locale of LOCALES) expect(read(`messages/${locale}.json`)).toMatchObject({ locale });
});
