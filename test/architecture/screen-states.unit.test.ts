import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCREENS as LOOKS } from '../../src/lib/frame/screens.ts';
import { PICTURES, SCREENS } from '../e2e/support/screens.ts';
import { ROUTES, routeOf } from '../e2e/support/routes.ts';

/** The routes that satisfy a condition. */
const routesWhere = (holds: (route: string) => boolean) => ROUTES.filter(holds).toSorted();

test('every screen is in the one list, with its pictures or why it has none', () => {
  expect(
    Object.keys(SCREENS).sort(),
    'SCREENS of test/e2e/support/screens.ts names every route of src/routes',
  ).toEqual([...ROUTES].sort());
  const pictured = new Set(PICTURES.map(({ path }) => routeOf(path)));
  expect(
    routesWhere((route) => SCREENS[route]?.pictures.length === 0 && !pictured.has(route)),
    '`pictures` of SCREENS is empty, and says no reason',
  ).toEqual([]);
  const isNowhere = (route: string) => route.includes('[') && SCREENS[route]?.at === undefined;
  expect(routesWhere(isNowhere), '`at` of SCREENS says where such a screen is').toEqual([]);
});

test('how the frame shows a screen is decided for every one', () => {
  const looks = Object.keys(LOOKS).map((route) => route.replaceAll(/\/\([^)]+\)/g, '') || '/');
  const plain = routesWhere((route) => SCREENS[route]?.isPlain === true);
  expect(
    [...looks, ...plain].sort(),
    'each route is `isPlain` in test/e2e/support/screens.ts, or has a line in src/lib/frame/screens.ts',
  ).toEqual([...ROUTES].sort());
});

test('axe looks at every screen, and at each of its states once', () => {
  const scenarios = globSync('test/e2e/*.test.ts').map((path) => readFileSync(path, 'utf8'));
  const states = scenarios.flatMap((text) =>
    [...text.matchAll(/'((?:\/[^\s':]*|nowhere): [^']+)'/g)].map(([, state = '']) => state),
  );
  expect(states.length).toBeGreaterThan(100);
  const screens = new Set(states.map((state) => state.slice(0, state.indexOf(': '))));
  expect(
    [...screens].filter((screen) => screen !== 'nowhere').sort(),
    'accessibilityFaults(page, "ROUTE: state") of some scenario names every route of src/routes',
  ).toEqual([...ROUTES].sort());
  expect(
    states.filter((state, index) => states.indexOf(state) !== index),
    'accessibilityFaults(page, …) of more than one scenario',
  ).toEqual([]);
});
