import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { makers } from '#server/subjects/couvertures/decoding';

export interface Thumbnails {
  readonly restBytes: number;
  readonly mostBytes: number;
  readonly oneMs: number;
  readonly waitMs: number;
  readonly ligneBytes: number;
  readonly pageBytes: number;
}

/**
 * Runs as its own process, like the service's decoder: creates thumbnails of a folder's pictures, and prints their
 * cost.
 */
const [folder = '', count = '0'] = process.argv.slice(2);
const paths = readdirSync(folder).map((name) => join(folder, name));
const restBytes = process.memoryUsage.rss();
const delay = monitorEventLoopDelay({ resolution: 5 });
let [mostBytes, ligneBytes, pageBytes] = [0, 0, 0];
delay.enable();
const begin = performance.now();
for (let i = 0; i < Number(count); i++) {
  const { ligne, page } = await makers.fromSource(readFileSync(paths[i % paths.length] ?? ''));
  ligneBytes += ligne.length;
  pageBytes += page.length;
  mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
}
const oneMs = (performance.now() - begin) / Number(count);
delay.disable();
const waitMs = delay.percentile(99) / 1e6 - 5;
const measured: Thumbnails = { restBytes, mostBytes, oneMs, waitMs, ligneBytes, pageBytes };
console.log(JSON.stringify(measured));
