import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOCALES } from '#shared/locale';
import { livreRow } from './support/catalogue.ts';
import { device, type Device } from './support/device.ts';
import { household } from './support/household.ts';
import { spokenHere } from './support/spoken-here.ts';

spokenHere('en');

/** In kB on the line, as gzip; what they cost was measured (docs/decisions/0038-the-plain-build.md). */
const MAX_FIRST = 125;
const MAX_BEHIND = 110;

const CLIENT = 'build/client';

const kilobytes = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + statSync(`${CLIENT}${path}.gz`).size, 0) / 1000;

/** The scripts that a page names: all that its first screen is made of. */
const namedBy = (shell: string): string[] => [
  ...new Set(readFileSync(`${CLIENT}/${shell}`, 'utf8').match(/\/_app\/immutable\/[^"]+\.js/g)),
];

/** Vite's names of chunks and modules, by their paths. */
function names(): ReadonlyMap<string, string> {
  const manifest = JSON.parse(
    readFileSync('.svelte-kit/output/client/.vite/manifest.json', 'utf8'),
  ) as Record<string, { readonly file: string; readonly name?: string }>;
  return new Map(Object.entries(manifest).map(([key, { file, name = key }]) => [`/${file}`, name]));
}

/** By Vite's names what every start of a household with enough books for « Chez nous » loads behind its first screen. */
const BEHIND = ['chez-nous', 'copy', 'late'];

/** The scripts that a start asks for behind its first screen, once all that is due has come. */
async function loadedBehind(phone: Device): Promise<string[]> {
  const page = await phone.open();
  await livreRow(page, 'Titre 29').waitFor();
  const first = namedBy('shell.html');
  const byPath = names();
  const behind = async (): Promise<string[]> => {
    const asked = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    return [...new Set(asked)].filter(
      (path) => path.startsWith('/_app/') && path.endsWith('.js') && !first.includes(path),
    );
  };
  await expect
    .poll(async () => (await behind()).map((path) => byPath.get(path)))
    .toEqual(expect.arrayContaining(BEHIND));
  const all = await behind();
  await page.close();
  return all;
}

test.each(LOCALES)('the first screen weighs at most 125 kB on the line, in « %s »', (locale) => {
  const scripts = namedBy(locale === 'fr' ? 'shell.html' : `shell.${locale}.html`);
  expect(scripts.length).toBeGreaterThan(3);
  expect(kilobytes(scripts)).toBeLessThanOrEqual(MAX_FIRST);
});

test('a start loads behind its first screen what every start needs, and no other screen', async () => {
  const house = await household();
  for (let i = 0; i < 30; i++) await house.ajouter({ titre: `Titre ${i}` });
  const phone = await device(house);
  const behind = await loadedBehind(phone);
  const byPath = names();
  expect(behind.map((path) => byPath.get(path) ?? path).sort()).toEqual(BEHIND);
  expect(kilobytes(behind)).toBeLessThanOrEqual(MAX_BEHIND);
});
