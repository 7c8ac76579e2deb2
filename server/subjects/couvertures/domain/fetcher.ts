import type { EtatCouvertures } from '#shared/couvertures';
import { Refusal } from '#shared/refusals';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/transaction';
import * as queue from '../store/queue.ts';
import type { Clock } from './clock.ts';
import { BatchedWrites } from './batched-writes.ts';
import type { CoverLibrary } from './library.ts';
import { COUNTED_MS, openRateLimiter, type RateLimiter } from './rate-limiter.ts';
import type { Image } from './relay.ts';
import { isbnOf, ISBN_HOST, type CoverSources } from './sources.ts';
import { CoverResults } from './results.ts';
import { isUnexpected, judge, waitAfter } from './verdict.ts';

/** Fetches at a time, each with a picture of up to 10 MiB in memory. */
const AT_A_TIME = 12;
/** The most addresses that go before all others; the latest asked for stay. */
const MAX_FRONT = 500;
/** All fetches pause for this long after a full disk or an unexpected error. */
const PAUSE_MS = 60_000;
/** How often it is looked whether the write lock is free again. */
const LOCK_CHECK_MS = 1_000;

interface FetcherParts {
  readonly database: Database;
  readonly library: CoverLibrary;
  readonly sources: Pick<CoverSources, 'first' | 'second'>;
  readonly clock: Clock;
  /** Called with an unexpected error. */
  readonly failed: (error: unknown) => void;
}

/**
 * Fetches the covers of the household in the background: what waits in the database, in the order of
 * the catalogue, rows on screen first, each host within its limits (docs/rules.md § 43).
 */
export class CoverFetcher {
  readonly #parts: FetcherParts;
  readonly #limiters = new Map<string, RateLimiter>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #results: CoverResults;
  /** The results of fetches that have ended. */
  readonly #writes: BatchedWrites;
  readonly #end = new AbortController();
  #front = new Set<string>();
  #pausedUntil = 0;
  #isDiskFull = false;
  #refused: ReadonlyMap<string, number> = new Map();
  #cancelTimer: () => void = () => undefined;
  #unsubscribe: () => void = () => undefined;
  #screenRequests = 0;
  #isLooking = false;
  #isStarted = false;

  constructor(parts: FetcherParts) {
    this.#parts = parts;
    this.#results = new CoverResults(parts);
    this.#writes = new BatchedWrites(parts.database, parts.clock, (error) => {
      if (error !== null) this.#pause(error);
      this.#lookSoon();
    });
  }

  /** Fetches until `stop`; every commit may add addresses to the queue. */
  start(): void {
    const { database, clock } = this.#parts;
    this.#isStarted = true;
    this.#refused = queue.refusedUntil(database, clock.now());
    this.#unsubscribe = database.onCommit(() => this.#lookSoon());
    this.#look();
  }

  /** Aborts the fetches under way and writes the results so far; nothing is written once it resolves. */
  async stop(): Promise<void> {
    this.#end.abort();
    this.#unsubscribe();
    this.#cancelTimer();
    await Promise.all(this.#running.values());
    this.#writes.flush();
  }

  /** How many fetches are under way. */
  get running(): number {
    return this.#running.size;
  }

  /** Fetches the covers of these addresses before all others, in this order. */
  toFront(adresses: readonly string[]): void {
    this.#front = new Set([...adresses, ...this.#front].slice(0, MAX_FRONT));
    this.#lookSoon();
  }

  /** Counts a request for a cover by ISBN that a screen makes now; `false` where none may be made. */
  takeCounted(): boolean {
    const { clock } = this.#parts;
    const now = clock.now();
    const limiter = this.#limiterOf(ISBN_HOST);
    if (!limiter.isFree(now)) return false;
    limiter.count(now);
    this.#writes.add(`screen ${this.#screenRequests++}`, (tx) =>
      queue.writeCounted(tx, now, now - COUNTED_MS),
    );
    return true;
  }

  /** Takes a picture that stands for none from the books that met it before that was known. */
  dropPlaceholder(cle: string): void {
    this.#writes.add(`placeholder ${cle}`, this.#results.placeholder(cle));
  }

  /** Keeps the picture that a screen's request has given, where an address of the queue lacks it. */
  keep(adresses: readonly string[], { content }: Image): void {
    const { database } = this.#parts;
    if (this.#running.size >= AT_A_TIME) return;
    const missing = adresses.find((adresse) => queue.isMissing(database, adresse));
    if (missing === undefined || this.#running.has(missing) || this.#end.signal.aborted) return;
    const begun = this.#parts.clock.now();
    const keeping = this.#results
      .kept(missing, content, begun)
      .then((write) => this.#writes.add(missing, write))
      // The address stays in the queue, which finds out what is wrong with the picture.
      .catch((error: unknown) => isUnexpected(judge(error)) && this.#parts.failed(error))
      .finally(() => this.#running.delete(missing));
    this.#running.set(
      missing,
      keeping.then(() => undefined),
    );
  }

  /** Puts all that is missing back into the queue. */
  retry(tx: Transaction): void {
    this.#pausedUntil = 0;
    const due = Number.MAX_SAFE_INTEGER;
    queue.wakeDue(tx, due, ISBN_HOST, 'withoutRefusing');
  }

  /** Counts all covers by state; while the disk is full, what waits is counted under that reason. */
  etat(): EtatCouvertures {
    const etat = queue.readEtat(this.#parts.database);
    const isPaused = this.#pausedUntil > this.#parts.clock.now();
    if (!isPaused || !this.#isDiskFull || etat.attente === 0) return etat;
    const prochainEssai = new Date(this.#pausedUntil).toISOString();
    const waiting = { raison: 'disque', nombre: etat.attente, prochainEssai } as const;
    return { ...etat, attente: 0, plusTard: [...etat.plusTard, waiting] };
  }

  /** Looks once for all events of one turn of the event loop. */
  #lookSoon(): void {
    if (this.#isLooking || !this.#isStarted) return;
    this.#isLooking = true;
    setImmediate(() => {
      this.#isLooking = false;
      this.#look();
    });
  }

  /** Begins the fetches that may begin now, and sets the timer for the next one. */
  #look(): void {
    if (this.#end.signal.aborted) return;
    const { clock } = this.#parts;
    this.#cancelTimer();
    const now = clock.now();
    let next = this.#pausedUntil;
    if (this.#parts.database.writeLock.isHeld) next = Math.max(next, now + LOCK_CHECK_MS);
    try {
      if (next <= now) next = this.#beginAll(now);
    } catch (error) {
      this.#pause(error);
      next = this.#pausedUntil;
    }
    if (next !== Infinity) this.#cancelTimer = clock.after(next - now, () => this.#look());
  }

  /** Begins fetches of all hosts; returns when to look again. */
  #beginAll(now: number): number {
    const { database } = this.#parts;
    if ((queue.nextDue(database) ?? Infinity) <= now)
      database.write((tx) => queue.wakeDue(tx, now, ISBN_HOST));
    let next = queue.nextDue(database) ?? Infinity;
    const hosts = queue
      .waitingHosts(database)
      .map((hote) => ({ hote, limiter: this.#limiterOf(hote) }));
    // The host that was asked longest ago comes first, so that no host takes all the places.
    hosts.sort((a, b) => a.limiter.lastBegin - b.limiter.lastBegin);
    for (const { hote, limiter } of hosts) next = Math.min(next, this.#beginOf(hote, limiter, now));
    return next;
  }

  #beginOf(hote: string, limiter: RateLimiter, now: number): number {
    while (this.#running.size < AT_A_TIME) {
      const at = limiter.nextBegin(now);
      if (at > now) return at;
      const waiting = this.#pick(hote);
      if (waiting === undefined) return Infinity;
      limiter.begin(now);
      const fetching = this.#fetch(waiting, limiter).finally(() => {
        limiter.end();
        this.#running.delete(waiting.adresse);
        this.#lookSoon();
      });
      this.#running.set(waiting.adresse, fetching);
    }
    return Infinity;
  }

  #pick(hote: string): queue.Waiting | undefined {
    const { database } = this.#parts;
    const isFree = (adresse: string) => !this.#running.has(adresse) && !this.#writes.has(adresse);
    for (const adresse of this.#front) {
      if (!isFree(adresse)) continue;
      const waiting = queue.waitingAdresse(database, adresse);
      if (waiting === undefined || waiting.hote === hote) this.#front.delete(adresse);
      if (waiting?.hote === hote) return waiting;
    }
    const most = this.#running.size + this.#writes.size + 1;
    return queue.waitingOf(database, hote, most).find(({ adresse }) => isFree(adresse));
  }

  async #fetch(waiting: queue.Waiting, limiter: RateLimiter): Promise<void> {
    const { database, clock } = this.#parts;
    const { adresse } = waiting;
    const begun = clock.now();
    try {
      if (!queue.isNamed(database, adresse)) {
        this.#writes.add(adresse, (tx) => queue.forgetAdresse(tx, adresse));
        return;
      }
      const image = await this.#ask(waiting);
      limiter.noteAnswer();
      this.#settle(waiting, begun, await this.#results.kept(adresse, image.content, begun));
    } catch (error) {
      this.#fail(waiting, limiter, begun, error);
    }
  }

  #ask({ adresse, source }: queue.Waiting) {
    const { sources } = this.#parts;
    const { signal } = this.#end;
    const isbn = isbnOf(adresse);
    if (source === 0 || isbn === null) return sources.first(adresse, signal);
    return sources.second(isbn, { owner: 'covers', signal });
  }

  #fail(waiting: queue.Waiting, limiter: RateLimiter, begun: number, error: unknown): void {
    if (this.#end.signal.aborted) {
      // Aborted: the request was sent all the same, and is counted.
      this.#settle(waiting, begun, () => undefined);
      return;
    }
    const { clock } = this.#parts;
    const verdict = judge(error);
    const now = clock.now();
    if (verdict.kind === 'none') {
      limiter.noteAnswer();
      this.#settle(waiting, begun, this.#results.none(waiting, begun));
      return;
    }
    const { raison, retryAfterMs } = verdict;
    // A refusal is the service's own: its disk is full, or no process can be started that decodes.
    if (raison === 'disque' || error instanceof Refusal) {
      this.#pause(error);
      return;
    }
    const prochainEssai = now + waitAfter(waiting.essais, retryAfterMs);
    if (raison === 'injoignable') limiter.noteSilence(now);
    else limiter.noteAnswer();
    if (raison === 'refus') limiter.pauseUntil(prochainEssai);
    const essais = waiting.essais + 1;
    const later = { etat: 'plusTard', raison, essais, demandeLe: begun, prochainEssai } as const;
    this.#settle(waiting, begun, (tx) => queue.writeNothing(tx, waiting.adresse, later));
  }

  /** Has the result of a fetch written, with the request itself where its host counts them. */
  #settle({ adresse, hote }: queue.Waiting, begun: number, write: (tx: Transaction) => void): void {
    this.#writes.add(adresse, (tx) => {
      write(tx);
      if (hote === ISBN_HOST) queue.writeCounted(tx, begun, begun - COUNTED_MS);
    });
  }

  /** Pauses all fetches for a minute; an unexpected error goes to `failed`. */
  #pause(error: unknown): void {
    const verdict = judge(error);
    this.#isDiskFull = verdict.kind === 'later' && verdict.raison === 'disque';
    if (!this.#isDiskFull) this.#parts.failed(error);
    this.#pausedUntil = this.#parts.clock.now() + PAUSE_MS;
  }

  #limiterOf(hote: string): RateLimiter {
    let limiter = this.#limiters.get(hote);
    if (limiter === undefined) {
      const { database, clock } = this.#parts;
      limiter = openRateLimiter(hote, () => queue.countedSince(database, clock.now() - COUNTED_MS));
      limiter.pauseUntil(this.#refused.get(hote) ?? 0);
      this.#limiters.set(hote, limiter);
    }
    return limiter;
  }
}
