import { numeroDateKey } from '#shared/numero-date';
import { numeroKeysOf, type Numero } from '#shared/numeros';

/** A missing number between two owned issues. */
export interface MissingNumero {
  readonly id: string;
  readonly missing: string;
}

export type WallItem = Numero | MissingNumero;

export interface NumeroYear {
  /** '' for issues without a date. */
  readonly year: string;
  /** The issues in their order, with missing ones between them, the newest first. */
  readonly items: readonly WallItem[];
}

export interface NumeroWall {
  /** The newest first; issues without a date are below every year. */
  readonly years: readonly NumeroYear[];
  /** The missing numbers, ascending. */
  readonly missing: readonly string[];
}

/** A longer gap is a time without a subscription. */
const MAX_HOLE = 24;

interface Dated {
  readonly numero: number;
  /** In years, with the month as a fraction; `null` without a date. */
  readonly time: number | null;
}

const timeOf = ({ date }: Numero): number | null => {
  const [year, month] = (date === null ? null : numeroDateKey(date))?.split('-') ?? [];
  if (year === undefined) return null;
  // A date of a year alone is its middle.
  return Number(year) + (month === undefined ? 0.5 : (Number(month) - 1) / 12);
};

/** The integer numbers of an issue: « 12 » is one, « 112-113 » two, « HS 3 » none. */
const wholeNumbers = ({ numero }: Numero): number[] =>
  numeroKeysOf(numero)
    .filter((key) => /^\d{1,6}$/.test(key))
    .map(Number);

/** The interpolated year of a number between two dated ones. */
function yearBetween(numero: number, before: Dated, after: Dated): string {
  const [from, to] = [before.time ?? after.time, after.time ?? before.time];
  if (from === null || to === null) return '';
  const share = (numero - before.numero) / (after.numero - before.numero);
  // A month that is a fraction of a year is not exact.
  return String(Math.floor(from + share * (to - from) + 1e-6));
}

/** The missing numbers of a periodical, ascending, with their estimated year. */
function missingByYear(numeros: readonly Numero[]): readonly (readonly [number, string])[] {
  const known = numeros
    .flatMap((each) => wholeNumbers(each).map((numero): Dated => ({ numero, time: timeOf(each) })))
    .sort((a, b) => a.numero - b.numero);
  return known.flatMap((after, index) => {
    const before = known[index - 1];
    const count = before === undefined ? 0 : after.numero - before.numero - 1;
    if (before === undefined || count > MAX_HOLE) return [];
    return Array.from({ length: Math.max(0, count) }, (_, i) => {
      const numero = before.numero + i + 1;
      return [numero, yearBetween(numero, before, after)] as const;
    });
  });
}

/**
 * The issues of a periodical as walls of years, with an outline for each number that is missing between two of them
 * (docs/rules.md § 20).
 *
 * @param numeros the newest first
 */
export function numeroWall(numeros: readonly Numero[]): NumeroWall {
  const missing = missingByYear(numeros);
  const waiting = Map.groupBy(missing.toReversed(), ([, year]) => year);
  const owned = Map.groupBy(numeros, (numero) => {
    const time = timeOf(numero);
    return time === null ? '' : String(Math.floor(time));
  });
  const years = [...new Set([...owned.keys(), ...waiting.keys()])].sort().toReversed();
  return {
    years: years.map((year) => {
      const absent = (waiting.get(year) ?? []).map(([numero]) => numero);
      return { year, items: together(owned.get(year) ?? [], absent) };
    }),
    missing: missing.map(([numero]) => String(numero)),
  };
}

/** @param absent the missing numbers, descending: each comes before the first lower issue */
function together(numeros: readonly Numero[], absent: readonly number[]): WallItem[] {
  const items: WallItem[] = [];
  let next = 0;
  const addAbove = (least: number) => {
    const end = absent.findIndex((numero, index) => index >= next && numero <= least);
    for (const numero of absent.slice(next, end < 0 ? undefined : end))
      items.push({ id: `missing ${String(numero)}`, missing: String(numero) });
    next = end < 0 ? absent.length : end;
  };
  for (const numero of numeros) {
    const [whole] = wholeNumbers(numero);
    if (whole !== undefined) addAbove(whole);
    items.push(numero);
  }
  addAbove(-1);
  return items;
}
