import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext } from '#server/start/context';
import { playUpstream } from '../demo/upstream/server.ts';
import { bound, print } from './support/report.ts';
import { quantile } from './support/timing.ts';

const ROUNDS = 30;

/** How long each answer of an outside catalogue takes of its own accord, in milliseconds. */
const SOURCE_DELAY_MS = 50;

/** What may be added to the sources' own delays, in milliseconds. */
const AIM_MS = 20;

const CODES = ['9782948012048', '9782948012031', '9782948012185', '9772917044002'];

/** From a scan to what fills the form: what the answer takes beyond the sources' own delays. */
export async function benchRecherche(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const upstream = await playUpstream({ delayMs: SOURCE_DELAY_MS });
  const config = readConfig({
    DATABASE_PATH: join(folder, 'bibliotheque.sqlite'),
    LOG_LEVEL: 'silent',
    BNF_SRU_URL: upstream.bnfSruUrl,
    OPEN_LIBRARY_URL: upstream.openLibraryUrl,
  });
  const context = openContext(config);
  const app = await createApp(context);
  try {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const measures = [];
    for (const code of CODES) {
      const added = await timeBeyondSources(
        `${address}/api/recherche-isbn/${code}`,
        upstream.delays,
      );
      measures.push(bound(code, added, AIM_MS, 'ms'));
      measures.push(bound(`${code}, 95th percentile`, quantile(added, 0.95), AIM_MS, 'ms'));
    }
    print(`A lookup beyond the sources, which take ${SOURCE_DELAY_MS} ms an answer`, measures);
  } finally {
    await app.close();
    context.database.close();
    await upstream.close();
    rmSync(folder, { recursive: true });
  }
}

/** Milliseconds of each round less what the sources took in it. */
async function timeBeyondSources(url: string, delays: readonly number[]): Promise<number[]> {
  const added: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const answered = delays.length;
    const begin = performance.now();
    await (await fetch(url)).json();
    const total = performance.now() - begin;
    const ofSources = delays.slice(answered).reduce((sum, delay) => sum + delay, 0);
    if (round > 0) added.push(total - ofSources); // the first one opens the connections
  }
  return added;
}
