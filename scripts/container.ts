import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attempt } from './support/attempt.ts';
import { runTool } from './support/run.ts';

const FILE = 'deploy/container/Containerfile';
const IMAGE = 'localhost/rayonnage';
/** Made where the published one is out of reach: the same packages of Debian, and this Node. */
const OWN_BASE = 'localhost/rayonnage-base';
const BASE_PACKAGES = 'base-files,ca-certificates,libc6,libgcc-s1,libstdc++6,netbase,tzdata';

/** The most that an image may take on the disk. */
const MAX_BYTES = 250_000_000;

/**
 * `npm run prove -- container [--packed]`: builds the image from the archives, those of `dist/` as they are
 * with `--packed`, and plays the test of it where it has what an engine would give it and no more.
 */
await attempt(async () => {
  const { values } = parseArgs({ options: { packed: { type: 'boolean', default: false } } });
  assertTools();
  if (!values.packed) runScript('scripts/package.ts');
  buildImage();
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-image-'));
  chmodSync(folder, 0o755);
  try {
    unpackImage(folder);
    tellSize(folder);
    const { ok } = await runTool(
      'vitest/vitest.mjs',
      ['run', 'test/package/container.test.ts', '--project', 'node'],
      'live',
      { ...process.env, IMAGE: folder },
    );
    if (!ok) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function assertTools(): void {
  const missing = ['buildah', 'mmdebstrap', 'bwrap'].filter(
    (tool) => spawnSync(tool, ['--version']).error !== undefined,
  );
  if (missing.length > 0 || process.getuid?.() !== 0)
    throw new Error(
      'Il faut Debian, être root, et : apt install buildah mmdebstrap bubblewrap netavark',
    );
}

function runScript(path: string): void {
  const { status } = spawnSync(process.execPath, [path], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${path} : ${String(status)}`);
}

function buildah(...line: string[]): string {
  return execFileSync('buildah', line, { encoding: 'utf8', stdio: 'pipe' }).trim();
}

function buildImage(): void {
  const [, published = ''] = /^ARG BASE=(.+)$/m.exec(readFileSync(FILE, 'utf8')) ?? [];
  const isThere = spawnSync('buildah', ['pull', '--quiet', published]).status === 0;
  if (!isThere) makeBase();
  const platform = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`;
  buildah(
    ...['build', '--isolation', 'chroot', '--format', 'docker', '--platform', platform],
    ...['--build-arg', `BASE=${isThere ? published : OWN_BASE}`, '--file', FILE],
    ...['--tag', IMAGE, 'dist'],
  );
}

function makeBase(): void {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-base-'));
  try {
    const tar = join(folder, 'base.tar');
    const docs = '--dpkgopt=path-exclude=/usr/share/doc/*';
    const line = ['--variant=extract', `--include=${BASE_PACKAGES}`, docs, 'bookworm', tar];
    execFileSync('mmdebstrap', ['--quiet', ...line]);
    const container = buildah('from', 'scratch');
    buildah('add', '--quiet', container, tar, '/');
    buildah('copy', '--quiet', container, process.execPath, '/nodejs/bin/node');
    buildah('commit', '--quiet', '--rm', container, OWN_BASE);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Puts the image's files into `root` and what it says of itself into `image.json`. */
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
  console.log(`Image : ${Math.round(bytes / 1_000_000)} Mo`);
  if (!(bytes < MAX_BYTES)) throw new Error(`L’image dépasse ${MAX_BYTES / 1_000_000} Mo.`);
}
