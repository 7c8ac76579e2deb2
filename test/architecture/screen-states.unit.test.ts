import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STATES } from '../e2e/support/states.ts';

const ROUTES = 'src/routes';

test('axe looks at every screen', () => {
  const screens = globSync(`${ROUTES}/**/+page.svelte`).map((path) =>
    path.replace(/\/\([^)]+\)/g, '').slice(ROUTES.length, -'/+page.svelte'.length),
  );
  expect(screens.length).toBeGreaterThan(40);
  const named = Object.keys(STATES).filter((screen) => screen !== 'nowhere');
  expect(named.sort()).toEqual(screens.map((screen) => screen || '/').sort());
});

test('each state of a screen is looked at once', () => {
  const scenarios = globSync('test/e2e/*.test.ts').map((path) => readFileSync(path, 'utf8'));
  const all = Object.entries<readonly string[]>(STATES).flatMap(([screen, states]) =>
    states.map((state) => `${screen}: ${state}`),
  );
  const places = (state: string) => scenarios.join('\n').split(`'${state}'`).length - 1;
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter((state) => places(state) !== 1)).toEqual([]);
});
