import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { livreRow } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

/** Gzip size in kB. The aims are 125 and 110 (docs/decisions/0038-the-plain-build.md). */
const MAX_FIRST = 130;
const MAX_COPY = 110;

/** Vite's names of the chunks loaded after the first screen: for the replica, and at quiet moments of every start. */
const COPY = ['copy', 'late', 'storage'];
const QUIET = ['Letters', 'browser', 'catalogue-near', 'quiet', 'store'];
/** « Ajouter » opens at once: its code is preloaded last. */
const ADD = ['add', 'exports', 'nodes'];

const CLIENT = 'build/client';

const kilobytes = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + statSync(`${CLIENT}${path}.gz`).size, 0) / 1000;

/** The scripts that the HTML names, which are the first screen's. */
const first = (): string[] => [
  ...new Set(readFileSync(`${CLIENT}/shell.html`, 'utf8').match(/\/_app\/immutable\/[^"]+\.js/g)),
];

/** Vite's chunk names by file, without the number of a route. */
function names(): ReadonlyMap<string, string> {
  const manifest = JSON.parse(
    readFileSync('.svelte-kit/output/client/.vite/manifest.json', 'utf8'),
  ) as Record<string, { readonly file: string; readonly name?: string }>;
  return new Map(
    Object.values(manifest).map(({ file, name = file }) => [
      `/${file}`,
      name.replace(/\/\d+$/, ''),
    ]),
  );
}

test('a start loads the code of its first screen and of every start, and no other screen’s', async () => {
  const house = await household();
  // Enough books for « Chez nous ».
  for (let i = 0; i < 30; i++) await house.ajouter({ titre: `Titre ${i}` });
  const phone = await device(house);
  const page = await phone.open();
  await livreRow(page, 'Titre 0').waitFor();
  const named = first();
  expect(named.length).toBeGreaterThan(3);
  const byPath = names();
  const behind = async (): Promise<string[]> => {
    const asked = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    return [...new Set(asked)].filter(
      (path) => path.startsWith('/_app/') && path.endsWith('.js') && !named.includes(path),
    );
  };
  const namesBehind = async () => (await behind()).map((path) => byPath.get(path) ?? path);
  await expect.poll(namesBehind).toEqual(expect.arrayContaining([...COPY, ...QUIET, ...ADD]));
  // The printed catalogue is loaded last, seconds after everything else.
  await page.emulateMedia({ media: 'print' });
  await page.locator('.printed.catalogue').waitFor();
  expect((await namesBehind()).sort()).toEqual([...COPY, ...QUIET, ...ADD].sort());
  const copy = (await behind()).filter((path) => COPY.includes(byPath.get(path) ?? path));
  expect([kilobytes(named), kilobytes(copy)].map(Math.ceil)).toEqual([
    expect.toSatisfy((size: number) => size <= MAX_FIRST),
    expect.toSatisfy((size: number) => size <= MAX_COPY),
  ]);
});
