import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  createWriteStream,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { attempt } from './support/attempt.ts';
import { tooOftenUnsteady } from './support/summary.ts';

/**
 * `npm run nightly [-- --only NAME,NAME]`: every proof that there is, one after another, whatever became of those before,
 * and one page of results (docs/proofs.md). What each printed lies beside the page.
 */

const FOLDER = '.cache/nightly';
const PAGE = join(FOLDER, 'results.md');

interface Part {
  /** What is handed to npm. */
  readonly command: string;
  /** After which it is ended and counts as failed. */
  readonly minutes: number;
  /** One of these programs of the system is needed. */
  readonly programs?: readonly string[];
}

/** From what fails most often and says most to what takes longest. */
const PARTS: Readonly<Record<string, Part>> = {
  tests: { command: 'test', minutes: 90 },
  scenarios: { command: 'test -- --project e2e', minutes: 60 },
  'scenarios again': { command: 'test -- --project e2e', minutes: 60 },
  licences: { command: 'run prove -- licences', minutes: 5 },
  audit: { command: 'audit --omit=dev', minutes: 5 },
  archives: { command: 'run prove -- archives', minutes: 15 },
  pictures: { command: 'run prove -- pictures', minutes: 30 },
  webkit: {
    command: 'run prove -- webkit',
    minutes: 20,
    programs: ['WebKitWebDriver'],
  },
  firefox: { command: 'run test:browsers', minutes: 90, programs: ['firefox-esr', 'firefox'] },
  proxies: { command: 'run prove -- proxies', minutes: 15, programs: ['nginx'] },
  container: { command: 'run prove -- container', minutes: 30, programs: ['buildah'] },
  fuzz: { command: 'run prove -- fuzz --requests 10000', minutes: 30 },
  'long cells': { command: 'run prove -- long-cells', minutes: 30 },
  gate: { command: 'run prove -- gate --files 300', minutes: 30 },
  streams: { command: 'run prove -- streams --streams 1500', minutes: 15 },
  cuts: { command: 'run prove -- cuts --rounds 20', minutes: 60 },
  histories: { command: 'run prove -- histories --histories 160', minutes: 90 },
  breakages: { command: 'run prove -- breakages', minutes: 60 },
  simulate: { command: 'run simulate -- --seeds 1000', minutes: 180 },
  costs: { command: 'run bench -- --only costs', minutes: 30 },
  soak: { command: 'run prove -- soak --minutes 60', minutes: 90 },
  mutants: { command: 'run mutants -- shared', minutes: 240 },
};

interface Outcome {
  readonly name: string;
  readonly mark: '✓' | '✗' | '–';
  readonly minutes: number;
  readonly said: string;
}

await attempt(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const names = values.only?.split(',') ?? Object.keys(PARTS);
  mkdirSync(FOLDER, { recursive: true });
  const began = new Date();
  const outcomes: Outcome[] = [];
  for (const name of names) {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`--only: ${Object.keys(PARTS).join(', ')}`);
    outcomes.push(await play(name, part));
    // After each: a night that is cut short has its page.
    writeFileSync(PAGE, pageOf(outcomes, began));
  }
  console.log(`\n${readFileSync(PAGE, 'utf8')}`);
  const isRed = outcomes.some(({ mark }) => mark === '✗') || unsteady(outcomes).length > 0;
  process.exitCode = isRed ? 1 : 0;
});

async function play(name: string, { command, minutes, programs }: Part): Promise<Outcome> {
  if (programs !== undefined && !programs.some(isInstalled))
    return { name, mark: '–', minutes: 0, said: `not played: no ${programs.join(' or ')} here` };
  console.log(`${name}: npm ${command}`);
  const begin = Date.now();
  const { code, isLate } = await runLogged(command, logOf(name), minutes);
  return {
    name,
    mark: code === 0 ? '✓' : '✗',
    minutes: (Date.now() - begin) / 60_000,
    said: isLate ? `not done after ${String(minutes)} minutes` : lastLine(name),
  };
}

/** In a process group of its own, which ends whole where it is late. */
function runLogged(
  command: string,
  path: string,
  minutes: number,
): Promise<{ code: number | null; isLate: boolean }> {
  const log = createWriteStream(path);
  const child = spawn('npm', command.split(' '), {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, minutes * 60_000);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      log.end(() => {
        resolve({ code, isLate });
      });
    });
  });
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function pageOf(outcomes: readonly Outcome[], began: Date): string {
  const rows = outcomes.map(
    ({ name, mark, minutes, said }) => `| ${mark} | ${name} | ${minutes.toFixed(1)} | ${said} |`,
  );
  return [
    `# The night of ${began.toISOString().slice(0, 10)}`,
    '',
    '| | proof | minutes | what it said last |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...outcomes.flatMap(({ name }) => warningsOf(name).map((line) => `- ${name}: ${line}`)),
    ...unsteady(outcomes).map((title) => `- ✗ needed its second try too often: ${title}`),
    `\nWhat each printed: ${FOLDER}/*.log`,
    '',
  ].join('\n');
}

/** The scenarios that needed a second try more often in this night than one may. */
const unsteady = (outcomes: readonly Outcome[]): string[] =>
  tooOftenUnsteady(outcomes.map(({ name }) => readLog(name)));

function logOf(name: string): string {
  return join(FOLDER, `${name.replaceAll(' ', '-')}.log`);
}

function readLog(name: string): string {
  try {
    return readFileSync(logOf(name), 'utf8');
  } catch {
    return '';
  }
}

/** What a part warns of, a line each. */
const warningsOf = (name: string): string[] =>
  readLog(name)
    .split('\n')
    .filter((line) => line.startsWith('! '))
    .map((line) => line.slice(2));

/** Without what colours a terminal, and what would part a cell of the page. */
function lastLine(name: string): string {
  const line =
    readLog(name)
      .split('\n')
      .findLast((text) => text.trim() !== '') ?? '';
  return line
    .replaceAll(/\u001b\[[\d;]*m/gu, '')
    .replaceAll('|', '\\|')
    .trim();
}
