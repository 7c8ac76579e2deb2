import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';

/** What others make, which the project itself does without. */
const PACKAGES = {
  'express-pouchdb': '4.2.0',
  lighthouse: '13.5.0',
  minisearch: '7.2.0',
  'pouchdb-adapter-memory': '9.0.0',
  'pouchdb-browser': '9.0.0',
  'pouchdb-core': '9.0.0',
  'pouchdb-mapreduce': '9.0.0',
  'pouchdb-replication': '9.0.0',
} as const;
type Package = keyof typeof PACKAGES;

const FOLDER = resolve('.cache/peers');

/** Installs them beside the project, where they are not there yet. Throws what npm says. */
export function installPeers(): void {
  const manifest = JSON.stringify({ private: true, dependencies: PACKAGES });
  const path = join(FOLDER, 'package.json');
  const installed = join(FOLDER, 'installed');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === manifest) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, manifest);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stderr } = spawnSync('npm', ['install', ...options], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  writeFileSync(installed, manifest);
}

const require = createRequire(join(FOLDER, 'package.json'));

/** Where the code of one of them lies. */
export const pathOf = (name: Package): string => require.resolve(name);
