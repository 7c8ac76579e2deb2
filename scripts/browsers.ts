import { existsSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { judge, readPlayed } from './browsers/outcomes.ts';
import { runTool } from './support/run.ts';

/**
 * `npm run test:browsers [-- path…]`: runs the scenarios of `test/e2e` in the system's Firefox (docs/browsers.md),
 * with parts of paths only those. Succeeds if exactly the failures of the table occur.
 */

const NAMES = ['firefox-esr', 'firefox'];
const PLACES = ['/Applications/Firefox.app/Contents/MacOS/firefox'];

const FIREFOX_PATH = process.env['FIREFOX_PATH'] ?? findFirefox();
if (FIREFOX_PATH === undefined) {
  console.error(
    'No Firefox was found: « apt-get install firefox-esr », or name one in FIREFOX_PATH.',
  );
  process.exit(1);
}
const paths = process.argv.slice(2);
const OUTCOMES = '.cache/browsers.json';
rmSync(OUTCOMES, { force: true });
const { ok } = await runTool(
  'vitest/vitest.mjs',
  [
    'run',
    ...(paths.length === 0 ? ['test/e2e'] : paths),
    '--project',
    'e2e',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${OUTCOMES}`,
  ],
  'live',
  { ...process.env, FIREFOX_PATH },
);
const { faults, known } = judge(readPlayed(OUTCOMES));
for (const { title, row } of known) console.log(`✗ known: ${title} (${row})`);
for (const fault of faults) console.error(`✗ ${fault}`);
// An error outside of the scenarios is in no outcome.
process.exitCode = faults.length > 0 || (!ok && known.length === 0) ? 1 : 0;

function findFirefox(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...PLACES].find((path) => existsSync(path));
}
