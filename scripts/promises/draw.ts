import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { sample, shuffledSubarray } from 'fast-check';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { startVitest } from 'vitest/node';
import { ADVICE, partsOfProof, type Proof, type Section } from '../support/promises.ts';
import { logger } from '../mutants/logger.ts';
import type {} from './runner.ts';

// Can the tests of a sentence fail? A mutant breaks its rule in code of its section that its tests run, and one of
// them has to fail.

/** A sentence of the rules, with its tests that need no browser. */
interface Candidate {
  readonly name: string;
  readonly code: readonly string[];
  readonly tests: readonly NamedTest[];
}

interface NamedTest {
  readonly file: string;
  /** Matches the whole title; the cases of a title with placeholders match any text. */
  readonly title: RegExp;
}

interface Outcome {
  readonly name: string;
  /** The mutants tried so far; the last one was killed if the sentence is red. */
  readonly tried: readonly string[];
  readonly isRed: boolean;
}

/** A sentence counts as green after this many surviving mutants. */
const MAX_MUTANTS = 3;

/** Draws more sentences than needed, since some have no test that runs code of their section in its own process. */
const SPARE = 1.4;

/** Mutations that break no rule (a changed text), or everything (an emptied statement, list or block). */
const NO_RULES = ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'BlockStatement'];

/**
 * Large writes run in a thread of the bundled service, which contains no switches. While promises are broken, writes of
 * any size run in the process of their test.
 */
const WRITES = {
  path: resolve('server/plumbing/writes/writes.ts'),
  bound: 'const MAX_HERE = 100;',
  without: 'const MAX_HERE = Infinity;',
};

/** Tests that run the built application, which contains no switches. */
const BUILT = /^test\/(?:browser|e2e|pictures|webkit)\//;

/** The timeout of a test, after which it counts as red. */
const TIMEOUT_MS = 60_000;

const Covered = Type.Object({ test: Type.String(), mutants: Type.Array(Type.String()) });

interface Draw {
  readonly outcomes: readonly Outcome[];
  /** Tests that failed without a mutant: their sentences have no outcome. */
  readonly broken: readonly string[];
}

/** @param count the number of sentences to draw */
export async function breakPromises(
  sections: readonly Section[],
  proofs: ReadonlyMap<string, readonly Proof[]>,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Draw> {
  const candidates = candidatesOf(sections, proofs);
  const drawn = draw(candidates, Math.ceil(count * SPARE), seed);
  const mutated = await mutate([...new Set(drawn.flatMap(({ code }) => code))]);
  const played = await play(drawn, mutated, {});
  const rules = drawn
    .map((candidate) => {
      const tests = [...played.covered.keys()].filter((key) => isOf(candidate, key));
      const ids = new Set(tests.flatMap((key) => played.covered.get(key) ?? []));
      return { candidate, tests, ids };
    })
    .filter(
      ({ candidate, tests, ids }) =>
        !tests.some((test) => played.failed.has(test)) &&
        [...ids].some((id) => candidate.code.includes(pathOf(mutated, id))),
    )
    .slice(0, count);
  const hits = new Map<string, number>();
  for (const id of [...played.covered.values()].flat()) hits.set(id, (hits.get(id) ?? 0) + 1);
  const left = rules.map(({ candidate, tests, ids }) => {
    const own = [...ids].filter((id) => candidate.code.includes(pathOf(mutated, id)));
    const ownHits = tests.map((test) => new Set(played.covered.get(test)));
    const hitsOfOthers = (id: string) =>
      (hits.get(id) ?? 0) - ownHits.filter((covered) => covered.has(id)).length;
    // The most specific mutants are those that few tests of other sentences cover.
    const mutants = draw(own, own.length, seed)
      .toSorted((a, b) => hitsOfOthers(a) - hitsOfOthers(b))
      .slice(0, MAX_MUTANTS);
    return { name: candidate.name, tests, mutants, tried: [] as string[], isRed: false };
  });
  for (;;) {
    const mutantOf = new Map<string, string>();
    const turn = left.filter(({ isRed, mutants, tests }) => {
      const [next] = mutants;
      // A test has one mutant at a time: a test of two sentences is run again.
      if (isRed || next === undefined || tests.some((test) => mutantOf.has(test))) return false;
      for (const test of tests) mutantOf.set(test, next);
      return true;
    });
    if (turn.length === 0) break;
    const names = new Set(turn.map(({ name }) => name));
    const some = drawn.filter(({ name }) => names.has(name));
    const { failed } = await play(some, mutated, Object.fromEntries(mutantOf));
    for (const rule of turn) {
      const id = rule.mutants.shift() ?? '';
      rule.tried.push(mutated.mutants.get(id)?.description ?? id);
      rule.isRed = rule.tests.some((test) => failed.has(test));
    }
  }
  return { outcomes: left, broken: [...played.failed] };
}

/** At most `count` items, in an order that depends on the seed. */
function draw<T>(items: readonly T[], count: number, seed: number): T[] {
  const length = Math.min(count, items.length);
  const some = shuffledSubarray([...items], { minLength: length, maxLength: length });
  return sample(some, { seed, numRuns: 1 })[0] ?? [];
}

function candidatesOf(
  sections: readonly Section[],
  proofs: ReadonlyMap<string, readonly Proof[]>,
): Candidate[] {
  return sections.flatMap(({ heading, sentences, code }) => {
    const files = code.flatMap(filesIn);
    return sentences.flatMap((sentence) => {
      const tests = (proofs.get(sentence) ?? [])
        .filter((proof) => proof !== ADVICE)
        .map(partsOfProof)
        .filter(({ file }) => !BUILT.test(file))
        .map(({ file, title }) => ({ file, title: patternOf(title) }));
      const name = `${heading}: ${sentence}`;
      return tests.length > 0 && files.length > 0 ? [{ name, code: files, tests }] : [];
    });
  });
}

/** The sources of a file or a folder. */
const filesIn = (path: string): string[] => {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return globSync(isFolder ? `${path}/**/*.ts` : path).filter((file) => file.endsWith('.ts'));
};

const patternOf = (title: string): RegExp =>
  new RegExp(
    title
      .split(/(?:%[a-z#]|\$\{[^}]*\}|\$[\w.]+)/)
      .map((part) =>
        part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`),
      )
      .join('.*'),
  );

const isOf = ({ tests }: Candidate, key: string): boolean =>
  tests.some(({ file, title }) => {
    if (!key.startsWith(`${file} `)) return false;
    return new RegExp(`^${title.source}$`, 's').test(key.slice(file.length + 1));
  });

interface Mutated {
  readonly sources: ReadonlyMap<string, string>;
  readonly mutants: ReadonlyMap<string, { readonly path: string; readonly description: string }>;
}

const pathOf = ({ mutants }: Mutated, id: string): string => mutants.get(id)?.path ?? '';

async function mutate(paths: readonly string[]): Promise<Mutated> {
  const texts = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  const { files, mutants } = await new Instrumenter(logger).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, ignorers: [], excludedMutations: NO_RULES },
  );
  const describe = ({ fileName, location, mutatorName, replacement }: (typeof mutants)[number]) => {
    const { start, end } = location;
    const line = (texts.get(fileName) ?? '').split('\n')[start.line] ?? '';
    const before = line.slice(start.column, start.line === end.line ? end.column : undefined);
    const after = replacement.replaceAll(/\s+/g, ' ').slice(0, 100);
    return `${fileName}:${String(start.line + 1)} ${mutatorName}: ${before} → ${after}`;
  };
  return {
    sources: new Map(files.map(({ name, content }) => [resolve(name), content])),
    mutants: new Map(
      mutants.map((one) => [one.id, { path: one.fileName, description: describe(one) }]),
    ),
  };
}

/** The instrumented source of a module; `null` for any other one. */
function loaded(sources: Mutated['sources'], path: string): string | null {
  const source = sources.get(path) ?? null;
  if (path !== WRITES.path) return source;
  const [before, after, ...more] = (source ?? readFileSync(path, 'utf8')).split(WRITES.bound);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${path} does not contain “${WRITES.bound}” once`);
  return before + WRITES.without + after;
}

interface Played {
  /** The mutants covered by each test. */
  readonly covered: ReadonlyMap<string, readonly string[]>;
  readonly failed: ReadonlySet<string>;
}

/** Runs the tests of sentences, each with its mutant active. */
async function play(
  candidates: readonly Candidate[],
  { sources }: Mutated,
  mutantOf: Readonly<Record<string, string>>,
): Promise<Played> {
  const tests = candidates.flatMap((candidate) => candidate.tests);
  mkdirSync('.cache/promises', { recursive: true });
  const folder = mkdtempSync(resolve('.cache/promises/played-'));
  const coverageFile = join(folder, 'coverage');
  const vitest = await startVitest(
    [],
    {
      config: false,
      run: true,
      watch: false,
      strictTags: false,
      fsModuleCache: false,
      isolate: false,
      pool: 'forks',
      testTimeout: TIMEOUT_MS,
      hookTimeout: TIMEOUT_MS,
      expect: { poll: { timeout: 10_000 } },
      include: [...new Set(tests.map(({ file }) => file))],
      testNamePattern: new RegExp(tests.map(({ title }) => `(?:${title.source})$`).join('|'), 's'),
      globalSetup: 'test/support/build-server.ts',
      // The files of a worker share its globals: without it a fake clock would outlive its file.
      setupFiles: 'test/support/real-clock.ts',
      alias: { '#server/plumbing/paths': resolve('test/support/paths.ts') },
      runner: resolve('scripts/promises/runner.ts'),
      reporters: [{}],
      provide: {
        runsFactor: 0.2,
        seed: 20_261_120,
        randomTimeout: TIMEOUT_MS,
        coverageFile,
        mutantOf,
      },
    },
    {
      plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => loaded(sources, id) }],
    },
  );
  const modules = vitest.state.getTestModules();
  const failed = modules.flatMap((module) =>
    [...module.children.allTests('failed')].map(
      (test) => `${module.relativeModuleId} ${test.name}`,
    ),
  );
  const errors = modules.flatMap((module) => module.errors().map(({ message }) => message));
  await vitest.close();
  const lines = errors.length > 0 ? [] : readFileSync(coverageFile, 'utf8').trim().split('\n');
  rmSync(folder, { recursive: true });
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const covered = lines.map((line) => Parse(Covered, JSON.parse(line)));
  return {
    covered: new Map(covered.map(({ test, mutants }) => [test, mutants])),
    failed: new Set(failed),
  };
}
