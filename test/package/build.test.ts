import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { describeCheckout } from '../../scripts/support/commit.ts';
import { pack } from '../../scripts/support/pack.ts';
import { temporaryFolder } from '../support/database.ts';

const DATE = new Date('2026-11-20T08:00:00Z');

/** A folder of the archive, whose files were written in this order, with these rights and at this hour. */
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

test('equal content makes equal archives whatever its times and modes', () => {
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
