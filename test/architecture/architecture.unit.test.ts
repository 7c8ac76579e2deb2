import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { projectOf } from '../../scripts/support/chosen-tests.ts';
import { circles, mutualClientFolders, serverRooms } from './circles.ts';
import { modules, readSources } from './modules.ts';
import { breaches, leadsOn, rules, sharedTables } from './rules.ts';

const house = modules(readSources());

test('no module breaks a boundary of docs/architecture.md', () => {
  expect(breaches(house)).toEqual([]);
});

test('every navigation after a response has a scenario that leaves its screen first', () => {
  const scenario = readFileSync('test/e2e/late-answers.test.ts', 'utf8');
  const listed = new Set(
    Array.from(
      scenario.matchAll(/\bof: '([^']+)'|search\('([^']+)'/g),
      (match) => `src/${match[1] ?? match[2] ?? ''}`,
    ),
  );
  const leading = house.filter(leadsOn).map(({ path }) => path);
  expect(leading.length).toBeGreaterThan(5);
  expect([...listed].sort()).toEqual(leading.sort());
});

test('each table is written by one module of the server', () => {
  expect(sharedTables(house)).toEqual([]);
});

test('no files import each other in a cycle', () => {
  expect(circles(house)).toEqual([]);
});

test('the server’s modules import each other in one direction only', () => {
  expect(circles(serverRooms(house))).toEqual([]);
});

test('the client’s folders import each other in one direction only', () => {
  expect(mutualClientFolders(house)).toEqual([]);
});

/** The modules of these folders, and those of them that a module loads, directly or not. */
function loadedBy(first: string, folders: string) {
  const sources = [...readSources(folders)].map(
    ([path, text]) => [path, text.replaceAll(/^\s*import type .*?;$/gms, '')] as const,
  );
  const loaded = new Map(modules(new Map(sources)).map((module) => [module.path, module]));
  const reached = new Set([first]);
  for (const path of reached)
    for (const imported of loaded.get(path)?.imports ?? []) reached.add(imported);
  return { loaded, reached };
}

test('a button loads little besides itself', () => {
  const { reached } = loadedBy('src/lib/ui/controls/Button.svelte', '{shared,src}');
  const ours = [...reached].filter((path) => /^(?:shared|src)\/(?!lib\/paraglide)/.test(path));
  expect(ours.length).toBeGreaterThan(1);
  expect(ours.length, ours.join(' ')).toBeLessThanOrEqual(15);
});

test('the worker of long writes loads every module that declares one', () => {
  const { loaded, reached } = loadedBy('server/start/long-write.ts', '{shared,server}');
  const declaring = [...loaded.values()]
    .filter(
      ({ path, source }) =>
        path.includes('/subjects/') &&
        /\b(?:operation|internalOperation)\([^]*\bholder: '/.test(source),
    )
    .map(({ path }) => path);
  expect(declaring).toContain('server/subjects/lots.ts');
  expect(declaring.filter((path) => !reached.has(path))).toEqual([]);
});

/** The building blocks, each with its importers. */
const PARTS: [name: string, folder: string][] = [
  ['rxdb', 'src/'],
  ['rxjs', 'src/'],
  ['dexie', 'src/'],
  ['svelte', 'src/'],
  ['@sveltejs/kit', 'src/'],
  ['fastify', 'server/'],
  ['@fastify/sensible', 'server/'],
  ['better-sqlite3', 'server/'],
  ['undici', 'server/'],
  ['fast-xml-parser', 'server/'],
  ['typebox', 'shared/'],
  ['vitest', 'test/'],
];

test.each(PARTS)('%s is imported in %s', (name, folder) => {
  const room = folder === 'test/' ? modules(readSources('test')) : house;
  const users = room.filter(
    ({ path, imports }) => path.startsWith(folder) && imports.includes(name),
  );
  expect(users).not.toEqual([]);
});

/** Features of a building block, by the folder that must use them. */
const USES: [use: string, folder: string, source: RegExp][] = [
  ['an RxDatabase', 'src/lib/sync/', /\bcreateRxDatabase\(/],
  ['the replication of RxDB', 'src/lib/sync/', /\breplicateRxCollection</],
  ['an observable of RxDB', 'src/lib/sync/', /\beventBulks\$\.pipe\(/],
  ['its state of being active', 'src/lib/sync/', /\bactive\$\s*\.pipe\(/],
  ['the plugin of @fastify/sensible', 'server/', /\.register\(sensible\)/],
  ['its assert', 'server/', /\bapp\.assert\(/],
  ['its errors', 'server/', /\bhttpErrors\.\w+\(/],
];

test.each(USES)('%s is used in %s', (_use, folder, pattern) => {
  const users = house.filter(({ path, source }) => path.startsWith(folder) && pattern.test(source));
  expect(users).not.toEqual([]);
});

test('the sources of both programs and of shared/ are read', () => {
  for (const folder of ['src/', 'shared/', 'server/'])
    expect(house.filter(({ path }) => path.startsWith(folder)).length).toBeGreaterThan(10);
});

/** A module that breaks each rule, by the rule's name; no other rule may report it. */
const wrong: Record<string, [path: string, source: string]> = {
  'every file has a place': ['server/livres.ts', ''],
  'src/lib/ui and src/lib/frame know no subject': [
    'src/lib/ui/Button.svelte',
    '<script lang="ts">\n  import { livresView } from "$lib/records/livres/view.svelte";\n</script>',
  ],
  'src/lib/records knows no screen': [
    'src/lib/records/livres/kind.svelte.ts',
    "import { addition } from '$lib/livres/add/livre-addition.svelte';",
  ],
  'a record and its revision are read together, by src/lib/records/rewrite.ts, or by the conflict of a form':
    [
      'src/lib/series/ElementOrder.svelte',
      '<script lang="ts">\n  const seen = views().revisionOf("series", 1);\n</script>',
    ],
  'what a module remembers is made by perIdentity of src/lib/sync/identity.svelte.ts': [
    'src/lib/complements/filling.svelte.ts',
    'export const filling = new Filling();',
  ],
  'work that nobody waits for is handed to unawaited of src/lib/sync/report.ts': [
    'src/lib/livres/LivreList.svelte',
    '<script lang="ts">\n  if (saved !== null) void goto(address);\n</script>',
  ],
  'src and server know each other by shared alone': [
    'src/lib/records/livres/view.svelte.ts',
    "import type { Database } from '../../../../server/database/database.ts';",
  ],
  'shared is pure: typebox and itself': [
    'shared/livres.ts',
    "import { readFileSync } from 'node:fs';",
  ],
  'shapes are composed without the type engine of TypeBox': [
    'shared/livres.ts',
    "const Short = Type.Pick(Livre, ['id']);",
  ],
  'routes of a subject stand last in its file': [
    'server/subjects/prets.ts',
    'export const routes = () => undefined;\nexport const preter = () => 1;',
  ],
  'only the app mounts routes': [
    'server/main.ts',
    "import { routes } from '#server/subjects/livres/routes';",
  ],
  'better-sqlite3 in database only': [
    'server/subjects/livres/store.ts',
    "import Sqlite from 'better-sqlite3';",
  ],
  'a function that takes a Reader writes nothing': [
    'server/subjects/livres/store.ts',
    "const forget = (database: Reader): string[] =>\n  database.values('DELETE FROM Livre RETURNING titre');",
  ],
  'sharp in the process that decodes only': [
    'server/subjects/livres/domain.ts',
    "const { default: sharp } = await import('sharp');",
  ],
  'who waits for an answer is known by whileAwaited of http/request.ts, not by request.signal': [
    'server/subjects/livres/routes.ts',
    'const asker = { owner: callerKeyOf(request), signal: request.signal };',
  ],
  'upstream is called by subjects only': [
    'server/plumbing/http/mount.ts',
    "import { parIsbn } from '#server/plumbing/upstream/bnf/isbn';",
  ],
  'texts are normalised in shared/text.ts only': [
    'server/subjects/livres/domain.ts',
    "export const clean = (titre: string) => titre.normalize('NFC');",
  ],
  'nothing of the application is made of its workshop': [
    'src/lib/prets/PretRow.svelte',
    '<script lang="ts">\n  import Part from \'../../atelier/Part.svelte\';\n</script>',
  ],
  'links are made by src/lib/format/address.ts': [
    'src/lib/prets/PretRow.svelte',
    '<Row {id} href="/livres/{livre.id}" />',
  ],
  'rxdb and dexie in src/lib/sync only': [
    'src/routes/+page.svelte',
    '<script lang="ts">\n  import { addRxPlugin } from "rxdb/plugins/core";\n</script>',
  ],
  'the API is asked in src/lib/api only': [
    'src/lib/records/prets/view.svelte.ts',
    "export const lire = () => fetch('/api/prets/en-cours');",
  ],
  'screens ask no more of a browser than docs/running.md says': [
    'src/lib/format/code-errors.ts',
    'const protocol = URL.parse(text)?.protocol;',
  ],
  'what an answer leads to is handed to Action, or to whileHere of src/lib/ui/this-screen.ts': [
    'src/routes/series/ajouter/+page.svelte',
    '<script lang="ts">\n  async function save() {\n    const { id } = await ajouter(entry);\n    await goto(hrefOf(id));\n  }\n</script>',
  ],
  'whether somebody is still here is known to Action and whileHere': [
    'src/lib/couvertures/PictureInput.svelte',
    '<script lang="ts">\n  let isHere = true;\n  onDestroy(() => (isHere = false));\n</script>',
  ],
  'forms, drafts, conflicts and sheets are those of src/lib/ui': [
    'src/lib/prets/PretRow.svelte',
    '<script lang="ts">\n  announcement = await focusError(form);\n</script>',
  ],
  'the focus is led by src/lib/ui': [
    'src/lib/prets/PretRow.svelte',
    '<script lang="ts">\n  const open = () => void tick().then(() => field?.focus());\n</script>',
  ],
  'what is dark is said in src/styles': [
    'src/lib/livres/LivreList.svelte',
    '<style>\n  @media (prefers-color-scheme: dark) {\n    .row { color: white; }\n  }\n</style>',
  ],
  'a control is disabled by disableWithReason, which leaves it the focus': [
    'src/lib/prets/PretRow.svelte',
    '<Button disabled={ids.length === 0 || action.pending} onclick={rendre}>Rendre</Button>',
  ],
  'what a browser may lack or refuse is asked for by browserPart of src/lib/sync/this-device.ts': [
    'src/lib/sync/lead.ts',
    "if ('locks' in navigator) await navigator.locks.request('copy', hold);",
  ],
  'no list is keyed by words, which may stand in it twice': [
    'src/lib/livres/LivreList.svelte',
    '{#each chips as { label, without } (label)}<li>{label}</li>{/each}',
  ],
  'the environment is read in server/config.ts only': [
    'server/plumbing/http/identity.ts',
    "const user = process.env['SIMULATED_USER'];",
  ],
};

describe('a broken boundary is reported', () => {
  test.each(rules.map(({ name }) => name))('%s', (name) => {
    const [path, source] = wrong[name] ?? ['', ''];
    const targets = [
      'server/plumbing/database/database.ts',
      'src/lib/records/livres/view.svelte.ts',
      'src/lib/livres/add/livre-addition.svelte.ts',
      'server/subjects/prets.ts',
      'server/subjects/livres/routes.ts',
      'server/subjects/livres/record.ts',
      'server/subjects/livres/store.ts',
      'server/plumbing/upstream/bnf/isbn.ts',
    ];
    const sources = new Map([...targets.map((target) => [target, ''] as const), [path, source]]);
    const violations = breaches(modules(sources));
    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain(`(${name})`);
    expect(violations[0]).toContain(path);
  });

  test('module-level state of a component', () => {
    const component =
      '<script module lang="ts">\n  let last: number[] = [];\n</script>\n<script lang="ts">\n  let now = 0;\n</script>';
    const sources = new Map([['src/lib/livres/add/ScanSessionEnd.svelte', component]]);
    expect(breaches(modules(sources))).toEqual([
      'src/lib/livres/add/ScanSessionEnd.svelte: let last (what a module remembers is made by perIdentity of src/lib/sync/identity.svelte.ts)',
    ]);
  });

  test('a table that two modules write', () => {
    const sources = new Map([
      ['server/subjects/prets.ts', "tx.run('UPDATE Livre SET titre = ?', titre);"],
      ['server/subjects/livres/livres.ts', "insertRow(tx, 'Livre', row);"],
      ['server/subjects/livres/texts.ts', "tx.run('DELETE FROM Livre WHERE id = ?', id);"],
    ]);
    expect(sharedTables(modules(sources))).toEqual([
      'Livre: server/subjects/livres, server/subjects/prets',
    ]);
  });

  test('an import cycle, by types and re-exports too', () => {
    const sources = new Map([
      ['shared/a.ts', "export * from './b.ts';"],
      ['shared/b.ts', "import type { C } from '#shared/c';"],
      ['shared/c.ts', "export type C = import('./a.ts').A;"],
    ]);
    expect(circles(modules(sources))).toEqual([
      'shared/a.ts → shared/b.ts → shared/c.ts → shared/a.ts',
    ]);
  });
});

test('a test is called a unit test exactly if it opens no household', () => {
  const graph = new Map(
    modules(readSources('{server,shared,src,test}')).map(({ path, imports }) => [path, imports]),
  );
  const opensHouse = (path: string, seen = new Set<string>()): boolean => {
    if (path.startsWith('server/')) return true;
    if (seen.has(path)) return false;
    seen.add(path);
    return (graph.get(path) ?? []).some((next) => opensHouse(next, seen));
  };
  const inNode = [...graph.keys()].filter(
    (path) => path.endsWith('.test.ts') && ['unit', 'server'].includes(projectOf(path)),
  );
  expect(inNode.length).toBeGreaterThan(300);
  expect(inNode.filter((path) => opensHouse(path) === (projectOf(path) === 'unit'))).toEqual([]);
});
