import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { temporaryFolder } from '../support/database.ts';

/**
 * Runs the commands of a guide's block that contains a text, with a folder as the root; systemctl prints its
 * arguments.
 */
function play(guide: string, has: string, root: string) {
  const blocks = [...readFileSync(guide, 'utf8').matchAll(/^```sh\n([^]*?)^```/gm)];
  const [, commands = ''] = blocks.find(([, block = '']) => block.includes(has)) ?? [];
  expect(commands).not.toBe('');
  const inRoot = commands.replace(/(?<=[\s;'"])\/(?:etc|opt|root|var)\//g, `${root}$&`);
  const bin = join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  const log = join(root, 'systemctl.log');
  writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho "$*" >>${log}\n`, { mode: 0o755 });
  writeFileSync(join(bin, 'sudo'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const { status, stderr } = spawnSync('bash', ['--norc', '-ec', inRoot], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { status, stderr };
}

function makeFiles(root: string, ...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
}

const SYSTEMD = 'docs/running/systemd.md';
const UNITS = 'etc/systemd/system';

test('uninstalling leaves nothing that was installed', () => {
  const root = temporaryFolder();
  makeFiles(
    root,
    ...['rayonnage.service', 'rayonnage.service.d/override.conf', 'rayonnage-offsite.service']
      .concat('rayonnage-offsite.timer', 'rayonnage-offsite.service.d/override.conf')
      .map((name) => `${UNITS}/${name}`),
    ...['etc/rayonnage.conf', 'etc/rayonnage-offsite.conf', 'etc/rayonnage-offsite.password'],
    ...['opt/rayonnage-1.0.0-linux-x64/rayonnage', 'opt/rayonnage-1.1.0-linux-x64/rayonnage'],
    ...['var/lib/private/rayonnage/bibliotheque.sqlite', 'var/cache/private/rayonnage/one'],
    ...[
      'var/cache/private/rayonnage-offsite/two',
      'root/.cache/rayonnage/three',
      'opt/node/bin/node',
      `${UNITS}/other.service`,
    ],
  );
  expect(play(SYSTEMD, 'disable --now', root)).toEqual({ status: 0, stderr: '' });
  const left = globSync(['{etc,opt,var}/**', 'root/.cache/**'], { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  expect(left.sort()).toEqual(['node', 'other.service']);
  expect(readFileSync(join(root, 'systemctl.log'), 'utf8')).toBe(
    'disable --now rayonnage.service\ndisable --now rayonnage-offsite.timer\ndaemon-reload\n',
  );
});

test('uninstalling complains about no part that is absent', () => {
  const root = temporaryFolder();
  makeFiles(root, `${UNITS}/rayonnage.service`, 'opt/rayonnage-1.0.0-linux-x64/rayonnage');
  expect(play(SYSTEMD, 'disable --now', root)).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(join(root, UNITS))).toEqual([]);
});

test('a second household has its own folders, and copies elsewhere', () => {
  const root = temporaryFolder();
  mkdirSync(join(root, UNITS), { recursive: true });
  mkdirSync(join(root, 'opt/rayonnage'), { recursive: true });
  for (const unit of globSync('deploy/rayonnage*.{service,timer}'))
    cpSync(unit, join(root, 'opt/rayonnage', unit.replace('deploy/', '')));
  expect(play('docs/running/how-far.md', 'martin', root).stderr).toBe('');
  const units = readdirSync(join(root, UNITS)).sort();
  expect(units).toEqual(['martin-offsite.service', 'martin-offsite.timer', 'martin.service']);
  const settings = units
    .flatMap((unit) => readFileSync(join(root, UNITS, unit), 'utf8').split('\n'))
    .filter((line) => /^\w+=/.test(line));
  expect(settings.filter((line) => line.includes('rayonnage'))).toEqual([
    'ExecStart=/opt/rayonnage/rayonnage',
  ]);
  expect(settings).toContain(
    'ExecStart=/usr/bin/restic backup --tag martin --host martin %S/martin/sauvegardes',
  );
});

test('the image’s file leaves what an engine tells of processors to its stages', () => {
  // BuildKit of Docker 20.10 takes such an argument before the first stage as empty.
  const [before = ''] = readFileSync('deploy/container/Containerfile', 'utf8').split(/^FROM /m);
  expect(before.match(/^ARG \w+/gm)).toEqual(['ARG BASE']);
});

test('no compose file lets strangers edit the catalogue', () => {
  for (const file of atLeastOne(globSync('deploy/container/*/compose.yaml'))) {
    const text = readFileSync(file, 'utf8');
    const services = text.split(/^ +image: rayonnage$/m).length - 1;
    const choices = text.match(
      /^ +(?:ACCOUNTS: (?:oui|\$\{ACCOUNTS:\?[^}]+\})|image: docker\.io\/authelia.*)$/gm,
    );
    expect([file, choices?.length]).toEqual([file, file.includes('households') ? 2 : services]);
  }
});
