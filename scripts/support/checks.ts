import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fingerprint } from './targets.ts';
import { runTool } from './run.ts';

/** The paths of the project's files, one per line, for the spell checker: file names are names, too. */
const NAMES = '.cache/file-names.txt';

/** Inputs of the spell checker: if one changes, all files are checked again. */
const WORDS = [
  'cspell.config.mjs',
  'docs/glossary.md',
  'scripts/support/*-words.txt',
  'shared/refusals.ts',
  'package-lock.json',
];

const SPELLED = `.cache/spelled-${fingerprint(WORDS)}`;

const checks: Readonly<Record<string, readonly [tool: string, ...args: string[]]>> = {
  // Each thread would compile the formatter of components anew.
  format: ['oxfmt/bin/oxfmt', '--threads=1', '--check', '.'],
  // Checks also the types of the server, the tests and the tools, six times faster than `tsc`.
  'lint and types': ['oxlint/bin/oxlint', '.'],
  // Here and in the next two, files unchanged since the last run are not read again.
  'lint of the components': [
    'eslint/bin/eslint.js',
    '--max-warnings=0',
    '--cache',
    '--cache-strategy=content',
    '--cache-location=.cache/eslint',
    'src',
  ],
  spelling: [
    'cspell/bin.mjs',
    'lint',
    '--no-progress',
    '--no-summary',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${SPELLED}`,
    '{bench,demo,docs,migrations,scripts,server,shared,src,test}/**',
    '*.{js,md,mjs,ts}',
    NAMES,
  ],
  // Checks that each sentence of the documents has its tests.
  promises: ['../scripts/promises.ts', '--sentences', '0'],
  'types of the client': [
    'svelte-check/bin/svelte-check',
    '--tsgo',
    '--incremental',
    '--fail-on-warnings',
  ],
};

/**
 * TypeScript's compiler is written in Go, whose garbage collector takes a third of its time by default; here the heap
 * may grow to the 2 GB that the compiler needs anyway.
 */
const ENVIRONMENT = { ...process.env, GOGC: '400', GOMEMLIMIT: '1900MiB' };

/**
 * Prints the result of each check, with the output of failed ones.
 *
 * @returns the number of passed checks, and the names and output of failed ones
 */
export async function runChecks(parallel: number): Promise<{ passed: number; failures: string[] }> {
  writeFileNames();
  for (const earlier of globSync('.cache/spelled-*')) if (earlier !== SPELLED) rmSync(earlier);
  const failures: string[] = [];
  const waiting = Object.entries(checks);
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, [tool, ...args]] = next;
      const { ok, output } = await runTool(tool, args, 'kept', ENVIRONMENT);
      if (!ok) failures.push(`${name}\n${output}`);
      console.log(ok ? `✓ ${name}` : `✗ ${name}\n${output}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return { passed: Object.keys(checks).length - failures.length, failures };
}

function writeFileNames(): void {
  const paths = globSync(['{bench,demo,docs,scripts,server,shared,src,test}/**/*.*', '*.*'], {
    exclude: ['src/lib/paraglide/**', 'test/vectors/**', 'test/pictures/golden/**'],
  });
  mkdirSync('.cache', { recursive: true });
  writeFileSync(NAMES, paths.sort().join('\n'));
}
