/** One figure, what was aimed at, and whether it is met. */
export interface Measure {
  readonly what: string;
  readonly figure: string;
  readonly aim: string;
  readonly met: boolean;
}

/** A time beside what it is measured against, in milliseconds. */
export function ratio(what: string, ours: number, theirs: number, aim: number): Measure {
  const times = ours / theirs;
  const figure = `${times.toFixed(2)} × (${ms(ours)} / ${ms(theirs)})`;
  return { what, figure, aim: `≤ ${aim} ×`, met: times <= aim };
}

/** A figure that must stay under a bound, in the unit given. */
export function bound(what: string, value: number, most: number, unit: string): Measure {
  const figure = `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
  return { what, figure, aim: `≤ ${most} ${unit}`, met: value <= most };
}

/** A figure without an aim, in the unit given. */
export const told = (what: string, value: number, unit: string): Measure => ({
  ...bound(what, value, Infinity, unit),
  aim: '',
});

export function print(title: string, measures: readonly Measure[]): void {
  console.log(`\n${title}`);
  for (const { what, figure, aim, met } of measures)
    console.log(`  ${met ? '✓' : '✗'} ${what.padEnd(52)} ${figure.padEnd(30)} ${aim}`);
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
