import { setTimeout as delay } from 'node:timers/promises';
import { Catalogue } from '#shared/catalogue';
import type { LivreDocument } from '#shared/livres';
import type { Server } from '../test/e2e/support/server.ts';
import type { Chart } from './support/chart.ts';
import { fetchDocuments, nextAfter } from './support/documents.ts';
import { plainHouseholdOf } from './support/household.ts';
import { makeLivres } from './support/livres.ts';
import { CALLER, timeRequests } from './support/load.ts';
import { residentMegabytes } from './support/memory.ts';
import { print, unbounded } from './support/report.ts';
import { elapsed, median, timeRounds } from './support/timing.ts';

const BOOKS = [1000, 10_000, 100_000];
const DEVICES = [1, 10, 200];

/** The number of books replicated by all devices at once: their responses are compressed one by one. */
const SHARED = 2000;

const REST_MS = 1000;

const REQUESTS = 200;

export async function benchSize(): Promise<readonly Chart[]> {
  const all = makeLivres(BOOKS.at(-1) ?? 0);
  const sizes: Costs[] = [];
  for (const count of BOOKS) sizes.push(await costsOf(all.slice(0, count)));
  const devices = await costsOfDevices(all.slice(0, SHARED));
  for (const { count, ...costs } of sizes)
    print(`A household of ${count} made-up books`, [
      unbounded('the service listens after', costs.start, 'ms'),
      unbounded('memory of the service at rest', costs.memory, 'MB'),
      unbounded('memory with its books in memory, for lists', costs.memoryWithBooks, 'MB'),
      unbounded('a list of 50 over HTTP', costs.list, 'ms'),
      unbounded('a first copy, pulled by one device', costs.copy, 'ms'),
      unbounded('a keystroke in memory', costs.keystroke, 'ms'),
    ]);
  for (const { count, copy, memory } of devices)
    print(`${count} devices that take a first copy of ${SHARED} books at once`, [
      unbounded('until the last one has it', copy, 'ms'),
      unbounded('memory of the service after it', memory, 'MB'),
    ]);
  const line = (name: string, of: (size: Costs) => number) => ({
    name,
    points: sizes.map((size) => [size.count, of(size)] as const),
  });
  return [
    {
      file: 'cost-by-books',
      title: 'Cost against books, in milliseconds',
      across: 'books',
      lines: [
        line('the service listens', ({ start }) => start),
        line('a first copy', ({ copy }) => copy),
        line('a list of 50 over HTTP', ({ list }) => list),
        line('a keystroke in memory', ({ keystroke }) => keystroke),
      ],
    },
    {
      file: 'memory-by-books',
      title: 'Memory of the service against books, in MB',
      across: 'books',
      lines: [
        line('at rest', ({ memory }) => memory),
        line('with its books in memory', ({ memoryWithBooks }) => memoryWithBooks),
      ],
    },
    {
      file: 'cost-by-devices',
      title: 'First copies at once: milliseconds to the last, MB of the service',
      across: 'devices',
      lines: [
        { name: 'until the last one, ms', points: devices.map((one) => [one.count, one.copy]) },
        { name: 'memory, MB', points: devices.map((one) => [one.count, one.memory]) },
      ],
    },
  ];
}

interface Costs {
  readonly count: number;
  readonly start: number;
  readonly memory: number;
  readonly memoryWithBooks: number;
  readonly list: number;
  readonly copy: number;
  readonly keystroke: number;
}

async function costsOf(livres: readonly LivreDocument[]): Promise<Costs> {
  const household = await plainHouseholdOf(livres);
  const { server, startedInMs } = household;
  await delay(REST_MS);
  const memory = residentMegabytes(server.pid);
  const [list = []] = await timeRequests([server.url], ['/api/livres?limite=50'], 1, REQUESTS);
  const memoryWithBooks = residentMegabytes(server.pid);
  const begin = performance.now();
  await fetchDocuments(server.url);
  const copy = performance.now() - begin;
  await household.end();
  return {
    count: livres.length,
    start: startedInMs,
    memory,
    memoryWithBooks,
    list: median(list),
    copy,
    keystroke: keystroke(livres),
  };
}

/** Milliseconds per letter of a query that first matches most books, and at last a few. */
function keystroke(livres: readonly LivreDocument[]): number {
  const catalogue = new Catalogue();
  catalogue.applyLivres(livres);
  const query = livres[Math.floor(livres.length / 2)]?.titreNormalise.slice(0, 8) ?? '';
  const typed = Array.from(query, (_, i) => query.slice(0, i + 1));
  const none = new Map<number, never>();
  elapsed(() => catalogue.search({ recherche: 'a' }, none));
  const all = timeRounds(() => typed.forEach((recherche) => catalogue.search({ recherche }, none)));
  return median(all) / Math.max(typed.length, 1);
}

async function costsOfDevices(livres: readonly LivreDocument[]) {
  const costs = [];
  for (const count of DEVICES) {
    const household = await plainHouseholdOf(livres);
    const begin = performance.now();
    await Promise.all(Array.from({ length: count }, () => pullAll(household.server)));
    const copy = performance.now() - begin;
    costs.push({ count, copy, memory: residentMegabytes(household.server.pid) });
    await household.end();
  }
  return costs;
}

async function pullAll({ url }: Server): Promise<void> {
  for (let from: string | null = ''; from !== null;) {
    const response = await fetch(`${url}/api/replication?limite=2000${from}`, {
      headers: { SSO_USER: CALLER },
    });
    from = nextAfter(await response.text());
  }
}
