import { playUpstream } from '../demo/upstream/server.ts';
import { besideService } from './support/household.ts';
import { bound, print } from './support/report.ts';
import { quantile } from './support/timing.ts';

const ROUNDS = 30;

/** The delay of each response of a catalogue, in milliseconds. */
const SOURCE_DELAY_MS = 50;

/** Maximum added to the sources' own delays, in milliseconds. */
const AIM_MS = 20;

const CODES = ['9782948012048', '9782948012031', '9782948012185', '9772917044002'];

/** Measures the time from a scan to the filled form, beyond the catalogues' own delays. */
export async function benchRecherche(): Promise<void> {
  const upstream = await playUpstream({ delayMs: SOURCE_DELAY_MS });
  const settings = {
    BNF_SRU_URL: upstream.bnfSruUrl,
    OPEN_LIBRARY_URL: upstream.openLibraryUrl,
  };
  await besideService(settings, async (address) => {
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
  });
  await upstream.close();
}

/** The milliseconds of each round, minus the catalogues' delays. */
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
