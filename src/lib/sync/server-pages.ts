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
  /** Called before each try. */
  onTry(): void;
  /** Called with each try that failed and is followed by another. */
  onFailure(kind: FailureKind): void;
}

/** The pages of the server's journal, each asked for until it is there. */
export class ServerPages {
  readonly #options: ServerPagesOptions;
  readonly #limit = new PageLimit();
  readonly #wake = new Subject<void>();
  #first: Promise<ChangePage> | null;
  #failures: number;
  #triedAt: number;

  constructor(options: ServerPagesOptions) {
    this.#options = options;
    this.#first = options.first;
    this.#failures = options.failures;
    this.#triedAt = options.clock.now();
  }

  /** Brings the next try forward, but keeps `FLOOR_MS` between two tries. */
  wake(): void {
    this.#wake.next();
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
    const { server, clock, reader, signal } = this.#options;
    this.#triedAt = clock.now();
    this.#options.onTry();
    const first = from === null && !modifications ? this.#first : null;
    this.#first = null;
    const checkpoint = from && { epoque: from.epoque, revision: from.revision };
    const size = { limit: this.#limit.value, modifications };
    const page = await (first ?? server.pull(checkpoint, size, signal));
    if (page.utilisateur !== reader) throw new Failure('otherReader');
    this.#limit.fit(page.changements.length, clock.now() - this.#triedAt);
    this.#failures = 0;
    return page;
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
