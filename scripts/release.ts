import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitOnError } from './support/exit-on-error.ts';
import { newVersion, newVersionOfPackage, type Archive } from './support/release-texts.ts';
import { sign } from './support/sign.ts';

const USAGE = 'npm run release -- 1.0.0';
const ARCHIVES = 'dist';
const YUNOHOST = 'deploy/yunohost/manifest.toml';

/**
 * Makes a version of the committed state: its number and its section of the changelog, the archives with their bill
 * of materials and digests, the tests of the packed files, the files for later versions' tests, which pass with this
 * version, too, the package for YunoHost; then one commit and one tag, without publishing them. After a failure the
 * changes stay, uncommitted. `SIGNING_KEY`, the path of a key of minisign or ssh, signs the digests.
 */
await exitOnError(() => {
  const [version = '', ...others] = process.argv.slice(2);
  if (others.length > 0 || !/^\d+\.\d+\.\d+$/.test(version)) throw new Error(USAGE);
  assertReady(version);
  run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version']);
  // The commit gets the archives' time, so that another build of it is byte-identical.
  const hour = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
  rewrite('CHANGELOG.md', (text) => newVersion(text, version, hour.slice(0, 10)));
  run(process.execPath, ['scripts/package.ts'], { VERSION: version, BUILD_DATE: hour });
  testArchive(version);
  const { SIGNING_KEY = '' } = process.env;
  if (SIGNING_KEY !== '') sign(join(ARCHIVES, 'SHA256SUMS'), SIGNING_KEY, `Rayonnage ${version}`);
  // After the build, which generates the types that this reads.
  if (!existsSync(join('test/released', version)))
    run(process.execPath, ['test/released/make.ts', version]);
  runTests(['test/released', 'test/database/old-sqlite.test.ts']);
  const archives = readArchives(version);
  rewrite(YUNOHOST, (text) => newVersionOfPackage(text, version, archives));
  run('git', ['add', '--all']);
  run('git', ['commit', '--quiet', '--message', `Release ${version}`], {
    GIT_COMMITTER_DATE: hour,
  });
  run('git', ['tag', '--annotate', `v${version}`, '--message', `Rayonnage ${version}`]);
  console.log(`
Version ${version}: dist/, a commit and the tag v${version}. What remains:
  npm run prove -- archives --packed
  npm run prove -- container --packed
  docker buildx build --platform linux/amd64,linux/arm64 -f deploy/container/Containerfile -t rayonnage:${version} dist
  git push --follow-tags`);
  return Promise.resolve();
});

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
