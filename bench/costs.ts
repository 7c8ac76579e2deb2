import type { LivreDocument } from '#shared/livres';
import type { CostlyRequest } from './support/costly-files.ts';
import { costlyRequests } from './support/costly.ts';
import { besideService, enterLivres } from './support/household.ts';
import { CALLER } from './support/load.ts';
import { addTheRest } from './support/rest.ts';

/** Limits for any request: service time per byte sent, and the longest blocking of the event loop. */
const MAX_MS_A_BYTE = 0.05;
const MAX_TURN_MS = 200;

/** The smallest request to which the limit per byte applies; below, the fixed cost of a request dominates. */
const MIN_BYTES = 1000;

/**
 * The interval between two readings of the clock, growing while nothing happens: a thousand readings a second would
 * cost 50 ms of it, more than the watched work beside a long write.
 */
const REST_MS = { least: 1, most: 20 } as const;

const TRIES = 3;

interface Cost {
  readonly what: string;
  readonly bytes: number;
  readonly status: number;
  readonly ms: number;
  readonly turnMs: number;
}

/**
 * Measures the costliest requests that we know, by the service's time per byte sent. Counts processor time of the
 * shared thread, so that other load on the machine has no effect.
 */
export async function benchCosts(livres: readonly LivreDocument[]): Promise<void> {
  await besideService({}, async (url, database) => {
    enterLivres(database, livres);
    await addTheRest(url);
    const costs: Cost[] = [];
    for (const request of costlyRequests(livres)) costs.push(await measure(url, request));
    print(costs, livres.length);
  });
}

/** The minimum of several tries, since all disturbances only add time. */
async function measure(url: string, request: CostlyRequest): Promise<Cost> {
  const tries: Cost[] = [];
  for (let nth = 0; nth < (request.once ? 1 : TRIES); nth++)
    tries.push(await measureOnce(url, request, nth));
  return tries.sort((a, b) => a.ms - b.ms)[0] ?? (await measureOnce(url, request, TRIES));
}

async function measureOnce(url: string, request: CostlyRequest, nth: number): Promise<Cost> {
  const { what, method = 'GET', path, body, type = 'application/json' } = request;
  const target = typeof path === 'string' ? path : await path(url);
  const sent = body?.(nth);
  const turns = watchTurns();
  const response = await fetch(url + target, {
    method,
    headers: { SSO_USER: CALLER, ...(sent && { 'Content-Type': type }) },
    ...(sent && { body: new Uint8Array(sent) }),
  });
  await response.arrayBuffer();
  const { ms, turnMs } = turns.end();
  return { what, bytes: target.length + (sent?.length ?? 0), status: response.status, ms, turnMs };
}

/**
 * Measures the processor time of this thread: in total, and the most between two readings, which corresponds to one
 * turn of the event loop. The readings' own time is subtracted.
 */
function watchTurns(): { end(): { ms: number; turnMs: number } } {
  const now = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let rest: number = REST_MS.least;
  let [last, ms, turnMs] = [now(), 0, 0];
  const count = (): number => {
    const turn = now() - last;
    ms += turn;
    turnMs = Math.max(turnMs, turn);
    return turn;
  };
  const look = (): void => {
    const turn = count();
    rest = turn > 1 ? REST_MS.least : Math.min(2 * rest, REST_MS.most);
    next = setTimeout(look, rest);
    last = now();
  };
  let next = setTimeout(look, rest);
  return {
    end: () => {
      clearTimeout(next);
      count();
      return { ms, turnMs };
    },
  };
}

function print(costs: readonly Cost[], count: number): void {
  console.log(`\nThe costliest requests, ${count} books: what one costs the service`);
  console.log('    ms a byte      bytes       ms   longest turn  status');
  const byteCost = ({ ms, bytes }: Cost) => (bytes < MIN_BYTES ? 0 : ms / bytes);
  for (const cost of costs.toSorted((a, b) => byteCost(b) - byteCost(a) || b.turnMs - a.turnMs)) {
    const met = byteCost(cost) <= MAX_MS_A_BYTE && cost.turnMs <= MAX_TURN_MS;
    if (!met) process.exitCode = 1;
    const figures = [
      (byteCost(cost) || NaN).toFixed(5).padStart(11),
      String(cost.bytes).padStart(10),
      cost.ms.toFixed(1).padStart(8),
      cost.turnMs.toFixed(1).padStart(14),
      String(cost.status).padStart(7),
    ];
    console.log(`  ${met ? '✓' : '✗'} ${figures.join('')}  ${cost.what}`);
  }
}
