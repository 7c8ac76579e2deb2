// @module-tag process
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { temporaryFolder } from '../support/database.ts';
import { built, COMPILED } from '../support/process.ts';
import { makeHousehold } from '../backup/support.ts';

/** The source of a command that is not bundled. */
const source = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Runs a command to its end. `fileBlocks` limits the size of its files, in blocks of 1024 bytes. */
async function runCommand(
  [script = '', ...args]: readonly string[],
  settings: Readonly<Record<string, string>>,
  fileBlocks = 'unlimited',
) {
  const line = `trap '' XFSZ; ulimit -f ${fileBlocks}; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', line, process.execPath, script, ...args], {
    env: { ...COMPILED, PATH: process.env['PATH'], LANG: 'en_GB.UTF-8', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, error };
}

/** Technical text that a message must not contain: error codes, stacks, names of system calls. */
const RAW = /\bE[A-Z]{3,}\b|SQLITE|^\s+at |unable to open|no such table|\berrno\b|mkdir|node:/m;

interface Place {
  readonly file: string;
  readonly folder: string;
}

/** Unusable paths, by kind. */
const PATHS: Readonly<Record<string, (place: Place) => string>> = {
  'below /proc': () => '/proc/nope',
  'deep below /proc': () => '/proc/nope/and/more',
  'in /sys': () => '/sys/nope',
  'below a file': ({ file }) => join(file, 'more'),
  'a file or a folder in its place': ({ file }) => file,
  'a device': () => '/dev/full',
  'of a name without end': ({ folder }) => join(folder, 'x'.repeat(300)),
};

const names = atLeastOne(Object.keys(PATHS));

/** The kinds for which the system fails in different ways. */
const someNames = names.filter((_, index) => index % 2 === 0);

function place(): Place {
  const folder = temporaryFolder();
  const file = join(folder, 'notes.txt');
  writeFileSync(file, 'Some notes, and nothing else.\n'.repeat(60));
  return { file, folder };
}

/** Expects an exit with one plain sentence. */
function expectRefused({ code, error }: Awaited<ReturnType<typeof runCommand>>): void {
  expect(error).not.toMatch(RAW);
  expect(error.trim()).not.toBe('');
  expect(error.trimEnd().split('\n')).toHaveLength(1);
  expect(code).toBe(1);
}

test.each(names)(
  'a backup to a path that takes none is refused in a sentence: %s',
  async (name) => {
    const { path } = makeHousehold();
    expectRefused(
      await runCommand([built('backup'), PATHS[name]?.(place()) ?? ''], { DATABASE_PATH: path }),
    );
  },
);

test.each(names)('a restore from an unusable path is refused with a sentence: %s', async (name) => {
  const { path } = makeHousehold();
  expectRefused(
    await runCommand([built('restore'), PATHS[name]?.(place()) ?? ''], { DATABASE_PATH: path }),
  );
});

test.each(names.filter((name) => !name.startsWith('a file')))(
  'an import of a path that is none is refused in a sentence: %s',
  async (name) => {
    const settings = { DATABASE_PATH: makeHousehold().path, PORT: '1' };
    const ran = await runCommand([built('import'), PATHS[name]?.(place()) ?? ''], settings);
    expectRefused(ran);
  },
);

test.each(names)(
  'ISBN ranges from an unusable path are refused with a sentence: %s',
  async (name) => {
    expectRefused(
      await runCommand([source('scripts/isbn-ranges.ts'), PATHS[name]?.(place()) ?? ''], {}),
    );
  },
);

test.each(
  someNames.flatMap((name) =>
    ['backup', 'restore', 'import', 'accounts'].map((command) => [command, name] as const),
  ),
)('%s is refused in a sentence with a database %s', async (command, name) => {
  const { file, folder } = place();
  const settings = { DATABASE_PATH: PATHS[name]?.({ file, folder }) ?? '', PORT: '1' };
  const list = join(folder, 'list.csv');
  writeFileSync(list, 'Titre\nNadja\n');
  const backup = join(folder, 'backup.zip');
  writeFileSync(backup, 'PK');
  const args = { backup: [join(folder, 'backups')], restore: [backup], import: [list] };
  const given = command === 'accounts' ? [] : args[command as keyof typeof args];
  expectRefused(await runCommand([built(command), ...given], settings));
});

test.each(someNames)('the doctor explains in sentences a database %s', async (name) => {
  const settings = { DATABASE_PATH: PATHS[name]?.(place()) ?? '' };
  const ran = await runCommand([built('doctor'), 'http://127.0.0.1:1/'], settings);
  expect(ran.out.replace('(ECONNREFUSED)', '')).not.toMatch(RAW);
  expect(ran.error).toBe('');
  expect(ran.code).toBe(1);
});

test('an option unknown to the doctor prints its usage', async () => {
  const ran = await runCommand([built('doctor'), '--nothing', 'http://127.0.0.1:1/'], {});
  expect(ran.code).toBe(1);
  expect(ran.error).not.toMatch(RAW);
  expect(ran.error).toMatch(/--nothing.*\n.*doctor \[/);
});

test.each(someNames)(
  'a start with a path that takes nothing is refused in a sentence: %s',
  async (name) => {
    const folder = temporaryFolder();
    const DATABASE_PATH = join(folder, 'maison.sqlite');
    for (const setting of ['COVERS_PATH', 'BACKUP_PATH'])
      expectRefused(
        await runCommand([built('main')], {
          DATABASE_PATH,
          PORT: '0',
          [setting]: PATHS[name]?.(place()) ?? '',
        }),
      );
  },
);

test('the demo without a folder for its files is refused in a sentence', async () => {
  expectRefused(await runCommand([source('demo/main.ts')], { TMPDIR: '/proc/nope' }));
});

test('a folder in the place of a file is reported', async () => {
  const { path, folder } = makeHousehold();
  const beside = join(folder, 'beside');
  mkdirSync(beside);
  const settings = { DATABASE_PATH: path, PORT: '1' };
  for (const command of [[built('import')], [built('restore')], [source('scripts/isbn-ranges.ts')]])
    expectRefused(await runCommand([...command, beside], settings));
});

test.each(['0', '64', '300'])(
  'a backup on a disk full after %s kB is refused in a sentence',
  async (blocks) => {
    const { path, backups } = makeHousehold();
    expectRefused(await runCommand([built('backup'), backups], { DATABASE_PATH: path }, blocks));
  },
);
