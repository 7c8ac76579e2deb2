import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitOnError } from '../scripts/support/exit-on-error.ts';
import { buildIfStale } from '../scripts/support/build.ts';
import { benchAgainst } from './against.ts';
import { benchAuteurs } from './auteurs.ts';
import { benchCatalogue } from './catalogue.ts';
import { benchClient } from './client.ts';
import { benchCosts } from './costs.ts';
import { benchCouvertures } from './couvertures.ts';
import { benchCouverturesDevice } from './couvertures-device.ts';
import { benchDecoding } from './decoding.ts';
import { benchDevices } from './devices.ts';
import { benchEmplacements } from './emplacements.ts';
import { benchLectures } from './lectures.ts';
import { benchModifications } from './modifications.ts';
import { benchHeavyScreens } from './heavy-screens.ts';
import { benchImportations } from './importations.ts';
import { benchPocket } from './pocket.ts';
import { benchRecherche } from './recherche.ts';
import { benchSavedCopy } from './saved-copy.ts';
import { benchScreens } from './screens.ts';
import { benchList, benchSearch } from './server.ts';
import { benchSize } from './size.ts';
import { benchSlowLine } from './slow-line.ts';
import { benchTurns } from './turns.ts';
import type { Chart } from './support/chart.ts';
import { businessOf, worseThanBefore, writeDocument } from './support/document.ts';
import { makeLivres, readLivres, withDetails } from './support/livres.ts';
import { watchOthers } from './support/others.ts';
import { takeSections, type Section } from './support/report.ts';

const SIZE = 'size';

const PART_LIMIT_MINUTES = 20;

interface Outcome {
  readonly sections: readonly Section[];
  readonly charts: readonly Chart[];
}

/**
 * Runs all benchmarks; each figure is compared with a lower bound of the same work on the same machine. Takes a CSV
 * file of books with the columns `title` and `authors`, by default ten thousand generated books. `--only name` runs
 * one part; `--against commit` runs it alternately with an older commit. A whole run on a file writes its figures and
 * charts into docs/performance.md, and lists those that are worse by a tenth than in the last numbered version.
 */
await exitOnError(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, against: { type: 'string' } },
  });
  const { only, against } = values;
  const [file] = positionals;
  if (against !== undefined) {
    const part = only === undefined ? [] : ['--only', only];
    await benchAgainst(against, [...positionals.map((path) => resolve(path)), ...part]);
    return;
  }
  const livres = file === undefined ? makeLivres(10_000) : readLivres(file);
  let charts: readonly Chart[] = [];
  const parts: Readonly<Record<string, () => unknown>> = {
    client: () => benchClient(livres),
    details: () => benchClient(withDetails(livres), ' of eight details'),
    devices: () => benchDevices(livres),
    'slow-line': () => benchSlowLine(livres),
    list: () => benchList(livres),
    search: benchSearch,
    catalogue: () => benchCatalogue(livres),
    emplacements: () => benchEmplacements(livres),
    lectures: () => benchLectures(livres),
    auteurs: () => benchAuteurs(livres),
    modifications: () => benchModifications(livres),
    recherche: benchRecherche,
    importations: () => benchImportations(livres),
    'couvertures-device': () => benchCouverturesDevice(livres),
    couvertures: benchCouvertures,
    decoding: benchDecoding,
    costs: () => benchCosts(livres),
    turns: () => benchTurns(livres),
    'heavy-screens': () => benchHeavyScreens(livres),
    screens: () => benchScreens(livres),
    'saved-copy': () => benchSavedCopy(livres),
    pocket: () => benchPocket(livres),
    [SIZE]: async () => (charts = await benchSize()),
  };
  const names = Object.keys(parts);
  if (only !== undefined && !names.includes(only)) throw new Error(`--only: ${names.join(', ')}`);
  await buildIfStale();
  if (only !== undefined) {
    await measure(only, parts[only]);
    endWith({ sections: takeSections(), charts });
    return;
  }
  const endWatching = watchOthers();
  const outcomes = new Map<string, Outcome>();
  for (const name of names) outcomes.set(name, await runPart(name, file));
  const others = endWatching();
  console.log(`\n${businessOf(others)}.`);
  const measured = Object.fromEntries(
    [...outcomes].map(([name, { sections }]) => [name, sections]),
  );
  for (const line of worseThanBefore(measured)) console.log(line);
  if (file !== undefined) writeDocument(measured, outcomes.get(SIZE)?.charts ?? [], others);
});

async function measure(name: string, part: (() => unknown) | undefined): Promise<void> {
  const begin = performance.now();
  try {
    await part?.();
  } catch (error) {
    process.exitCode = 1;
    console.error(`\n✗ ${name}:`, error);
  }
  console.log(`  (${name}: ${((performance.now() - begin) / 1000).toFixed(0)} s)`);
}

/**
 * Reports the outcome to the process that runs all parts, if there is one, and exits, whatever the part has left
 * open.
 */
function endWith(outcome: Outcome): void {
  if (process.send === undefined) process.exit();
  process.send(outcome, () => process.exit());
}

/** Runs one part in its own process group, so that a failing or hanging part does not affect the next one. */
async function runPart(name: string, file: string | undefined): Promise<Outcome> {
  const args = [...(file === undefined ? [] : [file]), '--only', name];
  const child = fork(import.meta.filename, args, { detached: true });
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All measures have run.
    }
  };
  const interrupt = (): never => {
    endGroup();
    process.exit(130);
  };
  process.once('SIGINT', interrupt);
  const limit = setTimeout(() => {
    console.error(`\n✗ ${name}: not done after ${String(PART_LIMIT_MINUTES)} minutes`);
    endGroup();
  }, PART_LIMIT_MINUTES * 60_000);
  let outcome: Outcome = { sections: [], charts: [] };
  child.on('message', (message) => {
    if (isOutcome(message)) outcome = message;
  });
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  clearTimeout(limit);
  endGroup();
  process.off('SIGINT', interrupt);
  if (code !== 0) process.exitCode = 1;
  return outcome;
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && 'sections' in value && 'charts' in value;
}
