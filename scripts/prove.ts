import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { makeTypesIfStale } from './support/client-build.ts';
import { runTool } from './support/run.ts';

/** `npm run prove [-- NAME …]`: the longer proofs (docs/proofs.md). Without a name it lists them. */

/** A test of the quick set, with many more cases. */
interface TestProof {
  readonly files: readonly string[];
  /** The unit that is counted, and the option that sets the number. */
  readonly unit: string;
  readonly quick: number;
  readonly long: number;
  /** The maximum per process, since memory fills up; with `--minutes` the time is checked in between. */
  readonly atOnce: number;
}

const PROOFS: Readonly<Record<string, TestProof>> = {
  fuzz: { files: ['test/http/fuzz'], unit: 'requests', quick: 500, long: 10_000, atOnce: 2000 },
  simulate: { files: ['test/copy/random'], unit: 'seeds', quick: 20, long: 10_000, atOnce: 200 },
  histories: {
    files: ['test/modifications/newest-first'],
    unit: 'histories',
    quick: 8,
    long: 400,
    atOnce: 40,
  },
  streams: { files: ['test/sync/streams'], unit: 'streams', quick: 50, long: 1500, atOnce: 1500 },
  cuts: { files: ['test/cuts'], unit: 'rounds', quick: 1, long: 100, atOnce: 5 },
  gate: { files: ['test/export/random-gate'], unit: 'files', quick: 3, long: 600, atOnce: 50 },
  backups: { files: ['test/backup/random'], unit: 'households', quick: 4, long: 40, atOnce: 40 },
};

/** Proofs that are a script with its own options. */
const SCRIPTS: Readonly<Record<string, string>> = {
  archives: 'scripts/archives.ts',
  audit: 'scripts/audit.ts',
  breakages: 'scripts/breakages.ts',
  container: 'scripts/container.ts',
  'foreign-lock': 'bench/foreign-lock.ts',
  'long-cells': 'bench/long-cells.ts',
  soak: 'bench/soak.ts',
  licences: 'scripts/licences.ts',
  promises: 'scripts/promises.ts',
  pictures: 'scripts/pictures.ts',
  browsers: 'scripts/browsers.ts',
  webkit: 'scripts/webkit.ts',
  proxies: 'scripts/proxies.ts',
  upgrade: 'scripts/upgrade.ts',
};

const [name = '', ...args] = process.argv.slice(2);
const proof = PROOFS[name];
const script = SCRIPTS[name];
if (proof !== undefined || script !== undefined) await makeTypesIfStale();
if (proof !== undefined) await proveByTest(proof, args);
else if (script !== undefined)
  process.exitCode =
    spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' }).status ?? 1;
else {
  console.log(`npm run prove -- ${Object.keys({ ...PROOFS, ...SCRIPTS }).join(' | ')}`);
  process.exitCode = name === '' ? 0 : 1;
}

/**
 * Runs the test with a printed seed, a new one by default; in parts, even after a failure. With `--minutes` runs as
 * many as fit into that time, at least one.
 */
async function proveByTest(
  { files, unit, quick, long, atOnce }: TestProof,
  line: string[],
): Promise<void> {
  const { values } = parseArgs({
    args: line,
    options: { [unit]: { type: 'string' }, seed: { type: 'string' }, minutes: { type: 'string' } },
  });
  const wanted = values['minutes'] === undefined ? long : Infinity;
  const count = Number(values[unit] ?? wanted);
  const first = Number(values['seed'] ?? Date.now() % 1_000_000_000);
  const limitMs = Number(values['minutes'] ?? Infinity) * 60_000;
  const began = performance.now();
  const failed: string[] = [];
  let played = 0;
  for (let parts = 0; played < count; parts++) {
    const spentMs = performance.now() - began;
    if (parts > 0 && spentMs + spentMs / parts > limitMs) break;
    const part = Math.min(count - played, atOnce);
    const seed = first + played;
    const command = `npm run prove -- ${name} --${unit} ${String(part)} --seed ${String(seed)}`;
    console.log(command);
    const { ok } = await runTool(
      'vitest/vitest.mjs',
      ['run', ...files, '--project', 'server', '--disable-console-intercept'],
      'live',
      { ...process.env, RUNS_FACTOR: String(part / quick), SEED: String(seed) },
    );
    if (!ok) failed.push(command);
    played += part;
  }
  for (const command of failed) console.log(`✗ ${command}`);
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  const end = failed.length === 0 ? 'none failed' : `${String(failed.length)} parts failed`;
  console.log(`${name}: ${String(played)} ${unit} in ${minutes} min, ${end}`);
  if (failed.length > 0) process.exitCode = 1;
}
