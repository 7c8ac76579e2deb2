import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { temporaryFolder } from '../support/database.ts';

const PACKAGE = 'deploy/yunohost';
const read = (path: string) => readFileSync(`${PACKAGE}/${path}`, 'utf8');

test('YunoHost’s package has its own licence, pictures and maintainer', () => {
  expect(read('LICENSE')).toBe(readFileSync('LICENSE', 'utf8'));
  const pictures = globSync('*', { cwd: `${PACKAGE}/doc/screenshots` });
  expect(pictures.length).toBeGreaterThan(0);
  for (const picture of pictures)
    expect([picture, readFileSync(`${PACKAGE}/doc/screenshots/${picture}`)]).toEqual([
      picture,
      readFileSync(`static/screenshots/${picture}`),
    ]);
  expect(read('manifest.toml')).toMatch(/^maintainers = \["\w+/m);
});

test('the archives of a release match YunoHost’s update patterns', () => {
  const manifest = read('manifest.toml');
  for (const [arch, name] of [
    ['amd64', 'rayonnage-1.2.3-linux-x64.tar.xz'],
    ['arm64', 'rayonnage-1.2.3-linux-arm64.tar.xz'],
  ] as const) {
    const [, pattern = ''] =
      new RegExp(`autoupdate\\.asset\\.${arch} = "(.+)"`).exec(manifest) ?? [];
    expect(name).toMatch(new RegExp(JSON.parse(`"${pattern}"`) as string));
  }
});

test('the guide’s command writes addresses into the manifest', () => {
  const guide = readFileSync('docs/running/yunohost.md', 'utf8');
  const [command = ''] = /^while [^]*?SHA256SUMS$/m.exec(guide) ?? [];
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dist'));
  const [x64, arm64] = ['a'.repeat(64), 'b'.repeat(64)];
  const name = (arch: string) => `rayonnage-1.0.0+28cf73b-linux-${arch}.tar.xz`;
  writeFileSync(
    join(folder, 'dist/SHA256SUMS'),
    `${x64}  ${name('x64')}\n${arm64}  ${name('arm64')}\n`,
  );
  cpSync(PACKAGE, join(folder, PACKAGE), { recursive: true });
  execFileSync('bash', ['-c', command], { cwd: folder });
  const [before, after] = [PACKAGE, join(folder, PACKAGE)].map((place) =>
    readFileSync(`${place}/manifest.toml`, 'utf8').split('\n'),
  );
  expect(after?.filter((line) => !before?.includes(line))).toEqual([
    `amd64.url = "http://127.0.0.1:8000/${name('x64')}"`,
    `amd64.sha256 = "${x64}"`,
    `arm64.url = "http://127.0.0.1:8000/${name('arm64')}"`,
    `arm64.sha256 = "${arm64}"`,
  ]);
});

test.each(['fr', 'en'])('the scripts know the first line of a service in %s', (language) => {
  const messages = JSON.parse(readFileSync(`messages/${language}.json`, 'utf8')) as {
    operator_start_open: string;
  };
  const [, pattern = ''] = /--wait_until="([^"]+)"/.exec(read('scripts/_common.sh')) ?? [];
  const line = messages.operator_start_open.replace('{url}', 'http://127.0.0.1:3000');
  expect(
    execFileSync('grep', ['--extended-regexp', pattern], { input: line, encoding: 'utf8' }),
  ).toBe(`${line}\n`);
});

test('the package fulfils the rules of YunoHost’s linter', () => {
  const manifest = read('manifest.toml');
  expect(manifest).toMatch(/^packaging_format = 2$/m);
  expect(manifest).toMatch(/^version = "\d+(?:\.\d+)*~ynh\d+"$/m);
  expect(manifest).toMatch(/^helpers_version = "2\.1"$/m);
  const descriptions = [...manifest.matchAll(/^description\.\w+ = "(.*)"$/gm)];
  for (const [, text = ''] of atLeastOne(descriptions))
    expect(text.length).toBeLessThanOrEqual(150);
  const scripts = globSync('*', { cwd: `${PACKAGE}/scripts` }).sort();
  expect(scripts).toEqual([
    '_common.sh',
    'backup',
    'change_url',
    'install',
    'remove',
    'restore',
    'upgrade',
  ]);
  for (const script of scripts) {
    execFileSync('bash', ['-n', `${PACKAGE}/scripts/${script}`]);
    // Done by the helpers of version 2.1, or in the manifest.
    expect(read(`scripts/${script}`), script).not.toMatch(
      /ynh_abort_if_errors|\bsudo\b|\bapt(?:-get)? install|\bsystemctl (?:start|stop)|\/etc\/init\.d/,
    );
  }
  const nginx = read('conf/nginx.conf');
  expect(nginx).not.toMatch(/add_header|\$scheme = http\b/);
  expect(nginx).toContain('#sub_path_only');
  expect(read('conf/systemd.service')).not.toMatch(/^Environment=.*(?:pass|secret|key)/im);
});
