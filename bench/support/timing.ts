export const quantile = (numbers: readonly number[], part: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * part)] ?? NaN;

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

export function elapsed(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

export const timeRounds = (work: () => unknown): number[] =>
  Array.from({ length: 7 }, () => elapsed(work));

export const timeRoundsEach = <T>(cases: readonly T[], work: (one: T) => unknown): number[] =>
  timeRounds(() => {
    for (const one of cases) work(one);
  }).map((time) => time / cases.length);

/** Alternates two pieces of work, changing the first one each round; returns the milliseconds per case. */
export function timesInTurn<T>(
  cases: readonly T[],
  ours: (one: T) => unknown,
  theirs: (one: T) => unknown,
): [number[], number[]] {
  const rounds: [number[], number[]] = [[], []];
  for (let round = 0; round < 7; round++)
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const work = [ours, theirs][index] ?? ours;
      rounds[index].push(timesOnce(cases, work));
    }
  return rounds;
}

const timesOnce = <T>(cases: readonly T[], work: (one: T) => unknown): number =>
  elapsed(() => {
    for (const one of cases) work(one);
  }) / cases.length;
