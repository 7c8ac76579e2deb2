import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startVitest } from 'vitest/node';
import type {} from '../test/support/random.ts';

/**
 * `npm run prove -- breakages`: breaks engine, journal and acts on purpose, one way at a time, and says
 * within how many seeds the simulation finds each.
 */

/** One change of the code: `before` stands there once. */
interface Breakage {
  readonly what: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const SEEDS = 200;
/** What `test/copy/random.test.ts` plays by itself. */
const QUICK = 20;

const BREAKAGES: readonly Breakage[] = [
  {
    what: 'a page is kept without its checkpoint in memory',
    path: 'src/lib/sync/copy.ts',
    before: '    this.checkpoint = checkpoint;\n  }\n\n  /** Reads it again',
    after: '    if (changes.length > 2) this.checkpoint = checkpoint;\n  }\n\n  /** Reads it again',
  },
  {
    what: 'an older change replaces a later one',
    path: 'src/lib/sync/copy.ts',
    before: 'held !== undefined && held > revision',
    after: 'held !== undefined && held < revision',
  },
  {
    what: 'a deletion does not come to the screen',
    path: 'src/lib/sync/copy.ts',
    before: 'held === undefined ? document !== null : held < revision',
    after: 'document !== null && (held === undefined || held < revision)',
  },
  {
    what: 'a checkpoint of another database is taken',
    path: 'server/sync/cursor.ts',
    before: 'if (origin !== database.epoque || furthest > now)',
    after: 'if (furthest > now)',
  },
  {
    what: 'a new reader keeps the cursor of the one before',
    path: 'server/sync/cursor.ts',
    before: 'reader === nameOf(database, utilisateur)',
    after: 'reader !== undefined',
  },
  {
    what: 'personal records are not in a page',
    path: 'server/sync/changes.ts',
    before: "OR utilisateur = @owner AND utilisateur <> '')",
    after: "OR utilisateur = @owner AND utilisateur = '')",
  },
  {
    what: 'a page ends one change too early',
    path: 'server/sync/changes.ts',
    before: 'withDocuments(records, rows.slice(0, limit).map(toLine))',
    after: 'withDocuments(records, rows.slice(0, Math.max(1, limit - 1)).map(toLine))',
  },
  {
    what: 'If-Match is not looked at',
    path: 'server/writes/writes.ts',
    before: "if (record === undefined || method === 'POST'",
    after: "if (record !== undefined || method === 'POST'",
  },
  {
    what: 'a restored backup keeps its epoch',
    path: 'server/database/backup/restore.ts',
    before: 'if (has === undefined) return;',
    after: 'if (has !== undefined) return;',
  },
  {
    what: 'an act can be taken back twice',
    path: 'server/modifications/domain/annulation.ts',
    before: 'store.markAnnulee(database, undone.id, newId);',
    after: 'store.markAnnulee(database, undone.id, null);',
  },
];

const [asked] = process.argv.slice(2);
if (asked === undefined)
  for (const nth of BREAKAGES.keys())
    spawnSync(process.execPath, ['scripts/breakages.ts', String(nth)], {
      stdio: 'inherit',
      env: { ...process.env, NO_STORY: '1' },
    });
else await tryOne(BREAKAGES[Number(asked)]);
process.exit();

async function tryOne(breakage: Breakage | undefined): Promise<void> {
  if (breakage === undefined) return;
  const { what, path, before, after } = breakage;
  const code = readFileSync(path, 'utf8');
  if (code.split(before).length !== 2) {
    console.log(`✗ ${what}: ${path} has changed, so must this breakage`);
    return;
  }
  const vitest = await startVitest(
    [],
    {
      config: false,
      run: true,
      watch: false,
      include: ['test/copy/random.test.ts'],
      reporters: [{}],
      provide: { runsFactor: SEEDS / QUICK, seed: 20_261_120 },
      testTimeout: 600_000,
    },
    {
      plugins: [
        {
          name: 'breakage',
          enforce: 'pre',
          load: (id) => (id === resolve(path) ? code.replace(before, () => after) : null),
        },
      ],
    },
  );
  const errors = vitest.state
    .getTestModules()
    .flatMap((module) => [...module.children.allTests('failed')])
    .flatMap((test) => test.result().errors ?? []);
  const [, seeds] = /^After (\d+) seeds/.exec(errors[0]?.message ?? '') ?? [];
  await vitest.close();
  const told =
    errors.length === 0 ? `not found in ${String(SEEDS)} seeds` : `found within ${seeds ?? '?'}`;
  console.log(`${errors.length === 0 ? '✗' : '✓'} ${what}: ${told}`);
}
