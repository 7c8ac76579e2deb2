import {
  defer,
  exhaustMap,
  firstValueFrom,
  merge,
  of,
  retry,
  Subject,
  take,
  takeUntil,
  throwError,
  type Observable,
} from 'rxjs';
import type { ChangePage, Checkpoint } from '#shared/replication';
import { backOff } from './back-off.ts';
import { Failure, type FailureKind } from './failure.ts';
import { PageLimit } from './page-limit.ts';
import type { ClockPort, ServerPort } from './ports.ts';
import { report } from './report.ts';
import type { Reader } from './status.ts';
import { after } from './time.ts';

/** The least time between two tries that events cause, in milliseconds. */
const FLOOR_MS = 3_000;

interface ServerPagesOptions {
  readonly server: ServerPort;
  readonly clock: ClockPort;
  readonly reader: Reader;
  /** Tries that failed just before: the first one waits as long as the next one would. */
  readonly failures: number;
  /** A first page that is on its way already. */
  readonly first: Promise<ChangePage> | null;
  readonly stopped$: Observable<void>;
  readonly signal: AbortSignal;
  /** Called before each request. */
  onRequest(): void;
  /** Called with each try that failed and is followed by another. */
  onFailure(kind: FailureKind): void;
}

/** A page that was asked for before it is needed. */
interface Prefetched {
  readonly from: Checkpoint | null;
  readonly modifications: boolean;
  readonly page: Promise<ChangePage>;
}

/** The pages of the server's journal, each asked for until it is there, and the next one while it is written. */
export class ServerPages {
  readonly #options: ServerPagesOptions;
  readonly #limit: PageLimit;
  readonly #wake = new Subject<void>();
  #prefetched: Prefetched | null;
  #failures: number;
  #triedAt: number;

  constructor(options: ServerPagesOptions) {
    this.#options = options;
    const { first } = options;
    this.#limit = new PageLimit(first !== null);
    this.#prefetched = first && { from: null, modifications: false, page: first };
    this.#failures = options.failures;
    this.#triedAt = options.clock.now();
  }

  /** Brings the next try forward, but keeps `FLOOR_MS` between two tries. */
  wake(): void {
    this.#wake.next();
  }

  /** Asks for the page after one that is being written. A failure is told to who asks for it. */
  prefetch(after: Checkpoint, modifications: boolean): void {
    const page = this.#pull(after, modifications);
    page.catch(() => undefined);
    this.#prefetched = { from: checkpointOf(after), modifications, page };
  }

  /**
   * The page after a checkpoint. Asks until the server answers, since RxDB's own wait between tries could not
   * be cut short; throws the `Failure` of a page for another reader or of another database.
   */
  ask(checkpoint: Checkpoint | null, modifications: boolean): Promise<ChangePage> {
    const begin = this.#failures > 0 ? this.#pause() : of(undefined);
    const tries = defer(() => this.#request(checkpoint, modifications)).pipe(
      retry({ delay: (error: unknown) => this.#afterFailure(error) }),
    );
    return firstValueFrom(
      begin.pipe(
        exhaustMap(() => tries),
        takeUntil(this.#options.stopped$),
      ),
    );
  }

  async #request(from: Checkpoint | null, modifications: boolean): Promise<ChangePage> {
    const page = await (this.#takePrefetched(from, modifications) ??
      this.#pull(from, modifications));
    if (page.utilisateur !== this.#options.reader) throw new Failure('otherReader');
    this.#failures = 0;
    return page;
  }

  async #pull(from: Checkpoint | null, modifications: boolean): Promise<ChangePage> {
    const { server, clock, signal } = this.#options;
    const begun = clock.now();
    this.#triedAt = begun;
    this.#options.onRequest();
    const size = { limit: this.#limit.value, modifications };
    const page = await server.pull(from && checkpointOf(from), size, signal);
    this.#limit.fit(page.changements.length, clock.now() - begun);
    return page;
  }

  #takePrefetched(from: Checkpoint | null, modifications: boolean): Promise<ChangePage> | null {
    const prefetched = this.#prefetched;
    if (prefetched?.modifications !== modifications || !isSame(prefetched.from, from)) return null;
    this.#prefetched = null;
    return prefetched.page;
  }

  #afterFailure(error: unknown): Observable<unknown> {
    const failure = error instanceof Failure ? error : new Failure('serverFailing', error);
    report(failure, 'pulling');
    const { kind } = failure;
    if (kind === 'foreignEpoch' || kind === 'otherReader') return throwError(() => failure);
    this.#failures++;
    this.#triedAt = this.#options.clock.now();
    this.#options.onFailure(kind);
    return this.#pause(kind === 'offline');
  }

  /** The wait before the next try: the back-off, cut short by `wake`. */
  #pause(isOffline = false): Observable<void> {
    const { clock } = this.#options;
    const untilFloor = () => Math.max(0, this.#triedAt + FLOOR_MS - clock.now());
    const woken = this.#wake.pipe(exhaustMap(() => after(clock, untilFloor())));
    const ms = backOff(this.#failures, isOffline, () => clock.chance());
    return merge(after(clock, ms), woken).pipe(take(1));
  }
}

const checkpointOf = ({ epoque, revision }: Checkpoint): Checkpoint => ({ epoque, revision });

const isSame = (a: Checkpoint | null, b: Checkpoint | null): boolean =>
  a?.epoque === b?.epoque && a?.revision === b?.revision;
