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
import { exitOnError } from './support/exit-on-error.ts';
import { NOT_EXAMINED } from './support/not-examined.ts';
import { tooOftenUnsteady } from './support/summary.ts';

/**
 * `npm run nightly [-- --only NAME,NAME] [--minutes N]`: runs every proof in turn, also after failures, and writes a
 * page of results with the output of each beside it (docs/proofs.md). Ends after eight hours, or after the given
 * minutes: open-ended proofs share the time that the others leave.
 */

const FOLDER = '.cache/nightly';
const PAGE = join(FOLDER, 'results.md');

const NIGHT_MINUTES = '480';

/** The share of its time that a part may overrun: parts end only between two runs. */
const MARGIN = 0.75;

interface Part {
  /** The npm command. */
  readonly command: string;
  /** The timeout, after which the part fails; for an open-ended part its share of the time. */
  readonly minutes: number;
  /**
   * True for an open-ended part: runs as many times as fit into its minutes, a share of the time that the others
   * leave.
   */
  readonly fills?: true;
  /** Each row needs one of its programs installed. */
  readonly programs?: readonly (readonly string[])[];
}

/** From those that fail most often to those that take longest. */
const PARTS: Readonly<Record<string, Part>> = {
  tests: { command: 'test', minutes: 75 },
  scenarios: { command: 'test -- --project e2e', minutes: 30 },
  'scenarios again': { command: 'test -- --project e2e', minutes: 30 },
  licences: { command: 'run prove -- licences', minutes: 2 },
  audit: { command: 'run prove -- audit', minutes: 2 },
  archives: { command: 'run prove -- archives', minutes: 10 },
  pictures: { command: 'run prove -- pictures', minutes: 20 },
  webkit: {
    command: 'run prove -- webkit',
    minutes: 15,
    programs: [['WebKitWebDriver']],
  },
  firefox: { command: 'run test:browsers', minutes: 50, programs: [['firefox-esr', 'firefox']] },
  proxies: {
    command: 'run prove -- proxies',
    minutes: 10,
    programs: [['nginx'], ['caddy'], ['apache2'], ['haproxy']],
  },
  container: {
    command: 'run prove -- container',
    minutes: 20,
    programs: [['buildah'], ['mmdebstrap'], ['bwrap']],
  },
  'foreign lock': { command: 'run prove -- foreign-lock', minutes: 10 },
  'long cells': { command: 'run prove -- long-cells', minutes: 20 },
  streams: { command: 'run prove -- streams', minutes: 10 },
  breakages: { command: 'run prove -- breakages', minutes: 20 },
  promises: { command: 'run prove -- promises', minutes: 20 },
  costs: { command: 'run bench -- --only costs', minutes: 15 },
  fuzz: { command: 'run prove -- fuzz', minutes: 15, fills: true },
  gate: { command: 'run prove -- gate', minutes: 15, fills: true },
  backups: { command: 'run prove -- backups', minutes: 10 },
  cuts: { command: 'run prove -- cuts', minutes: 21, fills: true },
  histories: { command: 'run prove -- histories', minutes: 25, fills: true },
  soak: { command: 'run prove -- soak', minutes: 25, fills: true },
  simulate: { command: 'run prove -- simulate', minutes: 35, fills: true },
  mutants: { command: 'run mutants -- shared', minutes: 50, fills: true },
};

interface Outcome {
  readonly name: string;
  readonly mark: '✓' | '✗' | '–';
  readonly minutes: number;
  readonly said: string;
}

await exitOnError(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      minutes: { type: 'string', default: NIGHT_MINUTES },
    },
  });
  const names = values.only?.split(',') ?? Object.keys(PARTS);
  mkdirSync(FOLDER, { recursive: true });
  const parts = names.map((name) => {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`--only: ${Object.keys(PARTS).join(', ')}`);
    return { name, part };
  });
  const began = new Date();
  const end = began.getTime() + Number(values.minutes) * 60_000;
  const outcomes: Outcome[] = [];
  for (const [at, { name, part }] of parts.entries()) {
    const left = (end - Date.now()) / 60_000;
    const filling = parts.slice(at).filter((later) => later.part.fills === true);
    const shares = filling.reduce((sum, later) => sum + later.part.minutes, 0);
    const minutes = part.fills ? left * (part.minutes / shares) : Math.min(part.minutes, left);
    outcomes.push(await play(name, part, minutes));
    // After each part, so that an interrupted night has a page.
    writeFileSync(PAGE, pageOf(outcomes, began));
  }
  console.log(`\n${readFileSync(PAGE, 'utf8')}`);
  const isRed = outcomes.some(({ mark }) => mark === '✗') || unsteady(outcomes).length > 0;
  process.exitCode = isRed ? 1 : 0;
});

async function play(
  name: string,
  { command, fills, programs = [] }: Part,
  minutes: number,
): Promise<Outcome> {
  const missing = programs.find((row) => !row.some(isInstalled));
  if (missing !== undefined)
    return { name, mark: '–', minutes: 0, said: `not played: no ${missing.join(' or ')} here` };
  const time = fills ? ['--minutes', (minutes * MARGIN).toFixed(1)] : [];
  const line = [...command.split(' '), ...time];
  console.log(`${name}: npm ${line.join(' ')}`);
  const begin = Date.now();
  const { code, isLate } = await runLogged(line, logOf(name), minutes);
  return {
    name,
    mark: code === 0 ? '✓' : code === NOT_EXAMINED ? '–' : '✗',
    minutes: (Date.now() - begin) / 60_000,
    said: isLate ? `not done after ${minutes.toFixed(1)} minutes` : lastLine(name),
  };
}

/** Runs in its own process group, which is killed after the timeout. */
function runLogged(
  line: readonly string[],
  path: string,
  minutes: number,
): Promise<{ code: number | null; isLate: boolean }> {
  const log = createWriteStream(path);
  const child = spawn('npm', line, {
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

/** The scenarios that needed a second try too often in this night. */
function unsteady(outcomes: readonly Outcome[]): string[] {
  return tooOftenUnsteady(outcomes.map(({ name }) => readLog(name)));
}

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

/** The warnings of a part, one per line. */
function warningsOf(name: string): string[] {
  return readLog(name)
    .split('\n')
    .filter((line) => line.startsWith('! '))
    .map((line) => line.slice(2));
}

/** Without terminal colours, and without characters that would split a table's cell. */
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
