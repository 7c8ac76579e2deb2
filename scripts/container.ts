import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitOnError } from './support/exit-on-error.ts';
import type { Arch } from './support/natives.ts';
import { runTool } from './support/run.ts';
import { ARCHES } from './support/stage.ts';

const FILE = 'deploy/container/Containerfile';
const IMAGE = 'localhost/rayonnage';
/** Built if the published base image is out of reach, from the same Debian packages and this Node. */
const OWN_BASE = 'localhost/rayonnage-base';
const BASE_PACKAGES = 'base-files,ca-certificates,libc6,libgcc-s1,libstdc++6,netbase,tzdata';

const MAX_BYTES = 250_000_000;

/** Container engines' names of processors. */
const PLATFORMS: Readonly<Record<Arch, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The kernel's names of processors, and the folder where it lists those that it emulates. */
const MACHINES: Readonly<Record<Arch, string>> = { x64: 'x86_64', arm64: 'aarch64' };
const EMULATORS = '/proc/sys/fs/binfmt_misc';

/**
 * `npm run prove -- container [--packed] [--arch arm64]`: builds the image from the archives, with `--packed` from
 * those of `dist/`, and plays its test with what an engine would give it and no more. An image for another processor
 * runs where the system emulates that (Debian’s qemu-user-static).
 */
await exitOnError(async () => {
  const { values } = parseArgs({
    options: {
      packed: { type: 'boolean', default: false },
      arch: { type: 'string', default: process.arch },
    },
  });
  const arch = ARCHES.find((each) => each === values.arch);
  if (arch === undefined) throw new Error(`--arch: ${ARCHES.join(', ')}`);
  assertTools(arch);
  if (!values.packed) runScript('scripts/package.ts');
  buildImage(arch);
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-image-'));
  chmodSync(folder, 0o755);
  try {
    unpackImage(folder);
    tellSize(folder);
    const { ok } = await runTool(
      'vitest/vitest.mjs',
      ['run', 'test/package/container.test.ts', '--project', 'server'],
      'live',
      { ...process.env, IMAGE: folder },
    );
    if (!ok) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function assertTools(arch: Arch): void {
  const missing = ['buildah', 'mmdebstrap', 'bwrap'].filter(
    (tool) => spawnSync(tool, ['--version']).error !== undefined,
  );
  if (missing.length > 0 || process.getuid?.() !== 0)
    throw new Error(
      'This needs Debian, root, and: apt install buildah mmdebstrap bubblewrap netavark',
    );
  const machine = MACHINES[arch];
  if (arch !== process.arch && !existsSync(`${EMULATORS}/qemu-${machine}`))
    throw new Error(
      `The kernel does not emulate ${machine}: apt install qemu-user-static, and without systemd\n` +
        `  mount -t binfmt_misc binfmt_misc ${EMULATORS}\n` +
        `  cat /usr/lib/binfmt.d/qemu-${machine}.conf > ${EMULATORS}/register`,
    );
}

function runScript(path: string): void {
  const { status } = spawnSync(process.execPath, [path], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${path}: ${String(status)}`);
}

function buildah(...line: string[]): string {
  return execFileSync('buildah', line, { encoding: 'utf8', stdio: 'pipe' }).trim();
}

function buildImage(arch: Arch): void {
  const [, published = ''] = /^ARG BASE=(.+)$/m.exec(readFileSync(FILE, 'utf8')) ?? [];
  const platform = `linux/${PLATFORMS[arch]}`;
  const pulled = spawnSync('buildah', ['pull', '--quiet', '--platform', platform, published]);
  const isThere = pulled.status === 0;
  if (!isThere) makeBase(arch);
  buildah(
    'build',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--platform',
    platform,
    '--build-arg',
    `BASE=${isThere ? published : OWN_BASE}`,
    '--file',
    FILE,
    '--tag',
    IMAGE,
    'dist',
  );
}

function makeBase(arch: Arch): void {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-base-'));
  try {
    const tar = join(folder, 'base.tar');
    const docs = '--dpkgopt=path-exclude=/usr/share/doc/*';
    const line = ['--variant=extract', `--include=${BASE_PACKAGES}`, docs, 'bookworm', tar];
    execFileSync('mmdebstrap', ['--quiet', `--architectures=${PLATFORMS[arch]}`, ...line]);
    const container = buildah('from', 'scratch');
    buildah('config', '--arch', PLATFORMS[arch], container);
    buildah('add', '--quiet', container, tar, '/');
    buildah('copy', '--quiet', container, nodeOf(arch, folder), '/nodejs/bin/node');
    buildah('commit', '--quiet', '--rm', container, OWN_BASE);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function nodeOf(arch: Arch, folder: string): string {
  if (arch === process.arch) return process.execPath;
  const name = `node-linux-${arch}@${process.versions.node}`;
  const line = ['pack', '--silent', '--pack-destination', folder, name];
  const file = execFileSync('npm', line, { encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(folder, file), '-C', folder]);
  return join(folder, 'package/bin/node');
}

/** Puts the image's files into `root` and its description into `image.json`. */
function unpackImage(folder: string): void {
  const container = buildah('from', '--pull=never', IMAGE);
  try {
    execFileSync('cp', ['-a', buildah('mount', container), join(folder, 'root')]);
    writeFileSync(join(folder, 'image.json'), buildah('inspect', '--type', 'image', IMAGE));
  } finally {
    buildah('rm', container);
  }
}

function tellSize(folder: string): void {
  const said = execFileSync('du', ['-sb', join(folder, 'root')], { encoding: 'utf8' });
  const bytes = Number.parseInt(said, 10);
  console.log(`Image: ${Math.round(bytes / 1_000_000)} MB`);
  if (!(bytes < MAX_BYTES))
    throw new Error(`The image is larger than ${MAX_BYTES / 1_000_000} MB.`);
}
