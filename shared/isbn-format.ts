import { RANGES } from './isbn-ranges.ts';

/** The assigned ranges of a registration group such as « 978-2 », first and last publisher's number of each. */
let groups: ReadonlyMap<string, readonly (readonly [string, string])[]> | undefined;

const MAX_GROUP_DIGITS = 5;

/** Groups that get all hyphens. */
const FRENCH: readonly string[] = ['978-2', '979-10'];

/**
 * An ISBN-13 with its hyphens: all of them in the French-language groups (978-2, 979-10), at group and check digit
 * elsewhere, none in an unassigned range (docs/rules.md § 7). Expects the result of `parseIsbn`; about 1 µs. The
 * table of ranges is 5 kB, so that screens that only read codes do not import it.
 */
export function formatIsbn(isbn13: string): string {
  groups ??= readRanges();
  const [prefix, check] = [isbn13.slice(0, 3), isbn13.slice(-1)];
  for (let digits = 1; digits <= MAX_GROUP_DIGITS; digits++) {
    const group = `${prefix}-${isbn13.slice(3, 3 + digits)}`;
    const ranges = groups.get(group);
    if (ranges === undefined) continue;
    const rest = isbn13.slice(3 + digits, -1);
    const range = ranges.find(([first, last]) => {
      const publisher = rest.slice(0, first.length);
      return first <= publisher && publisher <= last;
    });
    if (range === undefined) return isbn13;
    const length = range[0].length;
    const middle = FRENCH.includes(group) ? `${rest.slice(0, length)}-${rest.slice(length)}` : rest;
    return `${group}-${middle}-${check}`;
  }
  return isbn13;
}

function readRanges(): Map<string, (readonly [string, string])[]> {
  return new Map(
    RANGES.trimEnd()
      .split('\n')
      .map((line) => {
        const [group = '', ranges = ''] = line.split(':');
        return [
          group,
          ranges
            .split(',')
            .filter((range) => range !== '')
            .map(endsOf),
        ];
      }),
  );
}

function endsOf(range: string): readonly [string, string] {
  const [first = '', last = ''] = range.split('-');
  return [first, last];
}
