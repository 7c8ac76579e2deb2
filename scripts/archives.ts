import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { exitOnError } from './support/exit-on-error.ts';

/** On the file system of `node_modules`, so that its files can be hard-linked. */
const FOLDER = '.cache/archives';

/**
 * `npm run prove -- archives [--packed]`: makes the archives of the commit twice, in two clones with different paths,
 * permissions and time zones, and compares them byte by byte; with `--packed` compares those of `dist/` with a clone's
 * at the tag of the version.
 */
await exitOnError(() => {
  const { values } = parseArgs({ options: { packed: { type: 'boolean', default: false } } });
  rmSync(FOLDER, { recursive: true, force: true });
  const first = values.packed ? digestsOf('.') : packed('one', '022', 'Europe/Paris');
  const tag = values.packed ? [`--branch=v${manifest.version}`] : [];
  const second = packed('another/place', '077', 'Pacific/Auckland', tag);
  if (first !== second) throw new Error(`The archives of one commit differ:\n${first}${second}`);
  rmSync(FOLDER, { recursive: true });
  console.log('✓ Two builds of this commit are the same, to the byte.');
  return Promise.resolve();
});

function digestsOf(folder: string): string {
  return readFileSync(join(folder, 'dist/SHA256SUMS'), 'utf8');
}

function packed(place: string, umask: string, TZ: string, tag: readonly string[] = []): string {
  const clone = resolve(FOLDER, place);
  mkdirSync(clone, { recursive: true });
  execFileSync('git', ['clone', '--quiet', ...tag, '.', clone]);
  execFileSync('cp', ['-al', 'node_modules', join(clone, 'node_modules')]);
  const { status } = spawnSync(
    'sh',
    ['-c', `umask ${umask}; exec "$0" scripts/launch.mjs package`, process.execPath],
    {
      cwd: clone,
      stdio: 'inherit',
      env: { ...process.env, TZ },
    },
  );
  if (status !== 0) throw new Error(`${clone}: ${String(status)}`);
  return digestsOf(clone);
}
