import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { Type, type Static } from 'typebox';
import { Parse } from 'typebox/value';
import { startVitest } from 'vitest/node';
import type {} from '../../test/support/random.ts';
import { logger } from './logger.ts';
import { ACTIVE, hungIn, KILLED, noticedIn } from './notes.ts';
import type {} from './runner.ts';

const Noted = Type.Object({
  tried: Type.Array(Type.String()),
  /** The mutants that ran during an import. */
  whileLoading: Type.Array(Type.String()),
});

/** The interval of checking for endless mutants. */
const WATCH_MS = 1000;

/** A test file may wait for others for any time. */
const TIMEOUT_MS = 3_600_000;

/**
 * Plays the mutants of one file of `shared/` in one process, by switches that Stryker puts into its code: a mutant
 * costs only the tests that reach it, while Stryker's own runner would start vitest for each.
 */
export async function playShared(path: string, tests: readonly string[]): Promise<void> {
  const source = readFileSync(path, 'utf8');
  const { files, mutants } = await new Instrumenter(logger).instrument(
    [{ name: path, mutate: true, content: source }],
    { plugins: null, ignorers: [], excludedMutations: [] },
  );
  mkdirSync('.cache/mutants', { recursive: true });
  const folder = mkdtempSync(resolve('.cache/mutants/played-'));
  const changed = files[0]?.content ?? source;
  try {
    const load = (id: string) => (id === resolve(path) ? changed : null);
    let played = await playTests(tests, folder, load);
    // Mutants killed by then are not played again.
    while (played.isEnded) played = await playTests(tests, folder, load);
    const { failures } = played;
    if (failures.length > 0) throw new Error(`Fail without a change: ${failures.join('\n')}`);
    tell(path, source, mutants, noted(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function playTests(
  tests: readonly string[],
  mutantsFolder: string,
  load: (id: string) => string | null,
): Promise<{ readonly failures: readonly string[]; readonly isEnded: boolean }> {
  let isEnded = false;
  const watch = setInterval(() => {
    const hung = hungIn(mutantsFolder);
    if (hung === null) return;
    isEnded = true;
    rmSync(join(mutantsFolder, ACTIVE));
    appendFileSync(join(mutantsFolder, KILLED), `${hung.mutant}\n`);
    process.kill(hung.pid, 'SIGKILL');
  }, WATCH_MS);
  const vitest = await startVitest(
    [],
    {
      config: false,
      run: true,
      watch: false,
      strictTags: false,
      isolate: false,
      // A mutant that hangs is ended with its process.
      pool: 'forks',
      maxWorkers: 1,
      // The cache would keep the changed code, and run it in place of another's.
      fsModuleCache: false,
      include: [...tests],
      runner: resolve('scripts/mutants/runner.ts'),
      reporters: [{}],
      // Few random cases: each is played for every change.
      provide: { runsFactor: 0.05, seed: 20_261_120, randomTimeout: TIMEOUT_MS, mutantsFolder },
      testTimeout: TIMEOUT_MS,
    },
    { plugins: [{ name: 'mutants', enforce: 'pre', load }] },
  );
  const modules = vitest.state.getTestModules();
  const failed = modules.flatMap((module) => [...module.children.allTests('failed')]);
  const unexpected = modules.flatMap((module) => module.errors());
  await vitest.close();
  clearInterval(watch);
  const failures = [
    ...unexpected.map(({ message }) => message),
    ...failed.map((test) => `${test.fullName}: ${test.result().errors?.[0]?.message ?? ''}`),
  ];
  return { failures, isEnded };
}

/** Merges the notes of all processes that played tests. */
function noted(folder: string): Record<keyof Static<typeof Noted> | 'killed', ReadonlySet<string>> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const all = names.map((name) =>
    Parse(Noted, JSON.parse(readFileSync(join(folder, name), 'utf8'))),
  );
  return {
    tried: new Set([...all.flatMap(({ tried }) => tried), ...noticedIn(folder)]),
    killed: new Set(noticedIn(folder)),
    whileLoading: new Set(all.flatMap(({ whileLoading }) => whileLoading)),
  };
}

type Mutant = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];

/**
 * Prints the survivors, one per line: `!` if a test reaches the mutant, `?` if none does. Mutants that run at import
 * are not tried.
 */
function tell(
  path: string,
  source: string,
  mutants: readonly Mutant[],
  { tried, killed, whileLoading }: ReturnType<typeof noted>,
): void {
  const lines = source.split('\n');
  const played = mutants.filter(({ id }) => tried.has(id) || !whileLoading.has(id));
  for (const { id, mutatorName, replacement, location } of played) {
    if (killed.has(id)) continue;
    const { start, end } = location;
    const before = (lines[start.line] ?? '').slice(
      start.column,
      start.line === end.line ? end.column : undefined,
    );
    const after = replacement.replaceAll(/\s+/g, ' ').slice(0, 100);
    const where = `${path}:${String(start.line + 1)}:${String(start.column + 1)}`;
    console.log(`${tried.has(id) ? '!' : '?'} ${where} ${mutatorName}: ${before} → ${after}`);
  }
  const count = played.filter(({ id }) => killed.has(id)).length;
  console.log(`mutants: ${path}: ${String(count)} of ${String(played.length)} noticed`);
}
