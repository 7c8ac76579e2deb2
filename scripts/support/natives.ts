import { hash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { LICENCE_FILE } from './bill.ts';
import { NATIVE } from './server-build.ts';

export type Arch = 'x64' | 'arm64';

const Names = Type.Optional(Type.Record(Type.String(), Type.String()));

const LockedPackage = Type.Object({
  version: Type.String(),
  integrity: Type.String(),
  dependencies: Names,
  optionalDependencies: Names,
});
type LockedPackage = Static<typeof LockedPackage>;

const LockFile = Type.Object({ packages: Type.Record(Type.String(), Type.Unknown()) });

/** Files of a package that are never run: sources, other platforms, ES modules, types. */
const NOT_RUN = /\/(?:src|deps|install|types|test|doc|docs)$|\.(?:md|map|gyp|h|mjs|[cm]?ts)$/;

/**
 * Puts the packages with native code, and their dependencies, into a folder's `node_modules`, for Linux with glibc:
 * this machine's own from its `node_modules`, the others from the registry, compared with package-lock.json.
 */
export function copyNatives(folder: string, arch: Arch): void {
  const locked = readLock();
  for (const name of neededNames(locked, arch)) {
    const target = join(folder, 'node_modules', name);
    const here = join('node_modules', name);
    if (existsSync(here)) copy(here, target, arch);
    else fetchPackage(name, locked(name), (unpacked) => copy(unpacked, target, arch));
  }
}

type Lock = (name: string) => LockedPackage;

function readLock(): Lock {
  const lock: unknown = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const { packages } = Value.Parse(LockFile, lock);
  return (name) => Value.Parse(LockedPackage, packages[`node_modules/${name}`]);
}

function neededNames(locked: Lock, arch: Arch): Set<string> {
  const needed = new Set<string>(NATIVE);
  for (const name of needed) {
    const { dependencies = {}, optionalDependencies = {} } = locked(name);
    // The headers to compile better-sqlite3.
    for (const each of Object.keys(dependencies)) if (each !== 'node-addon-api') needed.add(each);
    for (const each of Object.keys(optionalDependencies))
      if (each.endsWith(`-linux-${arch}`)) needed.add(each);
  }
  return needed;
}

/** Licence files; libvips has a table of its libraries' licences. */
const isLicence = (path: string): boolean =>
  LICENCE_FILE.test(basename(path)) || /sharp-libvips[^/]*\/README\.md$/.test(path);

function copy(from: string, to: string, arch: Arch): void {
  const isOther = (path: string) =>
    /\/prebuilds\/.+/.test(path) && !path.endsWith(`/prebuilds/linux-${arch}.node`);
  cpSync(from, to, {
    recursive: true,
    filter: (path, target) =>
      path === from || isLicence(target) || !(NOT_RUN.test(path) || isOther(path)),
  });
}

function fetchPackage(
  name: string,
  { version, integrity }: LockedPackage,
  use: (folder: string) => void,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  try {
    const line = ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`];
    const file = join(folder, execFileSync('npm', line, { encoding: 'utf8' }).trim());
    if (`sha512-${hash('sha512', readFileSync(file), 'base64')}` !== integrity)
      throw new Error(`${name} is not what package-lock.json asks for.`);
    mkdirSync(join(folder, 'unpacked'));
    execFileSync('tar', ['-xzf', file, '-C', join(folder, 'unpacked'), '--strip-components=1']);
    use(join(folder, 'unpacked'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
