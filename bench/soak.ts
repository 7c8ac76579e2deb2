import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import type { ChangePage, Checkpoint } from '#shared/replication';
import { Server } from '../test/e2e/support/server.ts';
import { exitOnError } from '../scripts/support/exit-on-error.ts';
import { buildServerIfStale, SERVICE } from '../scripts/support/server-build.ts';
import { residentMegabytes } from './support/memory.ts';

/**
 * `npm run prove -- soak`: measures the service's memory while devices replicate and people write. `--snapshots`
 * leaves two heap snapshots in the current folder.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    devices: { type: 'string', default: '200' },
    writers: { type: 'string', default: '5' },
    'writes-a-second': { type: 'string', default: '4' },
    snapshots: { type: 'boolean', default: false },
  },
});

/** The flags of deploy/rayonnage. The bundle takes a third less memory than the sources. */
const FLAGS = [
  '--max-semi-space-size=4',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=40',
];
const SETTINGS = { PORT: '0', LOG_LEVEL: 'error', MALLOC_ARENA_MAX: '2' };

const MAX_MB = 250;
const LOOKS = 20;
const BOOKS = 1000;

const counts = { writes: 0, pulls: 0, lost: 0 };

async function soak({ url, pid }: Server): Promise<void> {
  const end = new AbortController();
  const writing = new Pool(url, { connections: Number(values.writers) });
  for (let nth = 0; nth < BOOKS; nth++) await addLivre(writing, nth);
  const devices = Array.from({ length: Number(values.devices) }, (_, nth) => nth);
  await Promise.all(devices.map((nth) => follow(url, nth, end.signal)));
  const writers = Array.from({ length: Number(values.writers) }, (_, nth) =>
    write(writing, nth, end.signal),
  );
  const looks: number[] = [];
  const before = { ...counts, processorMs: processorMsOf(pid), atMs: performance.now() };
  for (let look = 1; look <= LOOKS; look++) {
    await delay((Number(values.minutes) * 60_000) / LOOKS);
    looks.push(Math.round(residentMegabytes(pid)));
    console.log(
      `${((look * Number(values.minutes)) / LOOKS).toFixed(1).padStart(6)} min  ${String(looks.at(-1)).padStart(4)} MB  ${String(counts.writes)} writes, ${String(counts.pulls)} pulls, ${String(counts.lost)} lost`,
    );
    if (values.snapshots && [LOOKS / 4, LOOKS - 1].includes(look)) process.kill(pid, 'SIGUSR2');
  }
  tellCost(before, processorMsOf(pid));
  end.abort();
  await Promise.allSettled(writers);
  await writing.destroy();
  tell(looks);
}

/** Reports the level of the last third, which the second third has already reached. */
function tell(looks: readonly number[]): void {
  const third = Math.floor(LOOKS / 3);
  const [before, level] = [looks.slice(-2 * third, -third), looks.slice(-third)].map((part) =>
    Math.max(...part),
  );
  const met = (level ?? Infinity) <= MAX_MB;
  console.log(
    `${met ? '✓' : '✗'} ${values.devices} devices: ${String(level)} MB at the end, ${String(before)} MB before (at most ${String(MAX_MB)} MB)`,
  );
  process.exitCode = met ? 0 : 1;
}

/** The processor time of a process in milliseconds; Linux counts in hundredths of a second. */
function processorMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Reports processor time, which a busy machine hardly changes: a second of one core has 1000 ms. */
function tellCost(
  before: typeof counts & { readonly processorMs: number; readonly atMs: number },
  processorMs: number,
): void {
  const taken = processorMs - before.processorMs;
  const seconds = (performance.now() - before.atMs) / 1000;
  const [writes, pulls] = [counts.writes - before.writes, counts.pulls - before.pulls];
  const [perWrite, perPull] = [writes / seconds, pulls / seconds].map((rate) => rate.toFixed(1));
  console.log(
    `${(taken / seconds).toFixed(0)} ms of the processor a second, for ${String(perWrite)} writes and ${String(perPull)} pulls`,
  );
}

const headersOf = (nth: number) => ({
  SSO_USER: `lecteur-${String(nth % 40)}`,
  'X-Forwarded-For': `10.0.${String(nth >> 8)}.${String(nth & 255)}`,
});

async function addLivre(pool: Pool, nth: number): Promise<number> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/api/livres?confirmerDoublon=true',
    headers: { 'Content-Type': 'application/json', ...headersOf(nth) },
    body: JSON.stringify({
      titre: `Livre ${String(nth)}`,
      format: 'Physique',
      auteurs: [`Nom ${String(nth % 300)}`],
    }),
  });
  await body.dump();
  return statusCode;
}

async function write(pool: Pool, nth: number, signal: AbortSignal): Promise<void> {
  const pause = (1000 * Number(values.writers)) / Number(values['writes-a-second']);
  for (let round = 0; !signal.aborted; round++) {
    await delay(pause * (0.5 + Math.random()), undefined, { signal });
    const id = String(1 + Math.floor(Math.random() * BOOKS));
    const send = (method: 'PUT' | 'POST', path: string, body: object) =>
      pool.request({
        method,
        path,
        headers: { 'Content-Type': 'application/json', ...headersOf(nth) },
        body: JSON.stringify(body),
      });
    await untilArrived(signal, async () => {
      if (round % 3 === 0) await addLivre(pool, 10_000 + round * 10 + nth);
      else if (round % 3 === 1)
        await (await send('PUT', `/api/livres/${id}/statut`, { statut: round % 3 })).body.dump();
      else
        await (
          await send('PUT', `/api/livres/${id}`, {
            titre: `Livre ${id} bis ${String(round)}`,
            format: 'Physique',
          })
        ).body.dump();
    });
    counts.writes++;
  }
}

/** Repeats work that may be aborted on a busy machine after a second, as the application does. */
async function untilArrived(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  for (let isDone = false; !isDone && !signal.aborted;)
    isDone = await work().then(
      () => true,
      async () => {
        counts.lost++;
        await delay(1000);
        return false;
      },
    );
}

/** A device: its first replica, then a pull for each announcement. */
async function follow(url: string, nth: number, signal: AbortSignal): Promise<void> {
  const headers = headersOf(nth);
  let checkpoint: Checkpoint | null = null;
  const pull = async (): Promise<void> => {
    for (let isWhole = false; !isWhole && !signal.aborted; counts.pulls++) {
      const query = new URLSearchParams({ limite: '1000', modifications: 'true' });
      for (const [name, value] of Object.entries(checkpoint ?? {})) query.set(name, String(value));
      const answer = await fetch(`${url}/api/replication?${query.toString()}`, { headers, signal });
      const page = (await answer.json()) as ChangePage;
      checkpoint = { epoque: page.epoque, revision: page.revision };
      isWhole = page.complet;
    }
  };
  await untilArrived(signal, pull);
  void untilArrived(signal, async () => {
    const stream = await fetch(`${url}/api/replication/evenements`, { headers, signal });
    if (stream.body === null) throw new Error('No stream');
    await listen(stream.body, () => untilArrived(signal, pull));
    throw new Error('The stream has ended');
  });
}

async function listen(stream: ReadableStream<Uint8Array>, pull: () => Promise<void>) {
  let announced = 0;
  let pulling: Promise<void> | null = null;
  for await (const chunk of stream) {
    if (chunk.length === 0) continue;
    announced++;
    pulling ??= (async () => {
      for (let seen = -1; seen !== announced;) {
        seen = announced;
        await pull();
      }
      pulling = null;
    })();
  }
}

await exitOnError(async () => {
  await buildServerIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-soak-'));
  const path = join(folder, 'bibliotheque.sqlite');
  const snapshots = ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${process.cwd()}`];
  const flags = [...FLAGS, ...(values.snapshots ? snapshots : [])];
  const server = await Server.run([...flags, SERVICE], { ...SETTINGS, DATABASE_PATH: path });
  try {
    await soak(server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
