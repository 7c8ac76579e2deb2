import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BaseSequencer, startVitest, type TestSpecification } from 'vitest/node';
import type {} from '../test/support/random.ts';
import { mutate, type Mutant } from './mutants/mutate.ts';

/**
 * `npm run mutants [-- path…]`: changes the rules of each room in many small ways, one at a time, and
 * says which changes no test notices. With parts of paths, in those files only.
 */

/** Tests that start no service try a mutant a hundred times as quickly: the few that do are last. */
const OF_SHARED = [
  'test/{format,isbn,issn,sort}/*.test.ts',
  'test/text/text.test.ts',
  'test/auteurs/{nom-inverse,rules}.test.ts',
  'test/couvertures-device/batch.test.ts',
  'test/http/refusal.test.ts',
  'test/numeros/{dates,index,matching-line,next-numero}.test.ts',
  'test/prets/emprunteurs.test.ts',
  'test/recherche/{editions,shared-page}.test.ts',
  'test/sync/absent-fields.test.ts',
  'test/series/{arrange,fit,gaps,titres,titres-tomes}.test.ts',
  'test/emplacements/tree.test.ts',
  'test/catalogue/{word-index,criteria,orders,near,global-search,catalogue}.test.ts',
  'test/souhaits/{noms,export}.test.ts',
  'test/modifications/told.test.ts',
];

/** Tests of a room, in their order, where they are not those of the test folder of the same name. */
const TESTS: Readonly<Partial<Record<string, readonly string[]>>> = {
  shared: OF_SHARED,
  'server/couvertures': [
    // Without a service.
    'test/couvertures/{address,image,rules,writes,folder,library,decoding}.test.ts',
    'test/couvertures/{sources,offers,decoder,known,screens,autres,choisies}.test.ts',
    'test/couvertures/{fetcher,queue,failures,etat,lost,fetching,owner}.test.ts',
  ],
  'server/documentation': ['test/http/documentation.test.ts'],
  // What comes back from an archive is proven of `server/importations`.
  'server/export': ['test/export/{page,archive,lists,export,slow-reader,pictures}.test.ts'],
  'server/importations': [
    // Without a service.
    'test/importations/{values,fields,columns,columns-of-others,codes,texts}.test.ts',
    'test/importations/{tables-read,mapping,asking,asking-names,acts,pictures}.test.ts',
    'test/export/{reading,household,household-series}.test.ts',
    'test/importations/{planning,undoing,importations,undo,undo-others}.test.ts',
    'test/importations/{emplacements,formulas,tables,inverted-names}.test.ts',
    'test/modifications/importations.test.ts',
    'test/{emplacements/restoring,revues/restored,export/pictures}.test.ts',
  ],
  'server/livres': [
    'test/livres/*.test.ts',
    'test/series/serie-du-livre.test.ts',
    'test/emplacements/livres.test.ts',
    'test/export/lists.test.ts',
    'test/modifications/lot.test.ts',
  ],
  'server/lots': ['test/modifications/lot.test.ts'],
  'server/modifications': ['test/modifications/*.test.ts', 'test/database/startup-pass.test.ts'],
  'server/recherche': [
    'test/recherche/{results,matches,isbn,revue,titre}.test.ts',
    // It waits for what does not answer.
    'test/recherche/silence.test.ts',
  ],
  'server/revues': ['test/{revues,numeros}/*.test.ts'],
  'server/sauvegardes': ['test/backup/*.test.ts'],
  'server/souhaits': [
    'test/{souhaits,souhaits-revues}/*.test.ts',
    'test/series/missing-volume.test.ts',
  ],
};

const SOURCES = ['shared/*.ts', 'server/*/domain.ts', 'server/*/domain/**/*.ts'];
const FOLDER = '.cache/mutants';

const roomOf = (path: string): string => /^shared|^server\/[^/]+/.exec(path)?.[0] ?? path;

const filters = process.argv.slice(2);
const isAsked = (path: string) =>
  filters.length === 0 || filters.some((part) => path.includes(part));
const paths = globSync(SOURCES).filter(isAsked).sort();
mkdirSync(FOLDER, { recursive: true });
const rooms = Map.groupBy(paths, roomOf);
for (const [room, sources] of rooms)
  if (rooms.size === 1) await tryRoom(room, sources);
  // A process a room: a second vitest in one would run the code that the first has transformed.
  else spawnSync(process.execPath, ['scripts/mutants.ts', ...sources], { stdio: 'inherit' });
process.exit();

async function tryRoom(room: string, sources: readonly string[]): Promise<void> {
  const name = `${FOLDER}/${room.replace('/', '-')}`;
  const mutants: Mutant[] = [];
  const codes = new Map<string, string>();
  for (const path of sources) {
    const made = mutate(path, readFileSync(path, 'utf8'), mutants.length);
    mutants.push(...made.mutants);
    codes.set(resolve(path), made.code);
  }
  writeFileSync(`${name}.log`, '');
  const tests = TESTS[room] ?? [`test/${room.replace('server/', '')}/*.test.ts`];
  const failed = await runTests(tests, codes, `${name}.log`);

  const findings = readFileSync(`${name}.log`, 'utf8');
  const [loaded, covered, killed] = ['loaded', 'covered', 'killed'].map(
    (finding) =>
      new Set(
        [...findings.matchAll(RegExp(`^(\\d+) ${finding}$`, 'gm'))].map(([, id]) => Number(id)),
      ),
  );
  // What runs while a file is loaded, and then never, has run before the mutant could be chosen.
  const tried = mutants.filter(({ id }) => covered?.has(id) || !loaded?.has(id));
  const survivors = tried.filter(({ id }) => !killed?.has(id));
  writeFileSync(
    `${name}.txt`,
    survivors.map((mutant) => told(mutant, covered?.has(mutant.id) ?? false)).join('\n'),
  );
  const score = (100 * (tried.length - survivors.length)) / tried.length;
  const unseen = survivors.filter(({ id }) => !covered?.has(id)).length;
  console.log(
    `${room}: ${score.toFixed(1)} % of ${tried.length} noticed, ${unseen} never run: ${name}.txt`,
  );
  for (const test of failed) console.log(`  not tried, as it fails on the unchanged code: ${test}`);
}

/** A survivor for the list: its place, the original and the replacement. */
function told({ path, line, column, original, replacement }: Mutant, isCovered: boolean): string {
  const where = `${path}:${line}:${column}${isCovered ? '' : ' (never run)'}`;
  return `${where}\n- ${original}\n+ ${replacement}\n`;
}

/** Runs the tests on the mutants; gives the names of those that fail on the unchanged code. */
async function runTests(
  tests: readonly string[],
  codes: ReadonlyMap<string, string>,
  mutantLog: string,
): Promise<string[]> {
  const vitest = await startVitest(
    [],
    {
      config: false,
      strictTags: false,
      run: true,
      watch: false,
      // It would keep the changed code, and run it again in place of another.
      fsModuleCache: false,
      include: [...tests],
      runner: './scripts/mutants/runner.ts',
      sequence: { sequencer: inOrderOf(tests) },
      reporters: [{}],
      // Few random cases: each is played for every mutant.
      provide: { runsFactor: 0.05, seed: 20_261_120, mutantLog },
      testTimeout: 20_000,
      hookTimeout: 5000,
      expect: { poll: { timeout: 3000 } },
      dangerouslyIgnoreUnhandledErrors: true,
    },
    { plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => codes.get(id) }] },
  );
  const modules = vitest.state.getTestModules();
  await vitest.close();
  return modules.flatMap((module) => [
    ...[...module.children.allTests('failed')].map(({ fullName }) => fullName),
    ...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`),
  ]);
}

/** Runs the files in the order of the patterns that name them. */
function inOrderOf(patterns: readonly string[]) {
  const order = patterns.flatMap((pattern) => globSync(pattern)).map((path) => resolve(path));
  const rank = ({ moduleId }: TestSpecification) => order.indexOf(moduleId);
  return class extends BaseSequencer {
    override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return Promise.resolve(files.sort((a, b) => rank(a) - rank(b)));
    }
  };
}
