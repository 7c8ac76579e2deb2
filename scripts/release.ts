import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitOnError } from './support/exit-on-error.ts';
import { makeTypesIfStale } from './support/client-build.ts';
import { newVersion, newVersionOfPackage, type Archive } from './support/release-texts.ts';
import { sign } from './support/sign.ts';

const USAGE = 'npm run release -- 1.0.0';
const ARCHIVES = 'dist';
const YUNOHOST = 'deploy/yunohost/manifest.toml';

/**
 * Makes a version of the committed state: a commit with its number, its section of the changelog and the files for
 * later versions' tests, which pass with this version, too; from that commit the archives with their bill of materials
 * and digests, and the tests of the packed files; then the tag, and a commit of the package for YunoHost, which names
 * the digests. Publishes nothing. After a failure the commits stay, without the tag. `SIGNING_KEY`, the path of a key
 * of minisign or ssh, signs the digests.
 */
await exitOnError(async () => {
  const [version = '', ...others] = process.argv.slice(2);
  if (others.length > 0 || !/^\d+\.\d+\.\d+$/.test(version)) throw new Error(USAGE);
  assertReady(version);
  await makeTypesIfStale();
  run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version']);
  const hour = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
  rewrite('CHANGELOG.md', (text) => newVersion(text, version, hour.slice(0, 10)));
  if (!existsSync(join('test/released', version)))
    run(process.execPath, ['test/released/make.ts', version]);
  runTests(['test/released', 'test/database/old-sqlite.test.ts']);
  commit(`Release ${version}`, hour);
  // From the commit: the archives hold its source and its time, and a clone of the tag builds the same bytes.
  run(process.execPath, ['scripts/package.ts'], { VERSION: version, BUILD_DATE: hour });
  testArchive(version);
  const { SIGNING_KEY = '' } = process.env;
  if (SIGNING_KEY !== '') sign(join(ARCHIVES, 'SHA256SUMS'), SIGNING_KEY, `Rayonnage ${version}`);
  run('git', ['tag', '--annotate', `v${version}`, '--message', `Rayonnage ${version}`]);
  const archives = readArchives(version);
  rewrite(YUNOHOST, (text) => newVersionOfPackage(text, version, archives));
  commit(`Offer ${version} to YunoHost`, hour);
  console.log(`
Version ${version}: dist/, its commit with the tag v${version}, and one of the package for YunoHost. What remains:
  npm run prove -- archives --packed
  npm run prove -- container --packed
  docker buildx build --platform linux/amd64,linux/arm64 -f deploy/container/Containerfile -t rayonnage:${version} dist
  git push --follow-tags`);
});

function commit(message: string, hour: string): void {
  run('git', ['add', '--all']);
  run('git', ['commit', '--quiet', '--message', message], { GIT_COMMITTER_DATE: hour });
}

function assertReady(version: string): void {
  if (git('status', '--porcelain') !== '')
    throw new Error('There are changes that are in no commit.');
  if (git('tag', '--list', `v${version}`) !== '')
    throw new Error(`The version ${version} exists already.`);
}

function testArchive(version: string): void {
  const name = `rayonnage-${version}-linux-${process.arch}`;
  run('tar', ['-xJf', `${name}.tar.xz`], {}, ARCHIVES);
  runTests(['test/package/package.test.ts'], { ARCHIVE: resolve(ARCHIVES, name) });
}

function runTests(files: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const line = ['node_modules/vitest/vitest.mjs', 'run', ...files, '--project', 'server'];
  run(process.execPath, line, env);
}

function readArchives(version: string): Archive[] {
  const lines = readFileSync(join(ARCHIVES, 'SHA256SUMS'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [digest = '', name = ''] = line.split(/ +/);
    if (!name.includes(version)) throw new Error(`dist/: ${name}`);
    return { name, digest };
  });
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function git(...line: string[]): string {
  return execFileSync('git', line, { encoding: 'utf8' }).trim();
}

function run(
  command: string,
  line: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = '.',
): void {
  const { status } = spawnSync(command, line, {
    stdio: 'inherit',
    cwd,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ${line.join(' ')} has failed.`);
}
