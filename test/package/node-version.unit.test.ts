import { execFileSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { missingNode } from '../../scripts/support/node-version.mjs';

const on = (node: string, platform: string, arch: string, glibcVersionRuntime?: string) =>
  missingNode({
    versions: { node },
    platform,
    arch,
    report: { getReport: () => ({ header: { glibcVersionRuntime } }) },
  });

test('the least version is reported if a Node cannot run the project', () => {
  expect(on('24.0.0', 'darwin', 'arm64')).toBeNull();
  expect(on('20.19.0', 'linux', 'arm64', '2.36')).toBeNull();
  expect(on('18.20.4', 'linux', 'x64', '2.36')).toBe(20);
  expect(on('22.1.0', 'darwin', 'arm64')).toBe(24);
  expect(on('22.1.0', 'linux', 'riscv64', '2.36')).toBe(24);
  // With musl, npm's binaries do not work: they need the other C library.
  expect(on('22.1.0', 'linux', 'x64')).toBe(24);
});

test('without Node the archive’s command says where to get it', () => {
  const command = resolve('deploy/rayonnage');
  const run = (env: Readonly<Record<string, string>>) => () =>
    execFileSync('/bin/sh', [command], {
      env: { PATH: '/bin:/usr/bin', NODE: join(dirname(command), 'rien'), ...env },
      stdio: 'pipe',
    });
  expect(run({})).toThrow(/demande Node\.js 24[^]*https:\/\/nodejs\.org\/en\/download/);
  expect(run({ LANG: 'C.UTF-8' })).toThrow(/demande Node\.js 24/);
  expect(run({ LANG: 'en_GB.UTF-8' })).toThrow(/needs Node\.js 24/);
  expect(run({ LANG: 'de_DE.UTF-8' })).toThrow(/needs Node\.js 24/);
  expect(run({ LANG: 'de_DE.UTF-8', LANGUAGE: 'fr' })).toThrow(/demande Node\.js 24/);
});
