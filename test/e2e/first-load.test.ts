import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOCALES } from '#shared/locale';
import { spokenHere } from './support/spoken-here.ts';

spokenHere('en');

/** In kB on the line, as gzip (docs/decisions/0038-the-plain-build.md). */
const MAX_FIRST = 125;

const CLIENT = 'build/client';

const kilobytes = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + statSync(`${CLIENT}${path}.gz`).size, 0) / 1000;

/** The scripts that a page names: all that its first screen is made of. */
const namedBy = (shell: string): string[] => [
  ...new Set(readFileSync(`${CLIENT}/${shell}`, 'utf8').match(/\/_app\/immutable\/[^"]+\.js/g)),
];

test.each(LOCALES)('the first screen weighs at most 125 kB on the line, in « %s »', (locale) => {
  const scripts = namedBy(locale === 'fr' ? 'shell.html' : `shell.${locale}.html`);
  expect(scripts.length).toBeGreaterThan(3);
  expect(kilobytes(scripts)).toBeLessThanOrEqual(MAX_FIRST);
});
