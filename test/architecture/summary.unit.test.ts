import { expect, test } from 'vitest';
import { summaryOf, tooOftenUnsteady } from '../../scripts/support/summary.ts';

test('a run ends with the names and numbers of skips, second tries and failures', () => {
  const lines = summaryOf({
    passed: 7,
    failures: ['a.test.ts: lends\nexpected 1'],
    unsteady: ['b.test.ts: scans\ntimed out'],
    skipped: ['c.test.ts: signs'],
  });
  expect(lines).toEqual([
    '- skipped: c.test.ts: signs',
    '! passed at its second try: b.test.ts: scans\n  timed out',
    '✗ a.test.ts: lends\n  expected 1',
    '7 passed, 1 failed, 1 skipped, 1 at the second try',
  ]);
  expect(summaryOf({ passed: 7, failures: [] })).toEqual(['7 passed, 0 failed']);
});

test('a scenario that needs its second try three times in a night is reported', () => {
  const night = (...titles: string[]) =>
    summaryOf({ passed: 1, failures: [], unsteady: titles.map((title) => `${title}\nwhy`) }).join(
      '\n',
    );
  const logs = [night('scans', 'lends'), night('scans'), night('scans', 'lends'), ''];
  expect(tooOftenUnsteady(logs)).toEqual(['scans']);
});
