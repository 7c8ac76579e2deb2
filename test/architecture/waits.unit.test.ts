import { expect, test } from 'vitest';
import { readSources } from './modules.ts';

/** Waiting for a time: a pause of the page, of Node, or a promise around a timer. */
const WAITS =
  /\bwaitForTimeout\(|import \{[^}]*\bsetTimeout\b[^}]*\} from 'node:timers\/promises'|new Promise(?:<[^>]*>)?\(\((\w+)\) => setTimeout\(\1\b/g;

/** The tests that wait for a time on purpose, with the reason. */
const PLAYED = new Map([
  ['test/cuts/kill.test.ts', 'a random moment of a cut'],
  ['test/e2e/back-and-forth.test.ts', 'a hand that presses and types quickly'],
  ['test/e2e/devices.test.ts', 'a slow line'],
  ['test/e2e/form-focus.test.ts', 'a slow line'],
  ['test/e2e/late-parts.test.ts', 'a person who tries again'],
  ['test/e2e/scanner.test.ts', 'a hand that scans'],
  ['test/e2e/scans-kept.test.ts', 'a slow line, and a hand that scans'],
  ['test/recherche/lookup-turns.unit.test.ts', 'a slow catalogue, by a played clock'],
  ['test/recherche/silence.test.ts', 'a slow catalogue'],
]);

const waitsIn = (source: string): number => source.match(WAITS)?.length ?? 0;

test('a test waits for a condition, and never for a time', () => {
  const waiting = [...readSources('test')]
    .filter(([path, source]) => path.endsWith('.test.ts') && waitsIn(source) > 0)
    .map(([path]) => path)
    .filter((path) => !path.startsWith('test/architecture/'));
  expect(waiting.toSorted()).toEqual([...PLAYED.keys()].toSorted());
});

test.each([
  'await page.waitForTimeout(500);',
  "import { setTimeout as pause } from 'node:timers/promises';",
  'await new Promise((resolve) => setTimeout(resolve, 300));',
  'await new Promise<void>((later) => setTimeout(later));',
])('a wait for a time is seen: %s', (source) => {
  expect(waitsIn(source)).toBe(1);
});
