import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { chromium } from 'playwright';
import type {} from 'vitest';

interface Browser {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

declare module 'vitest' {
  interface ProvidedContext {
    browser: Browser;
    display: { headless?: boolean; slowMo?: number };
  }
}

const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome'];

const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ...[process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
];

/** Disables the browser's own requests, and the sandbox, which does not work for root. */
const ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/**
 * The browser of all tests, the first that exists of: `CHROMIUM_PATH`, the headless shell of the package
 * @sparticuz/chromium, Playwright's Chromium, the system's Chrome or Chromium, with which scenarios take twice as
 * long. To watch the scenarios the headless shell is skipped, since it has no window.
 * @throws Error with one sentence that says what to install
 */
export async function findBrowser(): Promise<Browser> {
  const named = process.env['CHROMIUM_PATH'] ?? '';
  if (named !== '' && !existsSync(named))
    throw new Error(`CHROMIUM_PATH names ${named}, where there is no file.`);
  const isWatched = (process.env['WATCH_BROWSER'] ?? '') !== '';
  const packaged = named !== '' || isWatched ? null : await ofPackage();
  if (packaged !== null) return packaged;
  const executablePath = named || ofPlaywright() || ofTheSystem();
  if (executablePath !== null) return { executablePath, args: ARGS, env: environment({}) };
  throw new Error(
    'No Chromium was found: install Chrome or Chromium, or run « npx playwright install chromium », or name one in CHROMIUM_PATH.',
  );
}

function ofTheSystem(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...PLACES].find((path) => existsSync(path) && starts(path)) ?? null;
}

/**
 * Checks that a browser starts: on some systems the name is a stub that only says what to install, on others a
 * library is missing. Not on Windows, where Chrome would open a window.
 */
function starts(path: string, env: NodeJS.ProcessEnv = process.env): boolean {
  return process.platform === 'win32' || spawnSync(path, ['--version'], { env }).status === 0;
}

function ofPlaywright(): string | null {
  const path = chromium.executablePath();
  return existsSync(path) ? path : null;
}

/** The package's headless build for Linux x64, unpacked once, with its libraries. */
async function ofPackage(): Promise<Browser | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = resolve('.cache', 'chromium');
  await filledOnce(folder, (beside) => unpack(beside, folder));
  const executablePath = join(folder, 'chromium');
  const env = environment({
    LD_LIBRARY_PATH: [join(folder, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']]
      .filter((path) => path !== undefined && path !== '')
      .join(delimiter),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  });
  return starts(executablePath, env) ? { executablePath, args: ARGS, env } : null;
}

/** Fills a missing folder atomically; if another process was faster, its folder is used. */
export async function filledOnce(
  folder: string,
  fill: (beside: string) => Promise<void>,
): Promise<void> {
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  const beside = mkdtempSync(`${folder}.`);
  await fill(beside);
  try {
    renameSync(beside, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(beside, { recursive: true });
  }
}

/** The package unpacks into the system's temporary folder, which is redirected meanwhile. */
async function unpack(beside: string, folder: string): Promise<void> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = beside;
  const { default: packaged, inflate } = await import('@sparticuz/chromium');
  await packaged.executablePath();
  await inflate(join('node_modules', '@sparticuz', 'chromium', 'bin', 'al2023.tar.br'));
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  writeFileSync(
    join(beside, 'fonts.conf'),
    `<fontconfig><dir>/usr/share/fonts</dir><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  );
}

function environment(more: Record<string, string>): Record<string, string> {
  const variables = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(variables), ...more };
}
