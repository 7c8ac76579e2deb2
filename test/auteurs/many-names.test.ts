import { expect, test } from 'vitest';
import { Refus } from '#server/subjects/auteurs/merging';
import { Evidence, suggestFusions } from '#server/subjects/auteurs/suggestions';

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** A word of three letters, unique for each number. */
const word = (number: number) =>
  [1, 26, 676].map((each) => LETTERS[Math.floor(number / each) % 26]).join('');

/** Half of the names abbreviate a name of the other half; all have one signature. */
const abbreviated = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? `J. A${word(index)} Martin` : `Jo${word(index)} A${word(index - 1)} Martin`,
  );

const processorMs = (): number => process.threadCpuUsage().user / 1000;

/** The duration of ranking the merges, and of its longest step. */
function suggested(noms: readonly string[]) {
  const auteurs = noms.map((nom, index) => ({ id: index + 1, nom }));
  const credits = { nombreLivres: 1, oeuvres: new Set<string>(), others: new Set<string>() };
  const steps = suggestFusions(auteurs, new Refus(), new Evidence(() => credits));
  const start = processorMs();
  let [begin, longest] = [start, 0];
  for (;;) {
    const { done, value } = steps.next();
    const end = processorMs();
    longest = Math.max(longest, end - begin);
    begin = end;
    if (done === true) return { ...value, longest, whole: end - start };
  }
}

test('the likeliest of many names that abbreviate one another are found in short steps', () => {
  const { suggestions, total, longest } = suggested(abbreviated(12_000));
  expect(suggestions).toHaveLength(500);
  expect(total).toBeGreaterThanOrEqual(6000);
  expect(longest).toBeLessThan(100);
});

test('four times as many names take nowhere near sixteen times as long', () => {
  suggested(abbreviated(1000));
  const few = suggested(abbreviated(2000)).whole;
  expect(suggested(abbreviated(8000)).whole).toBeLessThan(9 * few);
});
