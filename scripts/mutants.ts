import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { modules, readSources } from '../test/architecture/modules.ts';
import { playShared } from './mutants/shared.ts';
import { makeTypesIfStale } from './support/client-build.ts';

/**
 * `npm run mutants [-- path…] [--tests part] [--minutes N]`: mutation testing of each module; lists the mutants that
 * no test kills. Parts of paths choose files, `--tests` the tests, `--minutes` plays files in a random order until
 * the time is over.
 */

/**
 * The tests for a file of `shared/`: those of this list that import it. A test with a service reaches every file and
 * is a hundred times as slow.
 */
const OF_SHARED = [
  'test/**/*.unit.test.ts',
  'test/auteurs/{rules,properties}.test.ts',
  'test/catalogue/{word-index,criteria,orders,near,global-search,catalogue}.test.ts',
  'test/couvertures/{address,rules}.test.ts',
  'test/emplacements/{rayon,tree}.test.ts',
  'test/http/{clean,fields}.test.ts',
  'test/identity/{codes,site}.test.ts',
  'test/isbn/written.test.ts',
  'test/lectures/years.test.ts',
  'test/livres/{doublons,entry}.test.ts',
  'test/numeros/{dates,index}.test.ts',
  'test/prets/emprunteurs.test.ts',
  'test/series/{arrange,fit,gaps}.test.ts',
  'test/sync/documents.test.ts',
];
/** Also played for each file with sentences of the history. */
const SENTENCES = 'test/modifications/told.test.ts';

/** The tests of a module in order, if not those of the test folder with its name. */
const TESTS: Readonly<Partial<Record<string, readonly string[]>>> = {
  'server/subjects/couvertures': [
    // Tests without a service.
    'test/couvertures/{address,image,rules,writes,folder,cover-store,decoding}{,.unit}.test.ts',
    'test/couvertures/{sources,offers,decoder,known,screens,autres,choisies}{,.unit}.test.ts',
    'test/couvertures/{fetcher,queue,failures,etat,lost,fetching,owner}{,.unit}.test.ts',
  ],
  'server/subjects/installation': [
    'test/{bibliotheque,moi,resume,sante,version}/*.test.ts',
    'test/http/documentation.test.ts',
  ],
  // `server/subjects/importations` tests what an archive restores.
  'server/subjects/export': [
    'test/export/{page,archive,lists,export,slow-reader,pictures}{,.unit}.test.ts',
  ],
  'server/subjects/importations': [
    // Tests without a service.
    'test/importations/{values,fields,columns,columns-of-others,codes,texts}{,.unit}.test.ts',
    'test/importations/{tables-read,mapping,asking,acts,pictures}{,.unit}.test.ts',
    'test/export/{reading,household,household-series}{,.unit}.test.ts',
    'test/importations/{planning,undoing,importations,undo,undo-others}{,.unit}.test.ts',
    'test/importations/{emplacements,formulas,tables}{,.unit}.test.ts',
    'test/modifications/importations.test.ts',
    'test/{emplacements/restoring,revues/restored,export/pictures}{,.unit}.test.ts',
  ],
  'server/subjects/livres': [
    'test/livres/*.test.ts',
    'test/series/serie-du-livre.test.ts',
    'test/emplacements/livres.test.ts',
    'test/export/lists.test.ts',
    'test/modifications/lot.test.ts',
  ],
  'server/subjects/lots': ['test/modifications/lot.test.ts'],
  'server/subjects/modifications': [
    'test/modifications/*.test.ts',
    'test/database/startup-pass.test.ts',
  ],
  'server/subjects/recherche': [
    'test/recherche/{results,matches,isbn,revue,titre}{,.unit}.test.ts',
    // Waits for sources that do not answer.
    'test/recherche/silence.test.ts',
  ],
  'server/subjects/revues': ['test/{revues,numeros}/*.test.ts'],
  'server/subjects/sauvegardes': ['test/backup/*.test.ts'],
  'server/subjects/souhaits': [
    'test/{souhaits,souhaits-revues}/*.test.ts',
    'test/series/missing-volume.test.ts',
  ],
};

const SOURCES = ['shared/*.ts', 'server/subjects/**/*.ts'];
const FOLDER = '.cache/mutants';

/** Tests are chosen for a room, or for a file of `shared/`. */
const roomOf = (path: string): string => /^server\/subjects\/[\w-]+/.exec(path)?.[0] ?? path;

const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' }, tests: { type: 'string' } },
});
await makeTypesIfStale();
const imports = importsOfFiles();
const isAsked = (path: string) =>
  filters.length === 0 || filters.some((part) => path.includes(part));
const paths = globSync(SOURCES).filter(isAsked).sort();
if (values.minutes === undefined)
  for (const [room, sources] of Map.groupBy(paths, roomOf)) await tryRoom(room, sources);
else await tryFor(Number(values.minutes) * 60_000);

async function tryFor(limitMs: number): Promise<void> {
  const began = performance.now();
  const spentMs = () => performance.now() - began;
  const left = paths
    .map((path) => ({ path, drawn: Math.random() }))
    .sort((a, b) => a.drawn - b.drawn);
  let tried = 0;
  for (const { path } of left) {
    if (tried > 0 && spentMs() + spentMs() / tried > limitMs) break;
    await tryRoom(roomOf(path), [path]);
    tried++;
  }
  console.log(
    `mutants: ${String(tried)} of ${String(paths.length)} files in ${(spentMs() / 60_000).toFixed(1)} min`,
  );
}

async function tryRoom(room: string, sources: readonly string[]): Promise<void> {
  const [only = room] = sources.length === 1 ? sources : [];
  const tests = testsOf(room).filter((path) => path.includes(values.tests ?? ''));
  if (room.startsWith('shared/')) {
    await playShared(room, tests);
    return;
  }
  // The configuration reads this in the processes that run the tests.
  process.env['MUTANT_TESTS'] = tests.filter((path) => !setsTimeZone(path)).join('\n');
  await new Stryker({
    mutate: [...sources],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // A mutant that runs at import would need a process of its own and all tests.
    ignoreStatic: true,
    tempDirName: `${FOLDER}/copy`,
    // Stryker leaves `.svelte-kit` out by default, and the tests of src/ read its type settings.
    ignorePatterns: ['.cache', 'build', 'dist', 'data', '!.svelte-kit'],
    reporters: ['clear-text', 'html'],
    clearTextReporter: { allowColor: false, logTests: false },
    htmlReporter: { fileName: `${FOLDER}/${only.replaceAll('/', '-')}.html` },
  }).runMutationTest();
}

function testsOf(room: string): readonly string[] {
  if (!room.startsWith('shared/')) {
    const tests = TESTS[room] ?? [`test/${room.replace('server/subjects/', '')}/*.test.ts`];
    return tests.flatMap((pattern) => globSync(pattern));
  }
  return [...OF_SHARED, SENTENCES]
    .flatMap((pattern) => globSync(pattern))
    .filter((test) => {
      if (test === SENTENCES) return /modification:|ChangeReader/.test(readFileSync(room, 'utf8'));
      const hasService = reachedBy(test).has('better-sqlite3');
      return reachedBy(test, (path) => !hasService || path.startsWith('shared/')).has(room);
    });
}

/** The imports of each file, without type imports. */
function importsOfFiles(): ReadonlyMap<string, readonly string[]> {
  const sources = [...readSources('{server,shared,src,test}')].map(
    ([path, text]) => [path, text.replaceAll(/^import type .*?;$/gms, '')] as const,
  );
  return new Map(modules(new Map(sources)).map(({ path, imports }) => [path, imports]));
}

/** The imports of a file, direct and indirect, among the given files. */
function reachedBy(
  path: string,
  counts: (path: string) => boolean = () => true,
  reached = new Set<string>(),
): ReadonlySet<string> {
  for (const next of imports.get(path) ?? [])
    if (counts(next) && !reached.has(next)) reachedBy(next, counts, reached.add(next));
  return reached;
}

/** Whether a test sets the time zone, which is impossible in a worker, where Stryker runs it. */
function setsTimeZone(path: string): boolean {
  return readFileSync(path, 'utf8').includes("'TZ'");
}
