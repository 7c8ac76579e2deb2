import { median } from './timing.ts';

export type Measured = number | readonly number[];

/** A measured value with its spread, its aim, and whether the aim is met. */
export interface Measure {
  readonly what: string;
  /** The median of the rounds. */
  readonly value: number;
  /** The smallest and the largest value of the rounds; `null` for a single one. */
  readonly spread: readonly [number, number] | null;
  readonly unit: string;
  /** The maximum; `null` for a value without an aim. */
  readonly aim: number | null;
  readonly detail: string;
}

/** A section of the report. */
export interface Section {
  readonly title: string;
  readonly measures: readonly Measure[];
}

const sections: Section[] = [];

export const takeSections = (): readonly Section[] => sections.splice(0);

/** A time relative to a reference time in milliseconds; the spread is that of the alternating rounds. */
export function ratio(what: string, ours: Measured, theirs: Measured, aim: number): Measure {
  const [mine, other] = [roundsOf(ours), roundsOf(theirs)];
  const rounds =
    mine.length === other.length ? mine.map((time, i) => time / (other[i] ?? NaN)) : [];
  return {
    what,
    value: median(mine) / median(other),
    spread: spreadOf(rounds),
    unit: '×',
    aim,
    detail: `${ms(median(mine))} / ${ms(median(other))}`,
  };
}

/** A figure with an upper limit, in the unit given. */
export const bound = (what: string, measured: Measured, most: number, unit: string): Measure => ({
  ...unbounded(what, measured, unit),
  aim: most,
});

export const unbounded = (what: string, measured: Measured, unit: string): Measure => ({
  what,
  value: median(roundsOf(measured)),
  spread: spreadOf(roundsOf(measured)),
  unit,
  aim: null,
  detail: '',
});

export const isMet = ({ value, aim }: Measure): boolean => aim === null || value <= aim;

export const figureOf = ({ value, unit }: Measure): string => withUnit(value, unit);

export const aimOf = ({ aim, unit }: Measure): string =>
  aim === null ? '' : `≤ ${String(aim)} ${unit}`;

export const spreadText = ({ spread, unit }: Measure): string =>
  spread === null ? '' : spread.map((value) => number(value, unit)).join('–');

export function print(title: string, measures: readonly Measure[]): void {
  sections.push({ title, measures });
  console.log(`\n${title}`);
  for (const measure of measures) {
    const { what, detail } = measure;
    const figure = `${figureOf(measure)} (${[spreadText(measure), detail].filter(Boolean).join('; ')})`;
    console.log(
      `  ${isMet(measure) ? '✓' : '✗'} ${what.padEnd(56)} ${figure.replace(' ()', '').padEnd(44)} ${aimOf(measure)}`,
    );
  }
}

const roundsOf = (measured: Measured): readonly number[] =>
  typeof measured === 'number' ? [measured] : measured;

const spreadOf = (rounds: readonly number[]): readonly [number, number] | null =>
  rounds.length < 2 ? null : [Math.min(...rounds), Math.max(...rounds)];

const withUnit = (value: number, unit: string): string => `${number(value, unit)} ${unit}`.trim();

const number = (value: number, unit: string): string =>
  value.toFixed(unit === '×' ? 2 : value < 10 ? 1 : 0);

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
