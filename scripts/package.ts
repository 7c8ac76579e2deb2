import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { attempt } from './support/attempt.ts';
import { build } from './support/build.ts';
import { ARCHES, stage } from './support/stage.ts';

const FOLDER = 'dist';

/** Makes an archive for each processor, whole but for Node itself, with their digests beside them. */
await attempt(async () => {
  const version = (process.env['VERSION'] ??= manifest.version);
  process.env['BUILD_DATE'] ??= new Date().toISOString();
  await build();
  rmSync(FOLDER, { recursive: true, force: true });
  const materials = execFileSync('npm', [
    'sbom',
    '--package-lock-only',
    '--omit=dev',
    '--sbom-format=cyclonedx',
  ]);
  const digests = ARCHES.map((arch) => {
    const name = `rayonnage-${version}-linux-${arch}`;
    const folder = join(FOLDER, name);
    mkdirSync(folder, { recursive: true });
    stage(folder, arch);
    writeFileSync(join(folder, 'sbom.json'), materials);
    const file = `${folder}.tar.xz`;
    execFileSync('tar', ['-cJf', file, '--owner=0', '--group=0', '-C', FOLDER, name]);
    const size = (statSync(file).size / 1_000_000).toLocaleString('fr', {
      maximumFractionDigits: 1,
    });
    console.log(`${file} : ${size} Mo`);
    return `${hash('sha256', readFileSync(file))}  ${name}.tar.xz\n`;
  });
  writeFileSync(join(FOLDER, 'SHA256SUMS'), digests.join(''));
});
