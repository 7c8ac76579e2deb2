import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';

/** Stubs of YunoHost's helpers (version 2.1), which only handle the files that these scripts name. */
const HELPERS = `
set -eu
ynh_script_progression() { :; }
ynh_print_info() { :; }
ynh_print_warn() { echo "$1" >>"$root/warnings"; }
ynh_hide_warnings() { "$@"; }
ynh_exec_as_app() { "$@"; }
ynh_app_setting_get() { [ "$1" != --key=do_not_backup_data ] || echo "\${DO_NOT_BACKUP_DATA:-}"; }
ynh_config_add_nginx() { :; }
ynh_config_add_systemd() { :; }
ynh_config_remove_nginx() { :; }
ynh_config_remove_systemd() { :; }
yunohost() { :; }
chown() { :; }
ynh_setup_source() { cp "$root/next" "$install_dir/version"; }
ynh_safe_rm() { case $1 in "$root"/*) rm -rf "$1" ;; *) echo "$1" >>"$root/removed" ;; esac; }
ynh_systemctl() { case "$*" in *start*) "$install_dir/rayonnage" serve ;; esac; }
is_data() { case $1 in "$data_dir"*) return 0 ;; *) return 1 ;; esac; }
ynh_backup() {
  if is_data "$1" && [ "\${BACKUP_CORE_ONLY:-0}" -eq 1 -o "\${DO_NOT_BACKUP_DATA:-0}" -eq 1 ]; then return 0; fi
  mkdir -p "$YNH_CWD$(dirname "$1")"
  cp -r "$1" "$YNH_CWD$1"
}
ynh_restore() {
  if [ ! -e "$YNH_CWD$1" ]; then is_data "$1"; return; fi
  if [ -e "$1" ]; then rm -rf "$1"; fi
  mkdir -p "$(dirname "$1")"
  cp -r "$YNH_CWD$1" "$1"
}
`;

/**
 * A stub of the service. Its database is one line, « 2 32 books », beginning with the schema; an older service
 * refuses it.
 */
const SERVICE = `#!/bin/bash
set -eu
version=$(cat "$(dirname "$0")/version")
database=$root/data/bibliotheque.sqlite
refuse_newer() { [ "$(cut -c 1 "$database")" -le "$version" ]; }
case $1 in
  backup) refuse_newer; mkdir -p "$2"; cp "$database" "$2/rayonnage-$RANDOM$RANDOM.zip" ;;
  restore) [ -f "$2" ]; cp "$2" "$database" ;;
  accounts) [ "$(cut -c 1 "$database")" = "$version" ] ;;
  serve)
    [ -e "$database" ] || echo "$version empty" >"$database"
    refuse_newer
    sed -i "s/^./$version/" "$database"
    [ ! -e "$root/fails" ]
    ;;
esac
`;

let root = '';

beforeEach(() => {
  root = temporaryFolder();
  for (const folder of ['data', 'install', 'settings/scripts'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'helpers'), HELPERS);
  writeFileSync(join(root, 'install/rayonnage'), SERVICE);
  chmodSync(join(root, 'install/rayonnage'), 0o755);
  install(1);
  writeFileSync(join(root, 'next'), '2\n');
  cpSync('deploy/yunohost/scripts', join(root, 'settings/scripts'), { recursive: true });
});

const install = (version: number) => writeFileSync(join(root, 'install/version'), `${version}\n`);
const write = (library: string) => writeFileSync(join(root, 'data/bibliotheque.sqlite'), library);
const library = () => readFileSync(join(root, 'data/bibliotheque.sqlite'), 'utf8').trim();
const inData = () => readdirSync(join(root, 'data')).sort();

/** Runs one of the package's scripts as the core does; returns whether it succeeded. */
function run(script: string, archive: string, settings: Record<string, string> = {}): boolean {
  const cwd = join(root, archive);
  const work = ['backup', 'restore'].includes(script) ? cwd : join(root, 'settings/scripts');
  mkdirSync(cwd, { recursive: true });
  const text = readFileSync(join(root, 'settings/scripts', script), 'utf8');
  const { status } = spawnSync(
    'bash',
    ['-c', text.replace('/usr/share/yunohost/helpers', join(root, 'helpers'))],
    {
      cwd: work,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        root,
        app: 'rayonnage',
        data_dir: join(root, 'data'),
        install_dir: join(root, 'install'),
        YNH_CWD: cwd,
        ...settings,
      },
    },
  );
  return status === 0;
}

const SAFETY = { BACKUP_CORE_ONLY: '1' };

test('a restore brings the library that its archive holds', () => {
  write('1 30 books');
  expect(run('backup', 'archive')).toBe(true);
  write('1 32 books');
  expect(run('restore', 'archive')).toBe(true);
  expect(library()).toBe('1 30 books');
  expect(inData()).toEqual(['bibliotheque.sqlite']);
});

test.each([SAFETY, { DO_NOT_BACKUP_DATA: '1' }])(
  'an archive without the library leaves the newer one: %o',
  (settings) => {
    write('1 30 books');
    run('backup', 'older');
    write('1 32 books');
    expect(run('backup', 'archive', settings)).toBe(true);
    write('1 33 books');
    expect(run('restore', 'archive')).toBe(true);
    expect(library()).toBe('1 33 books');
  },
);

test('an archive without the library opens an empty one elsewhere', () => {
  write('1 30 books');
  run('backup', 'archive', SAFETY);
  rmSync(join(root, 'data/bibliotheque.sqlite'));
  rmSync(join(root, 'data/yunohost'), { recursive: true, force: true });
  expect(run('restore', 'archive')).toBe(true);
  expect(library()).toBe('1 empty');
  expect(readFileSync(join(root, 'warnings'), 'utf8')).toContain('no library');
});

/** An upgrade to the second version that fails, so that the core restores the first one. */
function failToUpgrade(then: () => void = () => undefined): void {
  write('1 32 books');
  run('backup', 'archive', SAFETY);
  writeFileSync(join(root, 'fails'), '');
  expect(run('upgrade', '.')).toBe(false);
  rmSync(join(root, 'fails'));
  run('remove', '.');
  install(1);
  then();
  expect(run('restore', 'archive')).toBe(true);
}

test('a failed upgrade restores the previous library', () => {
  failToUpgrade();
  expect(library()).toBe('1 32 books');
  expect(inData()).toEqual(['bibliotheque.sqlite']);
});

test('a readable library stays after a failed upgrade', () => {
  failToUpgrade(() => write('1 33 books'));
  expect(library()).toBe('1 33 books');
});

test('an upgrade that succeeds leaves no copy of its own', () => {
  write('1 32 books');
  expect(run('upgrade', '.')).toBe(true);
  expect([library(), inData()]).toEqual(['2 32 books', ['bibliotheque.sqlite']]);
});

test('backups do not pile up beside the library', () => {
  write('1 32 books');
  for (const archive of ['one', 'two', 'three']) run('backup', archive);
  expect(readdirSync(join(root, 'data/yunohost'))).toHaveLength(1);
  run('backup', 'four', SAFETY);
  expect(inData()).toEqual(['bibliotheque.sqlite']);
});

test('a removal takes the cache of compiled code along', () => {
  expect(run('remove', '.')).toBe(true);
  expect(readFileSync(join(root, 'removed'), 'utf8')).toContain('/var/cache/rayonnage\n');
});
