import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

/**
 * `npm run mutants [-- path…] [--minutes N]`: changes the rules of each room in many small ways, one at a time, and says
 * which changes no test notices. With parts of paths, in those files only; with a time, file by file in an order drawn
 * anew, as many as fit into it.
 */

/** Tests without a service try a mutant a hundred times as quickly: the few with one are last. */
const OF_SHARED = [
  'test/{format,isbn,issn,sort}/*.test.ts',
  'test/text/text.unit.test.ts',
  'test/auteurs/rules.test.ts',
  'test/couvertures-device/batch.unit.test.ts',
  'test/http/refusal.unit.test.ts',
  'test/numeros/{dates,index,matching-line,next-numero}{,.unit}.test.ts',
  'test/prets/emprunteurs.test.ts',
  'test/recherche/{editions,shared-page}{,.unit}.test.ts',
  'test/sync/absent-fields.unit.test.ts',
  'test/series/{arrange,fit,gaps,titres,titres-tomes}{,.unit}.test.ts',
  'test/emplacements/tree.test.ts',
  'test/catalogue/{word-index,criteria,orders,near,global-search,catalogue}{,.unit}.test.ts',
  'test/souhaits/{noms,export}{,.unit}.test.ts',
  'test/modifications/told.test.ts',
];

/** The tests of a room, in order, where they are not those of the test folder of the same name. */
const TESTS: Readonly<Partial<Record<string, readonly string[]>>> = {
  shared: OF_SHARED,
  'server/subjects/couvertures': [
    // Without a service.
    'test/couvertures/{address,image,rules,writes,folder,library,decoding}{,.unit}.test.ts',
    'test/couvertures/{sources,offers,decoder,known,screens,autres,choisies}{,.unit}.test.ts',
    'test/couvertures/{fetcher,queue,failures,etat,lost,fetching,owner}{,.unit}.test.ts',
  ],
  'server/subjects/installation': [
    'test/{bibliotheque,moi,resume,sante,version}/*.test.ts',
    'test/http/documentation.test.ts',
  ],
  // `server/subjects/importations` proves what comes back from an archive.
  'server/subjects/export': [
    'test/export/{page,archive,lists,export,slow-reader,pictures}{,.unit}.test.ts',
  ],
  'server/subjects/importations': [
    // Without a service.
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

const roomOf = (path: string): string =>
  /^shared|^server\/subjects\/[\w-]+/.exec(path)?.[0] ?? path;

const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' } },
});
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
  const tests = TESTS[room] ?? [`test/${room.replace('server/subjects/', '')}/*.test.ts`];
  const [only = room] = sources.length === 1 ? sources : [];
  // Read by the configuration, in the processes that play the tests.
  process.env['MUTANT_TESTS'] = tests
    .flatMap((pattern) => globSync(pattern))
    .filter((path) => !setsTimeZone(path))
    .join('\n');
  await new Stryker({
    mutate: [...sources],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // What runs while a file is loaded would be tried by all tests, in a process of its own.
    ignoreStatic: true,
    tempDirName: `${FOLDER}/copy`,
    // Stryker leaves `.svelte-kit` out by default, and the tests of src/ read its type settings.
    ignorePatterns: ['.cache', 'build', 'dist', 'data', '!.svelte-kit'],
    reporters: ['clear-text', 'html'],
    clearTextReporter: { allowColor: false, logTests: false },
    htmlReporter: { fileName: `${FOLDER}/${only.replaceAll('/', '-')}.html` },
  }).runMutationTest();
}

/** Whether a test sets the time zone, which is impossible in a thread, where Stryker plays it. */
function setsTimeZone(path: string): boolean {
  return readFileSync(path, 'utf8').includes("'TZ'");
}
