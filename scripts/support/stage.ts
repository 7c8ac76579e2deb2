import { cpSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { copyNatives, type Arch } from './natives.ts';

/** The processors that an archive is made for. */
export const ARCHES: readonly Arch[] = ['x64', 'arm64'];

/** What of the checkout the folder has besides the build. */
const BESIDE = [
  'deploy/rayonnage',
  'deploy/rayonnage.service',
  'deploy/rayonnage-offsite.service',
  'deploy/rayonnage-offsite.timer',
  'LICENSE',
  'CHANGELOG.md',
];

/**
 * Fills a folder with all that runs the build that is here, but for Node itself. Of files compressed beforehand
 * those for HTTPS, brotli: whoever comes without it has them compressed as they are asked for.
 */
export function stage(folder: string, arch: Arch): void {
  cpSync('build', folder, { recursive: true, filter: (path) => !path.endsWith('.gz') });
  for (const path of BESIDE) cpSync(path, join(folder, basename(path)));
  copyNatives(folder, arch);
  const { name, license, type, engines } = manifest;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, license, type, engines }));
}
