import { cpSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { billOf, materialsOf } from './bill.ts';
import type { Build } from './commit.ts';
import { licencesOf } from './licence-texts.ts';
import { copyNatives, type Arch } from './natives.ts';

export const ARCHES: readonly Arch[] = ['x64', 'arm64'];

/** Files of the checkout that are added to the build, with their names in the archive. */
const BESIDE: Readonly<Record<string, string>> = {
  'deploy/archive.md': 'README.md',
  'deploy/archive.fr.md': 'README.fr.md',
  'deploy/rayonnage': 'rayonnage',
  'deploy/rayonnage.service': 'rayonnage.service',
  'deploy/rayonnage-offsite.service': 'rayonnage-offsite.service',
  'deploy/rayonnage-offsite.timer': 'rayonnage-offsite.timer',
  LICENSE: 'LICENSE',
  'CHANGELOG.md': 'CHANGELOG.md',
};

/** The guides and the files that they mention, with their paths in the checkout, since they link to each other. */
const GUIDES = [
  'docs/running{,.fr}.md',
  'docs/running/*.md',
  'deploy/{apache,nginx}.conf',
  'deploy/{Caddyfile*,haproxy.cfg}',
  'deploy/container/**/*',
];

/**
 * Fills a folder with everything that runs this build, except Node, and with the bill of materials. Of precompressed
 * files only brotli: for clients without HTTPS the service compresses its responses itself.
 */
export function stage(folder: string, arch: Arch, build: Build): void {
  for (const part of ['client', 'migrations', 'server'])
    cpSync(join('build', part), join(folder, part), {
      recursive: true,
      filter: (path) => !path.endsWith('.gz') || path.endsWith('.tar.gz'),
    });
  for (const [path, name] of Object.entries(BESIDE)) cpSync(path, join(folder, name));
  for (const path of globSync(GUIDES)) cpSync(path, join(folder, path), { recursive: true });
  copyNatives(folder, arch);
  const { name, license, type, engines } = manifest;
  const described = { name, version: build.version, license, type, engines };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(described));
  const materials = materialsOf(folder);
  writeFileSync(join(folder, 'sbom.json'), billOf(build, materials));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), licencesOf(materials));
}
