export interface Result {
  readonly passed: number;
  readonly failures: readonly string[];
  /** The scenarios that passed at their second try, and the first try's failure. */
  readonly unsteady?: readonly string[];
  readonly skipped?: readonly string[];
  readonly durations?: readonly Duration[];
}

interface Duration {
  readonly file: string;
  readonly ms: number;
}

/** The number of a failure's lines that are repeated at the end. */
const SAID_AGAIN = 12;

/** The number of rows of the table of `--slowest`. */
const SLOWEST = 30;

/** The text by which a nightly run finds second tries in a log. */
const SECOND_TRY = '! passed at its second try: ';

/** How many second tries a scenario may need in a night. */
const MAX_SECOND_TRIES = 2;

export function sum(results: readonly Result[]): Required<Result> {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
    unsteady: results.flatMap(({ unsteady = [] }) => unsteady),
    skipped: results.flatMap(({ skipped = [] }) => skipped),
    durations: results.flatMap(({ durations = [] }) => durations),
  };
}

/** The last lines of a run: every skip, second try and failure by name, and the number of each. */
export function summaryOf(result: Result): string[] {
  const { passed, failures, unsteady, skipped } = sum([result]);
  const say = (mark: string, texts: readonly string[]) =>
    texts.map((text) => `${mark}${text.split('\n').slice(0, SAID_AGAIN).join('\n  ')}`);
  const counts = [
    `${String(passed)} passed`,
    `${String(failures.length)} failed`,
    ...(skipped.length > 0 ? [`${String(skipped.length)} skipped`] : []),
    ...(unsteady.length > 0 ? [`${String(unsteady.length)} at the second try`] : []),
  ];
  return [
    ...say('- skipped: ', skipped),
    ...say(SECOND_TRY, unsteady),
    ...say('✗ ', failures),
    counts.join(', '),
  ];
}

export const slowestOf = (durations: readonly Duration[]): string[] =>
  durations
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${file}`);

/** The scenarios that needed too many second tries in a night, according to its logs. */
export function tooOftenUnsteady(logs: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of logs.flatMap((log) => log.split('\n'))) {
    if (!line.startsWith(SECOND_TRY)) continue;
    const title = line.slice(SECOND_TRY.length);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MAX_SECOND_TRIES).map(([title]) => title);
}
