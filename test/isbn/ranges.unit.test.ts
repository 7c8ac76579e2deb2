import { expect, test } from 'vitest';
import { formatIsbn } from '#shared/isbn-format';
import { RANGES, RANGES_DATE } from '#shared/isbn-ranges';
import { sourceOfRanges } from '../../scripts/support/isbn-ranges.ts';

const MAX_AGE_DAYS = 366;

const message = (groups: string) =>
  `<?xml version="1.0" encoding="utf-8"?><ISBNRangeMessage>
    <MessageSource>International ISBN Agency</MessageSource>
    <MessageDate>Sun, 6 Sep 2026 08:05:11 BST</MessageDate>
    <RegistrationGroups>${groups}</RegistrationGroups></ISBNRangeMessage>`;

const group = (prefix: string, rules: readonly (readonly [range: string, length: number])[]) =>
  `<Group><Prefix>${prefix}</Prefix><Agency>Somebody</Agency><Rules>${rules
    .map(
      ([range, length]) => `<Rule><Range>${range}</Range><Length>${String(length)}</Length></Rule>`,
    )
    .join('')}</Rules></Group>`;

test('the agency’s file is read with its date, without unassigned ranges', () => {
  const rules = [
    ['0000000-1999999', 2],
    ['2000000-3499999', 3],
    ['3500000-9999999', 0],
  ] as const;
  const source = sourceOfRanges(
    message(group('978-2', rules) + group('979-10', [['0000000-1999999', 2]])),
  );
  expect(source).toContain("RANGES_DATE = '2026-09-06'");
  expect(source).toContain('\n978-2:00-19,200-349\n979-10:00-19\n');
});

test.each(['', '<html>Not found</html>', message(''), message(group('978-2', [['0-1', 2]]))])(
  'another file changes nothing: %s',
  (xml) => {
    expect(() => sourceOfRanges(xml)).toThrow();
  },
);

test('the ranges are less than a year old: « npm run isbn-ranges » takes newer ones', () => {
  const days = (Date.now() - Date.parse(RANGES_DATE)) / 86_400_000;
  expect(days).toBeGreaterThan(0);
  expect(days).toBeLessThan(MAX_AGE_DAYS);
});

test('each assigned range gives its own lengths', () => {
  const lines = RANGES.trimEnd().split('\n');
  const ends = lines.flatMap((line) => {
    const [prefix = '', ranges = ''] = line.split(':');
    return ranges === ''
      ? []
      : ranges.split(',').map((range) => [prefix, range.split('-')] as const);
  });
  expect(ends.length).toBeGreaterThan(1_000);
  const isCutAt = (prefix: string, publisher = '') =>
    formatIsbn(`${prefix.replace('-', '')}${publisher}`.padEnd(13, '0')).startsWith(
      `${prefix}-${publisher}`,
    );
  const wrong = ends.filter(
    ([prefix, [first, last]]) => !isCutAt(prefix, first) || !isCutAt(prefix, last),
  );
  expect(wrong).toEqual([]);
  // Between two ranges of its group.
  expect(formatIsbn('9786125300000')).toBe('9786125300000');
});
