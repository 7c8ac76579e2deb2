import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { businessOf, machine } from './support/document.ts';
import { watchOthers } from './support/others.ts';
import { compare, type Pair } from './support/paired.ts';

const ROUNDS = 6;

interface Column {
  readonly values: number[];
  readonly unit: string;
}

type Columns = Map<string, Column>;

/**
 * Builds another commit beside this checkout, and runs both benchmarks in the order ABBA, so that other load on the
 * machine affects both. Prints both medians of each figure, and the difference with its spread; « the same » if the
 * spread contains zero.
 *
 * @param args for both, as `--only client`
 */
export async function benchAgainst(commit: string, args: readonly string[]): Promise<void> {
  const before = { folder: checkoutOf(commit), columns: new Map<string, Column>() };
  const now = { folder: '.', columns: new Map<string, Column>() };
  // This checkout first: the other one lies below it, and its build reads the tsconfig of this one.
  for (const { folder } of [now, before]) await run(folder, ['run', 'build']);
  const endWatching = watchOthers();
  for (let round = 0; round < ROUNDS; round++) {
    const load = loadavg()[0]?.toFixed(1);
    console.log(`Round ${String(round + 1)} of ${String(ROUNDS)} (load ${String(load)})`);
    for (const { folder, columns } of round % 2 === 0 ? [before, now] : [now, before])
      note(columns, await run(folder, ['run', 'bench', '--', ...args]));
  }
  console.log(`\n${machine()}; ${businessOf(endWatching())}.`);
  for (const line of linesOf(commit, before.columns, now.columns)) console.log(line);
}

/** Checks the commit out into its own folder; shares this checkout's packages if both need the same ones. */
function checkoutOf(commit: string): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const folder = resolve('.cache/against', git('rev-parse', '--short', `${commit}^{commit}`));
  if (!existsSync(folder)) git('worktree', 'add', '--detach', folder, commit);
  const [ours, theirs] = ['package-lock.json', `${folder}/package-lock.json`].map((lock) =>
    readFileSync(lock, 'utf8'),
  );
  const modules = `${folder}/node_modules`;
  if (ours === theirs && !existsSync(modules)) symlinkSync(resolve('node_modules'), modules);
  return folder;
}

async function run(folder: string, args: readonly string[]): Promise<string> {
  const options = { cwd: resolve(folder), maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)('npm', [...args], options);
  return stdout;
}

/** Parses the lines of a report by `support/report.ts`: `  ✓ a keystroke   0.25 × (…)`. */
function note(columns: Columns, report: string): void {
  for (const [, what = '', value, unit = ''] of report.matchAll(
    /^ {2}[✓✗] (.+?) +(-?[\d.]+) (\S+)(?: .*)?$/gmu,
  )) {
    const column = columns.get(what) ?? { values: [], unit };
    column.values.push(Number(value));
    columns.set(what, column);
  }
}

function* linesOf(commit: string, before: Columns, now: Columns): Generator<string> {
  const cells = (...texts: readonly string[]): string =>
    texts.map((text, i) => (i === 0 ? text.padEnd(64) : text.padStart(14))).join(' ');
  yield cells('', commit, 'now', 'difference', 'spread');
  for (const [what, { values, unit }] of now) {
    const pairs = values.flatMap((value, round): Pair[] => {
      const old = before.get(what)?.values[round];
      return old === undefined ? [] : [{ before: old, now: value }];
    });
    if (pairs.length < values.length) continue;
    const { medians, difference, spread, isSame } = compare(pairs);
    const [old, ours] = medians.map((value) => `${String(value)} ${unit}`);
    const [least, most] = spread.map(percent);
    yield cells(
      what,
      old ?? '',
      ours ?? '',
      isSame ? 'the same' : percent(difference),
      `${String(least)} to ${String(most)}`,
    );
  }
}

const percent = (part: number): string => `${part > 0 ? '+' : ''}${(part * 100).toFixed(0)} %`;
