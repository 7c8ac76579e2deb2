import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCREENS } from '../../src/lib/frame/screens.ts';
import { ROUTES, unvisited } from '../e2e/support/routes.ts';
import { SCREENS as PICTURES, WITHOUT_PICTURE } from '../e2e/support/screens.ts';
import { STATES } from '../e2e/support/states.ts';

/** Screens in a column, which offer to add a book. */
const PLAIN = [
  '/importer/a-completer',
  '/lectures',
  '/lectures/[id]',
  '/lectures/annee',
  '/revues',
  '/revues/[id]',
  '/revues/[id]/numeros/[numero]',
  '/series/[id]',
  '/themes/[nom]',
];

test('axe looks at every screen', () => {
  const named = Object.keys(STATES).filter((screen) => screen !== 'nowhere');
  expect(named.sort(), 'STATES of test/e2e/support/states.ts names every route').toEqual(
    [...ROUTES].sort(),
  );
});

test('how the frame shows a screen is decided for every one', () => {
  const routes = globSync('src/routes/**/+page.svelte').map((path) =>
    path.slice('src/routes'.length, -'/+page.svelte'.length),
  );
  expect(
    [...Object.keys(SCREENS), ...PLAIN].sort(),
    'SCREENS of src/lib/frame/screens.ts or PLAIN above names every route',
  ).toEqual(routes.sort());
});

test('every screen has a picture', () => {
  const addresses = PICTURES.map(({ path, shows }) => shows ?? path);
  expect(
    unvisited(addresses, WITHOUT_PICTURE),
    'neither in SCREENS nor in WITHOUT_PICTURE of test/e2e/support/screens.ts',
  ).toEqual([]);
});

test('each state of a screen is looked at once', () => {
  const scenarios = globSync('test/e2e/*.test.ts').map((path) => readFileSync(path, 'utf8'));
  const all = Object.entries<readonly string[]>(STATES).flatMap(([screen, states]) =>
    states.map((state) => `${screen}: ${state}`),
  );
  const places = (state: string) => scenarios.join('\n').split(`'${state}'`).length - 1;
  expect(all.length).toBeGreaterThan(100);
  expect(
    all.filter((state) => places(state) !== 1),
    'accessibilityFaults(page, …) of no scenario, or of more than one, names it',
  ).toEqual([]);
});
