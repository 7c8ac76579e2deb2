import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { median } from './support/timing.ts';

const TURNS = 3;

interface Column {
  readonly values: number[];
  readonly unit: string;
}

/**
 * Runs an older checkout's bench and this one's in turns on one machine, and prints of each thing that either measures
 * the median of both.
 *
 * @param folder the older checkout, with its packages
 * @param args for both, as `--only client`
 */
export async function benchBefore(folder: string, args: readonly string[]): Promise<void> {
  const sides = [
    { folder, columns: new Map<string, Column>() },
    { folder: '.', columns: new Map<string, Column>() },
  ];
  for (let turn = 0; turn < TURNS; turn++)
    for (const side of turn % 2 === 0 ? sides : sides.toReversed())
      note(side.columns, await run(side.folder, args));
  const [before, now] = sides.map(({ columns }) => columns);
  console.log(`\n${''.padEnd(64)} ${'before'.padStart(12)} ${'now'.padStart(12)}`);
  for (const what of new Set(sides.flatMap(({ columns }) => [...columns.keys()])))
    console.log(`${what.padEnd(64)} ${shown(before?.get(what))} ${shown(now?.get(what))}`);
}

async function run(folder: string, args: readonly string[]): Promise<string> {
  const options = { cwd: resolve(folder), maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)('npm', ['run', 'bench', '--', ...args], options);
  return stdout;
}

/** The lines of a report, as `support/report.ts` prints them: `  ✓ a keystroke   0.25 × (…)`. */
function note(columns: Map<string, Column>, report: string): void {
  for (const [, what = '', value, unit = ''] of report.matchAll(
    /^ {2}[✓✗] (.+?) +(-?[\d.]+) (\S+)(?: .*)?$/gmu,
  )) {
    const column = columns.get(what) ?? { values: [], unit };
    column.values.push(Number(value));
    columns.set(what, column);
  }
}

const shown = (column: Column | undefined): string =>
  (column === undefined ? '–' : `${String(median(column.values))} ${column.unit}`).padStart(12);
