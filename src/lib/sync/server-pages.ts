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
import type { FirstPages } from './first-pages.ts';
import { PageLimit } from './page-limit.ts';
import type { ClockPort, ServerPort } from './ports.ts';
import { report } from './report.ts';
import type { Reader } from './status.ts';
import { after } from './time.ts';

/** The least time between two tries that events cause, in milliseconds. */
const FLOOR_MS = 3_000;

/** How many pages may wait for the one before to be written: more would only fill the memory. */
const MAX_PREFETCHED = 2;

interface ServerPagesOptions {
  readonly server: ServerPort;
  readonly clock: ClockPort;
  readonly reader: Reader;
  /** Tries that failed just before: the first one waits as long as the next one would. */
  readonly failures: number;
  readonly first: FirstPages | null;
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

/** The pages of the server's journal, each asked for until it is there, and the next ones while it is written. */
export class ServerPages {
  readonly #options: ServerPagesOptions;
  readonly #limit: PageLimit;
  readonly #wake = new Subject<void>();
  /** What comes one after the other. */
  #prefetched: Prefetched[] = [];
  #failures: number;
  #triedAt: number;

  constructor(options: ServerPagesOptions) {
    this.#options = options;
    const { first } = options;
    this.#limit = first?.limit ?? new PageLimit();
    if (first !== null) this.#takeOver(first);
    this.#failures = options.failures;
    this.#triedAt = options.clock.now();
  }

  /** Brings the next try forward, but keeps `FLOOR_MS` between two tries. */
  wake(): void {
    this.#wake.next();
  }

  /** Asks for the pages after one that is being written. A failure is told to who asks for that page. */
  prefetch(after: ChangePage, modifications: boolean): void {
    // Another tab may have written: what was asked for behind its pages is of no use.
    if (!this.#prefetched.some(({ from }) => isSame(from, after))) this.#prefetched = [];
    void this.#prefetchBehind(
      this.#prefetched.at(-1)?.page ?? Promise.resolve(after),
      modifications,
    );
  }

  async #prefetchBehind(last: Promise<ChangePage>, modifications: boolean): Promise<void> {
    const after = await last.catch(() => null);
    const isLast = (this.#prefetched.at(-1)?.page ?? last) === last;
    const isFull = this.#prefetched.length >= MAX_PREFETCHED;
    if (after === null || after.complet || !isLast || isFull) return;
    const page = this.#pull(after, modifications);
    this.#prefetched.push({ from: checkpointOf(after), modifications, page });
    await this.#prefetchBehind(page, modifications);
  }

  #takeOver({ first, second }: FirstPages): void {
    this.#prefetched = [{ from: null, modifications: false, page: first }];
    first.then(
      (page) => {
        if (page.complet) return;
        this.#prefetched.push({ from: checkpointOf(page), modifications: false, page: second });
      },
      () => undefined,
    );
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
    const [next] = this.#prefetched;
    if (next?.modifications !== modifications || !isSame(next.from, from)) return null;
    this.#prefetched.shift();
    return next.page;
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
