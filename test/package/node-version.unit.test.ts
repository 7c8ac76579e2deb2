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

test('a Node that cannot run the project is told', () => {
  expect(on('24.0.0', 'darwin', 'arm64')).toBeNull();
  expect(on('20.19.0', 'linux', 'arm64', '2.36')).toBeNull();
  expect(on('18.20.4', 'linux', 'x64', '2.36')).toMatch(/Node 20 .*18\.20\.4.*nodejs\.org/);
  expect(on('22.1.0', 'darwin', 'arm64')).toMatch(/Node 24 .*22\.1\.0/);
  expect(on('22.1.0', 'linux', 'riscv64', '2.36')).toMatch(/Node 24/);
  // musl: what npm brings is linked against the other C library.
  expect(on('22.1.0', 'linux', 'x64')).toMatch(/Node 24/);
});

test('without Node the archive’s command tells where to get it', () => {
  const command = resolve('deploy/rayonnage');
  const run = () =>
    execFileSync('/bin/sh', [command], {
      env: { PATH: '/bin:/usr/bin', NODE: join(dirname(command), 'rien') },
      stdio: 'pipe',
    });
  expect(run).toThrow(/Node\.js 24[^]*https:\/\/nodejs\.org\/en\/download/);
});
