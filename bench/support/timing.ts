/** A quantile of some numbers, `part` from 0 to 1; NaN without numbers. */
export const quantile = (numbers: readonly number[], part: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * part)] ?? NaN;

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** How long some work takes, in milliseconds. */
export function elapsed(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

/** The median of seven runs, in milliseconds. */
export const medianTime = (work: () => unknown): number =>
  median(Array.from({ length: 7 }, () => elapsed(work)));

/** The median of seven rounds over all cases, in milliseconds a case. */
export const medianTimeEach = <T>(cases: readonly T[], work: (one: T) => unknown): number =>
  medianTime(() => {
    for (const one of cases) work(one);
  }) / cases.length;
