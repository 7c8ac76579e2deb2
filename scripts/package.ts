import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exitOnError } from './support/exit-on-error.ts';
import { build } from './support/build.ts';
import { describeBuild } from './support/commit.ts';
import { pack } from './support/pack.ts';
import { ARCHES, stage } from './support/stage.ts';

const FOLDER = 'dist';

/**
 * Makes an archive for each processor, complete except for Node, with digests. Archives of one commit are
 * byte-identical, wherever they are made (`npm run prove -- archives`).
 */
await exitOnError(async () => {
  const described = describeBuild();
  process.env['VERSION'] = described.version;
  process.env['BUILD_DATE'] = described.date;
  await build();
  rmSync(FOLDER, { recursive: true, force: true });
  const digests = ARCHES.map((arch) => {
    const folder = join(FOLDER, `rayonnage-${described.version}-linux-${arch}`);
    mkdirSync(folder, { recursive: true });
    stage(folder, arch, described);
    const file = pack(folder, new Date(described.date));
    const size = (statSync(file).size / 1_000_000).toLocaleString('en', {
      maximumFractionDigits: 1,
    });
    console.log(`${file}: ${size} MB`);
    return `${hash('sha256', readFileSync(file))}  ${basename(file)}\n`;
  });
  writeFileSync(join(FOLDER, 'SHA256SUMS'), digests.join(''));
});
