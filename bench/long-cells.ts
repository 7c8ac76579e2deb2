import { cleanRow } from '#server/subjects/importations/rows';
import {
  HEADERS,
  longText,
  READERS,
  readTable,
  SIGNS,
  tableOf,
} from '../test/importations/long-cells.ts';

/**
 * `npm run prove -- long-cells`: no cell of 100 kB takes more than 100 ms of processor time, whatever one or two
 * characters it repeats. Plays each reader of cells with each pair in both orders, and each program's tables with
 * each pair in one order, alternating the separator. Other load on the machine has no effect.
 */

const MAX_MS = 100;
/** The shortest of several tries counts, since the first one includes compiling. */
const TRIES = 3;

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

async function shortest(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let times = 0; times < TRIES && least > MAX_MS / 2; times++) {
    const begin = processorMs();
    await work();
    least = Math.min(least, processorMs() - begin);
  }
  return least;
}

async function readWhole(file: string): Promise<void> {
  const { records, monthFirst } = await readTable(file);
  for (const { record } of records) cleanRow(record, 'statut', monthFirst);
}

const slow: string[] = [];
let [count, longest] = [0, 0];

async function measure(what: string, work: () => unknown): Promise<void> {
  const ms = await shortest(work);
  count++;
  longest = Math.max(longest, ms);
  if (ms > MAX_MS) slow.push(`✗ ${what}: ${Math.round(ms)} ms`);
}

for (const [place, one] of SIGNS.entries()) {
  for (const [index, other] of SIGNS.entries()) {
    const signs = one === other ? one : one + other;
    const said = JSON.stringify(signs);
    const text = longText(signs);
    for (const [name, read] of Object.entries(READERS))
      await measure(`${name} of ${said}`, () => read(text));
    if (index < place) continue;
    const separator = (place + index) % 2 === 0 ? ',' : '\t';
    for (const headers of HEADERS) {
      const cell = longText(signs, 100_000 / headers.length).replaceAll('\0', ' ');
      await measure(`${headers.slice(0, 3).join(', ')} of ${said}`, () =>
        readWhole(tableOf(headers, cell, separator)),
      );
    }
  }
  console.log(`${String(place + 1)} of ${String(SIGNS.length)} signs beside all others`);
}

for (const line of slow) console.log(line);
console.log(`${count} long cells, the longest read in ${Math.round(longest)} ms of the processor`);
process.exitCode = slow.length === 0 ? 0 : 1;
