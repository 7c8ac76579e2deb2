import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** How many words a title may have: a red test says in one line which promise broke. */
const MAX_WORDS = 10;

/** A call of `test`, with or without its cases or a condition, and its title. */
const TITLED =
  /\btest(?:\.(?:each|skipIf|runIf|for)\([\s\S]{0,2000}?\))*?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;

const wordsOf = (title: string): number =>
  title.split(/\s+/).filter((word) => /[\p{L}\d%$]/u.test(word)).length;

test('a title has ten words at most', () => {
  const titles = globSync('test/**/*.test.ts').flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(TITLED), ([, , title = '']) => title),
  );
  expect(titles.length).toBeGreaterThan(1_000);
  expect(titles.filter((title) => wordsOf(title) > MAX_WORDS)).toEqual([]);
});
