import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KNOWN } from '../../scripts/browsers/known.ts';
import { judge } from '../../scripts/browsers/outcomes.ts';

const LACK = { file: 'a.test.ts', title: 'dark', row: 'the theme' };
const played = (file: string, title: string, hasPassed: boolean) => ({ file, title, hasPassed });

test('known failures in Firefox are those of the documented table', () => {
  const table = readFileSync('docs/browsers.md', 'utf8');
  for (const { file, title, row } of KNOWN) {
    expect(hasTitle(readFileSync(file, 'utf8'), title), title).toBe(true);
    expect(table).toContain(`| ${row} `);
  }
});

/** Whether a file has a test with this title, including its group's; `test.each` replaces `%s`. */
const hasTitle = (source: string, title: string): boolean =>
  Array.from(source.matchAll(/'([^'\n]+)'/g), ([, text = '']) => text.split('%s')).some(
    ([head = '', tail]) =>
      tail === undefined
        ? head === title || (head !== '' && title.endsWith(` ${head}`))
        : title.startsWith(head) && title.endsWith(tail),
  );

test('a Firefox result that contradicts the table is a fault', () => {
  expect(judge([played('a.test.ts', 'dark', false)], [LACK])).toEqual({
    known: [LACK],
    faults: [],
  });
  expect(judge([played('b.test.ts', 'dark', true)], [LACK])).toEqual({ known: [], faults: [] });
  for (const each of [
    played('b.test.ts', 'dark', false),
    played('a.test.ts', 'dark', true),
    played('a.test.ts', 'light', true),
  ])
    expect(judge([each], [LACK]).faults, each.title).toHaveLength(1);
});
