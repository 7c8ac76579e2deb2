import type { Row } from '#shared/change-reader';
import type { EtatCouvertures } from '#shared/couvertures';
import { DAY_MS } from '#shared/days';
import { Refusal } from '#shared/refusals';
import { isBusy, type Database } from '#server/plumbing/database/database';
import { isFullDisk } from '#server/plumbing/database/files';
import type { Transaction } from '#server/plumbing/database/connection';
import { BadAnswer } from '#server/plumbing/upstream/http';
import { restAfter } from '#server/plumbing/upstream/sources';
import { DeadlyPicture, DotPicture, UnreadablePicture } from './image.ts';
import type { Clock, CoverStore } from './cover-store.ts';
import * as addresses from './addresses.ts';
import { BNF_HOST, COUNTED_MS, ISBN_HOST, type Raison, type WaitingAddress } from './addresses.ts';
import { isbnOf, NoImage, type CoverSources, type Image } from './sources.ts';

interface Failure {
  readonly raison: Raison;
  readonly retryAfterMs: number | null;
}

const REFUSING = new Set([403, 429]);
const TRANSIENT = new Set([408, 425]);

/** `null` if the error means that there is no picture (docs/rules.md § 43). */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof DotPicture || error instanceof DeadlyPicture) return null;
  if (error instanceof NoImage) return failureOfStatus(error);
  if (error instanceof BadAnswer || error instanceof UnreadablePicture) return toFailure('erreur');
  if (isFullDisk(error) || (error instanceof Refusal && error.code === 'DISQUE_PLEIN'))
    return toFailure('disque');
  return toFailure('injoignable');
}

function failureOfStatus({ status, retryAfterMs }: NoImage): Failure | null {
  if (REFUSING.has(status)) return toFailure('refus', retryAfterMs);
  const isFailure = status >= 500 || TRANSIENT.has(status) || (status >= 200 && status < 400);
  // A source with a Retry-After means all its covers, whatever the status.
  return isFailure ? toFailure(retryAfterMs === null ? 'erreur' : 'refus', retryAfterMs) : null;
}

const toFailure = (raison: Raison, retryAfterMs: number | null = null): Failure => ({
  raison,
  retryAfterMs,
});

/** The first wait after a failure, doubled each time, and the longest. */
const BACK_OFF_MS = 10 * 60_000;
const MAX_BACK_OFF_MS = 7 * DAY_MS;
const MIN_WAIT_MS = 60_000;

/**
 * In milliseconds.
 *
 * @param essais how many attempts have failed before
 * @param retryAfterMs the source's own wish
 */
export const waitAfter = (essais: number, retryAfterMs: number | null): number =>
  Math.max(retryAfterMs ?? Math.min(BACK_OFF_MS * 2 ** essais, MAX_BACK_OFF_MS), MIN_WAIT_MS);

const HOST_AT_A_TIME = 6;
/** The same number of concurrent requests to the BnF as for one person. */
const BNF_AT_A_TIME = 2;
/** Limit for covers by ISBN within `COUNTED_MS`. */
const MAX_COUNTED = 100;

/** When a host may be asked again (docs/rules.md § 43). */
export class RateLimiter {
  lastBegin = 0;
  readonly #atATime: number;
  #running = 0;
  #pausedUntil = 0;
  #silences = 0;
  /** When the counted requests of the last minutes began, earliest first; `null` where none are counted. */
  #begun: number[] | null;

  /** @param counted the times of recent requests to the host that counts them */
  constructor(hote: string, counted: () => readonly number[]) {
    this.#atATime = hote === BNF_HOST ? BNF_AT_A_TIME : HOST_AT_A_TIME;
    this.#begun = hote === ISBN_HOST ? [...counted()] : null;
  }

  nextBegin(now: number): number {
    return this.#running >= this.#atATime ? Infinity : this.#freeAt(now);
  }

  /** Like `nextBegin`, but ignores running requests. */
  isFree(now: number): boolean {
    return this.#freeAt(now) <= now;
  }

  begin(now: number): void {
    this.#running++;
    this.lastBegin = now;
    this.count(now);
  }

  end(): void {
    this.#running--;
  }

  count(now: number): void {
    this.#begun?.push(now);
  }

  noteAnswer(): void {
    this.#silences = 0;
  }

  pauseUntil(instant: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, instant);
  }

  noteSilence(now: number): void {
    if (this.#pausedUntil <= now) this.pauseUntil(now + restAfter(++this.#silences));
  }

  #freeAt(now: number): number {
    if (this.#pausedUntil > now + MAX_BACK_OFF_MS) this.#pausedUntil = 0;
    return Math.max(this.#pausedUntil, this.#freeOfCount(now));
  }

  #freeOfCount(now: number): number {
    if (this.#begun === null) return 0;
    // Requests that began in the future, by a clock put back since, count from now on, so that they expire.
    this.#begun = this.#begun
      .map((instant) => Math.min(instant, now))
      .filter((instant) => instant > now - COUNTED_MS);
    const earliest = this.#begun.at(-MAX_COUNTED);
    return earliest === undefined ? 0 : earliest + COUNTED_MS;
  }
}

/** Each commit makes all devices pull, so that results are collected for this long. */
const WRITE_MS = 1_000;

type TxWrite = (tx: Transaction) => void;

export class BatchedWrites {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onWritten: (error: unknown) => void;
  readonly #writes = new Map<string, TxWrite>();
  #cancelTimer: () => void = () => undefined;

  /** @param onWritten called after each transaction, with its error or `null` */
  constructor(database: Database, clock: Clock, onWritten: (error: unknown) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#onWritten = onWritten;
  }

  get size(): number {
    return this.#writes.size;
  }

  has(adresse: string): boolean {
    return this.#writes.has(adresse);
  }

  add(adresse: string, write: TxWrite): void {
    if (this.#writes.size === 0) this.#flushLater();
    this.#writes.set(adresse, write);
  }

  /** On a failure the writes are dropped: their addresses still wait. */
  flush(): void {
    this.#cancelTimer();
    if (this.#writes.size > 0) this.#record(this.#write());
  }

  #flushLater(): void {
    this.#cancelTimer = this.#clock.after(WRITE_MS, () => {
      if (this.#database.writeLock.isHeld) this.#flushLater();
      else this.#tryToFlush();
    });
  }

  #tryToFlush(): void {
    const failure = this.#write();
    if (isBusy(failure)) this.#flushLater();
    else this.#record(failure);
  }

  /** Returns the error, or `null`. */
  #write(): unknown {
    try {
      this.#database.write((tx) => {
        for (const write of this.#writes.values()) write(tx);
      });
      return null;
    } catch (error) {
      return error;
    }
  }

  #record(failure: unknown): void {
    this.#writes.clear();
    this.#onWritten(failure);
  }
}

/** Fetches at a time, each with a picture of up to 10 MiB in memory. */
const AT_A_TIME = 12;
/** How many addresses may be prioritised; the latest ones win. */
const MAX_FRONT = 500;
const PAUSE_MS = 60_000;
/** How often the write lock is checked while another writer has it. */
const LOCK_CHECK_MS = 1_000;

interface FetcherParts {
  readonly database: Database;
  readonly store: CoverStore;
  readonly sources: Pick<CoverSources, 'first' | 'second'>;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
}

/** Fetches missing covers: those on a screen first, then in the catalogue's order (docs/rules.md § 43). */
export class CoverFetcher {
  readonly #parts: FetcherParts;
  readonly #limiters = new Map<string, RateLimiter>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #writes: BatchedWrites;
  readonly #end = new AbortController();
  #front = new Set<string>();
  #pausedUntil = 0;
  #isDiskFull = false;
  /** The last results could not be written: fetching pauses until the database accepts writes. */
  #isUnwritten = false;
  #cancelTimer: () => void = () => undefined;
  #unsubscribe: () => void = () => undefined;
  #screenRequests = 0;
  #isLooking = false;
  #isStarted = false;

  constructor(parts: FetcherParts) {
    this.#parts = parts;
    this.#writes = new BatchedWrites(parts.database, parts.clock, (error) => {
      this.#isUnwritten = error !== null;
      if (error !== null) this.#pause(error);
      this.#lookSoon();
    });
  }

  /** Fetches until `stop`; every commit may have added addresses. */
  start(): void {
    const { database, clock } = this.#parts;
    this.#isStarted = true;
    for (const { hote, until } of addresses.refusingHosts(database, clock.now()))
      this.#limiterOf(hote).pauseUntil(until);
    this.#unsubscribe = database.onCommit(() => this.#lookSoon());
    this.#look();
  }

  /** Aborts the running fetches and writes the results so far; nothing is written after it resolves. */
  async stop(): Promise<void> {
    this.#end.abort();
    this.#unsubscribe();
    this.#cancelTimer();
    await Promise.all(this.#running.values());
    this.#writes.flush();
  }

  get running(): number {
    return this.#running.size;
  }

  toFront(adresses: readonly string[]): void {
    this.#front = new Set([...adresses, ...this.#front].slice(0, MAX_FRONT));
    this.#lookSoon();
  }

  /** Counts a screen's request for a cover by ISBN; `false` if the limit is reached. */
  takeCounted(): boolean {
    const now = this.#parts.clock.now();
    const limiter = this.#limiterOf(ISBN_HOST);
    if (!limiter.isFree(now)) return false;
    limiter.count(now);
    this.#writes.add(`screen ${this.#screenRequests++}`, (tx) => addresses.writeCounted(tx, now));
    return true;
  }

  keep(adresses: readonly string[], { content }: Image): void {
    const { database, clock, failed } = this.#parts;
    if (this.#running.size >= AT_A_TIME || this.#end.signal.aborted) return;
    const missing = adresses.find((adresse) => addresses.lacksPicture(database, adresse));
    if (missing === undefined || this.#running.has(missing)) return;
    this.#run(missing, async () => {
      try {
        this.#writes.add(missing, await this.#kept(missing, content, clock.now()));
      } catch (error) {
        // The address waits on, until the fault of the picture is found out.
        if (failureOf(error)?.raison === 'injoignable') failed(error);
      }
    });
  }

  /** Requeues all missing covers, except of hosts with a Retry-After. */
  retry(tx: Transaction): void {
    this.#pausedUntil = 0;
    addresses.wake(tx, Infinity, "AND raison IS NOT 'refus'");
  }

  /** Counts covers by state; while the disk is full, waiting ones count under that reason. */
  etat(): EtatCouvertures {
    const { database, clock } = this.#parts;
    const etat = addresses.countCovers(database);
    if (!this.#isDiskFull || this.#pausedUntil <= clock.now() || etat.attente === 0) return etat;
    const prochainEssai = new Date(this.#pausedUntil).toISOString();
    const waiting = { raison: 'disque', nombre: etat.attente, prochainEssai } as const;
    return { ...etat, attente: 0, plusTard: [...etat.plusTard, waiting] };
  }

  /** Checks once for all events of one event-loop turn. */
  #lookSoon(): void {
    if (this.#isLooking || !this.#isStarted) return;
    this.#isLooking = true;
    setImmediate(() => {
      this.#isLooking = false;
      this.#look();
    });
  }

  #look(): void {
    if (this.#end.signal.aborted) return;
    const { clock, database } = this.#parts;
    this.#cancelTimer();
    const now = clock.now();
    if (this.#pausedUntil > now + PAUSE_MS) this.#pausedUntil = 0;
    let next = this.#pausedUntil;
    if (database.writeLock.isHeld) next = Math.max(next, now + LOCK_CHECK_MS);
    try {
      if (next <= now) next = this.#beginAll(now);
    } catch (error) {
      if (isBusy(error)) next = now + LOCK_CHECK_MS;
      else {
        this.#pause(error);
        next = this.#pausedUntil;
      }
    }
    if (next !== Infinity) this.#cancelTimer = clock.after(next - now, () => this.#look());
  }

  #beginAll(now: number): number {
    const { database } = this.#parts;
    if (this.#isUnwritten) database.verify();
    if (addresses.nextDue(database, now) <= now) database.write((tx) => addresses.wake(tx, now));
    const hosts = addresses
      .waitingHosts(database)
      .map((hote) => ({ hote, limiter: this.#limiterOf(hote) }));
    // The host asked longest ago comes first, so that none takes all slots.
    hosts.sort((a, b) => a.limiter.lastBegin - b.limiter.lastBegin);
    return hosts.reduce(
      (next, { hote, limiter }) => Math.min(next, this.#beginOf(hote, limiter, now)),
      addresses.nextDue(database, now),
    );
  }

  #beginOf(hote: string, limiter: RateLimiter, now: number): number {
    while (this.#running.size < AT_A_TIME) {
      const at = limiter.nextBegin(now);
      if (at > now) return at;
      const waiting = this.#pick(hote);
      if (waiting === undefined) return Infinity;
      limiter.begin(now);
      this.#run(waiting.adresse, () =>
        this.#fetch(waiting, limiter).finally(() => {
          limiter.end();
          this.#lookSoon();
        }),
      );
    }
    return Infinity;
  }

  #run(adresse: string, work: () => Promise<void>): void {
    this.#running.set(
      adresse,
      work().finally(() => this.#running.delete(adresse)),
    );
  }

  #pick(hote: string): WaitingAddress | undefined {
    const { database } = this.#parts;
    const isFree = (adresse: string) => !this.#running.has(adresse) && !this.#writes.has(adresse);
    for (const adresse of this.#front) {
      if (!isFree(adresse)) continue;
      const waiting = addresses.waitingByAdresse(database, adresse);
      if (waiting === undefined || waiting.hote === hote) this.#front.delete(adresse);
      if (waiting?.hote === hote) return waiting;
    }
    const limit = this.#running.size + this.#writes.size + 1;
    return addresses.firstWaiting(database, hote, limit).find(({ adresse }) => isFree(adresse));
  }

  async #fetch(waiting: WaitingAddress, limiter: RateLimiter): Promise<void> {
    const { database, clock } = this.#parts;
    const { adresse } = waiting;
    const begun = clock.now();
    try {
      if (!addresses.isNamed(database, adresse)) {
        this.#writes.add(adresse, (tx) => addresses.deleteUnnamed(tx, adresse));
        return;
      }
      const image = await this.#ask(waiting);
      limiter.noteAnswer();
      this.#record(waiting, begun, await this.#kept(adresse, image.content, begun));
    } catch (error) {
      this.#fail(waiting, limiter, begun, error);
    }
  }

  #ask({ adresse, source }: WaitingAddress): Promise<Image> {
    const { sources } = this.#parts;
    const { signal } = this.#end;
    const isbn = isbnOf(adresse);
    if (source === 0 || isbn === null) return sources.first(adresse, signal);
    return sources.second(isbn, { owner: 'covers', signal });
  }

  async #kept(adresse: string, content: Buffer, begun: number): Promise<TxWrite> {
    const { store } = this.#parts;
    const picture = await store.decodeAndWrite(content);
    return (tx) => {
      store.note(tx, picture);
      addresses.writeStored(tx, adresse, picture.cle, begun);
    };
  }

  #fail(waiting: WaitingAddress, limiter: RateLimiter, begun: number, error: unknown): void {
    const { adresse, source } = waiting;
    if (this.#end.signal.aborted) {
      // An aborted request was sent all the same, and is counted.
      this.#record(waiting, begun, () => undefined);
      return;
    }
    const now = this.#parts.clock.now();
    const failure = failureOf(error);
    const record = (values: Row) =>
      this.#record(waiting, begun, (tx) => addresses.writeAsked(tx, adresse, begun, values));
    if (failure === null) {
      limiter.noteAnswer();
      if (source === 0 && isbnOf(adresse) !== null) record({ source: 1, hote: BNF_HOST });
      else this.#record(waiting, begun, (tx) => addresses.writeNone(tx, adresse, begun));
      return;
    }
    const { raison, retryAfterMs } = failure;
    // A refusal is the service's own: its disk is full, or no decoding process can be started.
    if (raison === 'disque' || error instanceof Refusal) {
      this.#pause(error);
      return;
    }
    const prochainEssai = now + waitAfter(waiting.essais, retryAfterMs);
    if (raison === 'injoignable') limiter.noteSilence(now);
    else limiter.noteAnswer();
    if (raison === 'refus') limiter.pauseUntil(prochainEssai);
    record({ etat: 'plusTard', raison, essais: waiting.essais + 1, prochainEssai });
  }

  #record({ adresse, hote }: WaitingAddress, begun: number, write: TxWrite): void {
    this.#writes.add(adresse, (tx) => {
      write(tx);
      if (hote === ISBN_HOST) addresses.writeCounted(tx, begun);
    });
  }

  /** Pauses fetching for a minute; an unexpected error goes to `failed`. */
  #pause(error: unknown): void {
    this.#isDiskFull = failureOf(error)?.raison === 'disque';
    if (!this.#isDiskFull) this.#parts.failed(error);
    this.#pausedUntil = this.#parts.clock.now() + PAUSE_MS;
  }

  #limiterOf(hote: string): RateLimiter {
    let limiter = this.#limiters.get(hote);
    if (limiter === undefined) {
      const { database, clock } = this.#parts;
      limiter = new RateLimiter(hote, () => addresses.countedRequests(database, clock.now()));
      this.#limiters.set(hote, limiter);
    }
    return limiter;
  }
}
