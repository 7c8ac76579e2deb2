import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { describeCheckout } from '../../scripts/support/commit.ts';
import { makeIfStale } from '../../scripts/support/targets.ts';
import { version, type BuildSettings } from '../../scripts/support/settings.ts';
import { pack } from '../../scripts/support/pack.ts';
import { packSource } from '../../scripts/support/source.ts';
import { temporaryFolder } from '../support/database.ts';

const DATE = new Date('2026-11-20T08:00:00Z');

/** An unpacked archive, whose files were written in this order, with these modes and times. */
function folderOf(names: readonly string[], mode: number, seconds: number): string {
  const folder = join(temporaryFolder(), 'rayonnage-1.0.0-linux-x64');
  mkdirSync(join(folder, 'server'), { recursive: true });
  for (const name of names) {
    const path = join(folder, name);
    writeFileSync(path, `${name}\n`);
    chmodSync(path, mode);
    utimesSync(path, seconds, seconds);
  }
  return folder;
}

/** A checkout with a commit, a change, a new file and the files of a build. */
function checkout({ isClone }: { isClone: boolean }): string {
  const folder = temporaryFolder();
  const git = (...line: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org', ...line], {
      cwd: folder,
    });
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write('.gitignore', 'node_modules/\nbuild/\n');
  write('server/main.ts', 'one');
  if (isClone) {
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'One');
  }
  write('server/main.ts', 'changed');
  write('server/new.ts', 'new');
  write('node_modules/a/index.js', 'a package');
  write('build/server/main.js', 'built');
  return folder;
}

test.each([true, false])('the packed source is the built one (a clone: %s)', async (isClone) => {
  const folder = checkout({ isClone });
  const file = join(temporaryFolder(), 'source.tar.gz');
  await packSource(file, folder);
  const unpacked = temporaryFolder();
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', unpacked]);
  expect(readdirSync(unpacked).sort()).toEqual(['.gitignore', 'server']);
  expect(readdirSync(join(unpacked, 'server')).sort()).toEqual(['main.ts', 'new.ts']);
  expect(readFileSync(join(unpacked, 'server/main.ts'), 'utf8')).toBe('changed');
});

/** The source alone, with the packages. */
async function unpackedSource(): Promise<string> {
  const file = join(temporaryFolder(), 'source.tar.gz');
  await packSource(file);
  const folder = temporaryFolder();
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', folder]);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

const run = (cwd: string, ...line: string[]): string =>
  execFileSync(process.execPath, line, { cwd, encoding: 'utf8' });

test('the service is built from its source alone, before any other command has run', async () => {
  const folder = await unpackedSource();
  run(folder, 'scripts/messages.ts');
  run(
    folder,
    '--eval',
    "import('./scripts/support/server-build.ts').then((it) => it.buildServerIfStale())",
  );
  expect(readdirSync(join(folder, 'build/server'))).toContain('main.js');
});

test('the builds of all languages find Kit’s tsconfig before any of them has run', async () => {
  const folder = await unpackedSource();
  run(folder, 'scripts/messages.ts');
  run(
    folder,
    '--eval',
    "import('./scripts/support/client-build.ts').then((it) => it.makeTypesIfStale())",
  );
  expect(readdirSync(join(folder, '.svelte-kit'))).toContain('tsconfig.json');
});

test('a longer proof finds Kit’s tsconfig before any other command has run', async () => {
  const folder = await unpackedSource();
  run(folder, 'scripts/messages.ts');
  run(folder, 'scripts/prove.ts', 'simulate', '--seeds', '0');
  expect(readdirSync(join(folder, '.svelte-kit'))).toContain('tsconfig.json');
});

test('two builds differ by their sources and their settings', async () => {
  const folder = temporaryFolder();
  const source = join(folder, 'a.ts');
  const built: string[] = [];
  const build = async (text: string, settings: BuildSettings) => {
    writeFileSync(source, text);
    const made = join(folder, 'made');
    const note = (id: string) => Promise.resolve(void built.push(id));
    await makeIfStale({ sources: [source], made, settings, make: note });
  };
  await build('one', {});
  await build('two', {});
  await build('two', { CONTACT_EMAIL: 'ana@example.org' });
  await build('one', {});
  expect(new Set(built).size).toBe(3);
  expect(built[3]).toBe(built[0]);
  for (const id of built) {
    const { construction } = version({}, id);
    expect(construction).toBe(id);
    expect(id).toMatch(/^[\da-f]{16}$/);
  }
});

test('package.json names no host that does not exist', () => {
  expect(JSON.stringify(manifest)).not.toContain('.example');
});

test('equal content makes equal archives, with any times and modes', () => {
  const one = folderOf(['server/main.js', 'a', 'b'], 0o644, 1_000_000);
  const other = folderOf(['b', 'a', 'server/main.js'], 0o600, 2_000_000);
  expect(readFileSync(pack(one, DATE)).equals(readFileSync(pack(other, DATE)))).toBe(true);
});

test('a build is named after commit, tag or change', () => {
  const folder = temporaryFolder();
  const git = (...line: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org', ...line], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_COMMITTER_DATE: DATE.toISOString() },
    }).trim();
  const { version } = manifest;
  git('init', '--quiet');
  writeFileSync(join(folder, 'a'), 'one');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'One');
  const commit = `${version}+${git('rev-parse', 'HEAD').slice(0, 7)}`;
  expect(describeCheckout(folder)).toEqual({ version: commit, date: DATE.toISOString() });

  git('tag', `v${version}`);
  expect(describeCheckout(folder)).toEqual({ version, date: DATE.toISOString() });

  writeFileSync(join(folder, 'a'), 'two');
  const changed = describeCheckout(folder).version;
  expect(changed).toMatch(/\+[0-9a-f]{7}\.[0-9a-f]{7}$/);
  expect(changed.startsWith(commit)).toBe(true);
  writeFileSync(join(folder, 'b'), 'a new one');
  expect(describeCheckout(folder).version).not.toBe(changed);
});
