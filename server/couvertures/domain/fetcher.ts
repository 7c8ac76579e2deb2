import type { EtatCouvertures } from '#shared/couvertures';
import type { Database } from '#server/database/database';
import * as queue from '../store/queue.ts';
import type { Clock } from './clock.ts';
import { BatchedWrites } from './batched-writes.ts';
import type { CoverLibrary } from './library.ts';
import { COUNTED_MS, openPace, type Pace } from './pace.ts';
import { BNF_HOST, isbnOf, ISBN_HOST, type CoverSources } from './sources.ts';
import { judge, waitAfter } from './verdict.ts';

/** Fetches at a time, each with a picture of up to 10 MiB in memory. */
const AT_A_TIME = 12;
/** The most addresses that go before all others; the latest asked for stay. */
const MAX_FRONT = 500;
/** An address without a picture is asked again after thirty days. */
const NONE_MS = 30 * 24 * 3_600_000;
/** All fetches pause for this long after a full disk or an unexpected error. */
const PAUSE_MS = 60_000;

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
 * the catalogue, rows on screen first, each host at its pace (docs/rules.md § 43).
 */
export class CoverFetcher {
  readonly #parts: FetcherParts;
  readonly #paces = new Map<string, Pace>();
  readonly #running = new Map<string, Promise<void>>();
  /** The results of fetches that have ended. */
  readonly #writes: BatchedWrites;
  readonly #end = new AbortController();
  #front: ReadonlySet<string> = new Set();
  #pausedUntil = 0;
  #isDiskFull = false;
  #refused: ReadonlyMap<string, number> = new Map();
  #cancelTimer: () => void = () => undefined;
  #unsubscribe: () => void = () => undefined;
  #isLooking = false;
  #isStarted = false;

  constructor(parts: FetcherParts) {
    this.#parts = parts;
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

  /** Counts a request for a cover by ISBN that the relay has made for a screen. */
  noteCounted(): void {
    this.#paceOf(ISBN_HOST).count(this.#parts.clock.now());
  }

  /** Whether a cover by ISBN may be asked for now. */
  get mayCount(): boolean {
    const now = this.#parts.clock.now();
    return this.#paceOf(ISBN_HOST).nextBegin(now) <= now;
  }

  /** Puts all that is missing back into the queue; in a transaction. */
  retry(): void {
    this.#pausedUntil = 0;
    const due = Number.MAX_SAFE_INTEGER;
    queue.wakeDue(this.#parts.database, due, ISBN_HOST, 'withoutRefusing');
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
      database.write(() => queue.wakeDue(database, now, ISBN_HOST));
    let next = queue.nextDue(database) ?? Infinity;
    const hosts = queue.waitingHosts(database).map((hote) => ({ hote, pace: this.#paceOf(hote) }));
    // The host that was asked longest ago comes first, so that no host takes all the places.
    hosts.sort((a, b) => a.pace.lastBegin - b.pace.lastBegin);
    for (const { hote, pace } of hosts) next = Math.min(next, this.#beginOf(hote, pace, now));
    return next;
  }

  #beginOf(hote: string, pace: Pace, now: number): number {
    while (this.#running.size < AT_A_TIME) {
      const at = pace.nextBegin(now);
      if (at > now) return at;
      const waiting = this.#pick(hote);
      if (waiting === undefined) return Infinity;
      pace.begin(now);
      const fetching = this.#fetch(waiting, pace).finally(() => {
        pace.end();
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
      const waiting = isFree(adresse) ? queue.waitingAdresse(database, adresse) : undefined;
      if (waiting?.hote === hote) return waiting;
    }
    const most = this.#running.size + this.#writes.size + 1;
    return queue.waitingOf(database, hote, most).find(({ adresse }) => isFree(adresse));
  }

  async #fetch(waiting: queue.Waiting, pace: Pace): Promise<void> {
    const { database, library, clock } = this.#parts;
    const { adresse } = waiting;
    const begun = clock.now();
    try {
      if (!queue.isNamed(database, adresse)) {
        this.#writes.add(adresse, () => queue.forgetAdresse(database, adresse));
        return;
      }
      const image = await this.#ask(waiting);
      pace.noteAnswer();
      const picture = await library.prepare(image.content);
      this.#settle(waiting, begun, () => {
        library.note(picture);
        queue.writeKept(database, adresse, picture.cle, begun);
      });
    } catch (error) {
      this.#fail(waiting, pace, begun, error);
    }
  }

  #ask({ adresse, source }: queue.Waiting) {
    const { sources } = this.#parts;
    const { signal } = this.#end;
    const isbn = isbnOf(adresse);
    if (source === 0 || isbn === null) return sources.first(adresse, signal);
    return sources.second(isbn, { owner: 'covers', signal });
  }

  #fail(waiting: queue.Waiting, pace: Pace, begun: number, error: unknown): void {
    if (this.#end.signal.aborted) {
      // Aborted: the request was sent all the same, and is counted.
      this.#settle(waiting, begun, () => undefined);
      return;
    }
    const { database, clock } = this.#parts;
    const verdict = judge(error);
    const now = clock.now();
    if (verdict.kind === 'none') {
      pace.noteAnswer();
      this.#settle(waiting, begun, () => this.#writeNone(waiting, begun));
      return;
    }
    const { raison, retryAfterMs } = verdict;
    if (raison === 'disque') {
      this.#pause(error);
      return;
    }
    const prochainEssai = now + waitAfter(waiting.essais, retryAfterMs);
    if (raison === 'injoignable') pace.noteSilence(now);
    else pace.noteAnswer();
    if (raison === 'refus') pace.pauseUntil(prochainEssai);
    const essais = waiting.essais + 1;
    const later = { etat: 'plusTard', raison, essais, demandeLe: begun, prochainEssai } as const;
    this.#settle(waiting, begun, () => queue.writeNothing(database, waiting.adresse, later));
  }

  #writeNone(waiting: queue.Waiting, demandeLe: number): void {
    const { database } = this.#parts;
    const { adresse, source } = waiting;
    if (source === 0 && isbnOf(adresse) !== null) {
      queue.writeNextSource(database, waiting, BNF_HOST, demandeLe);
      return;
    }
    const prochainEssai = demandeLe + NONE_MS;
    const none = { etat: 'aucune', raison: null, essais: 0, demandeLe, prochainEssai } as const;
    queue.writeNothing(database, adresse, none);
  }

  /** Has the result of a fetch written, with the request itself where its host counts them. */
  #settle({ adresse, hote }: queue.Waiting, begun: number, write: () => void): void {
    const { database } = this.#parts;
    this.#writes.add(adresse, () => {
      write();
      if (hote === ISBN_HOST) queue.writeCounted(database, begun, begun - COUNTED_MS);
    });
  }

  /** Pauses all fetches for a minute; an unexpected error goes to `failed`. */
  #pause(error: unknown): void {
    const verdict = judge(error);
    this.#isDiskFull = verdict.kind === 'later' && verdict.raison === 'disque';
    if (!this.#isDiskFull) this.#parts.failed(error);
    this.#pausedUntil = this.#parts.clock.now() + PAUSE_MS;
  }

  #paceOf(hote: string): Pace {
    let pace = this.#paces.get(hote);
    if (pace === undefined) {
      const { database, clock } = this.#parts;
      pace = openPace(hote, () => queue.countedSince(database, clock.now() - COUNTED_MS));
      pace.pauseUntil(this.#refused.get(hote) ?? 0);
      this.#paces.set(hote, pace);
    }
    return pace;
  }
}
