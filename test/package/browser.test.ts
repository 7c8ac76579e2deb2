import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { filledOnce, findBrowser } from '../support/browser.ts';
import { temporaryFolder } from '../support/database.ts';

test('the second of two first runs finds the browser of the first', async () => {
  const parent = join(temporaryFolder(), 'cache');
  const folder = join(parent, 'chromium');
  const run = (name: string) =>
    filledOnce(folder, async (beside) => writeFileSync(join(beside, 'chromium'), name));
  await Promise.all([run('first'), run('second')]);
  await run('third');
  expect(readdirSync(parent)).toEqual(['chromium']);
  expect(readFileSync(join(folder, 'chromium'), 'utf8')).toBe('first');
});

test.each([
  ['the headless shell goes before a system’s browser', '', /[\\/]\.cache[\\/]chromium[\\/]/],
  ['a browser that is watched has a window', '1', /[\\/]system[\\/]/],
])('%s', async (_, watched, path) => {
  const folder = join(temporaryFolder(), 'system');
  mkdirSync(folder);
  for (const name of ['google-chrome-stable', 'chromium'])
    writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
  vi.stubEnv('CHROMIUM_PATH', '');
  vi.stubEnv('PATH', folder + delimiter + (process.env['PATH'] ?? ''));
  vi.stubEnv('PLAYWRIGHT_BROWSERS_PATH', folder);
  vi.stubEnv('WATCH_BROWSER', watched);
  onTestFinished(() => void vi.unstubAllEnvs());
  const hasShell = process.platform === 'linux' && process.arch === 'x64';
  expect((await findBrowser()).executablePath).toMatch(hasShell ? path : /./);
});
