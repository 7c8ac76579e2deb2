import type { ChangePage, Checkpoint } from '#shared/replication';
import type { ClockPort, ServerPort } from './ports.ts';
import { unawaited } from './report.ts';

/** The limit of a first page: enough for a first screen, and quick on any line. */
const FIRST_LIMIT = 200;

/** The highest limit: more would block a slow phone while it parses the page. */
const MAX_LIMIT = 4_000;

/** The intended duration of a page, in milliseconds. */
const AIM_MS = 1_500;

const MAX_GROWTH = 4;

/** How many pages may wait for the previous one to be written: bounds the memory. */
const MAX_PREFETCHED = 2;

interface NextPage {
  readonly from: Checkpoint | null;
  readonly modifications: boolean;
  readonly page: Promise<ChangePage>;
}

/**
 * The pages of the server's journal: as large as the connection allows in time, the next ones prefetched while one is
 * written.
 */
export class Pages {
  readonly #server: ServerPort;
  readonly #clock: ClockPort;
  readonly #stopping = new AbortController();
  /** The page requested first by `begin`. */
  first: Promise<ChangePage> | null = null;
  #limit = FIRST_LIMIT;
  #prefetched: NextPage[] = [];
  #underway = 0;

  constructor({ server, clock }: { readonly server: ServerPort; readonly clock: ClockPort }) {
    this.#server = server;
    this.#clock = clock;
  }

  /**
   * Requests the page after a checkpoint before RxDB does, which still has to be loaded, or read the disk.
   *
   * @returns `null` if a page is being loaded already
   */
  begin(from: Checkpoint | null, modifications: boolean): Promise<ChangePage> | null {
    if (this.#underway > 0 || this.#prefetched.length > 0) return null;
    const page = this.#pull(from, modifications);
    this.first ??= page;
    this.#prefetched = [{ from, modifications, page }];
    unawaited(this.#prefetch(modifications), 'asking for the pages ahead');
    return page;
  }

  /** The page after a checkpoint. Throws a `Failure`. */
  async after(from: Checkpoint | null, modifications: boolean): Promise<ChangePage> {
    const page = await (this.#take(from, modifications) ?? this.#pull(from, modifications));
    // If another tab has written, the prefetched pages are useless.
    if (!this.#prefetched.some((next) => isSame(next.from, page))) this.#prefetched = [];
    unawaited(this.#prefetch(modifications, page), 'asking for the pages ahead');
    return page;
  }

  /** Discards prefetched pages. */
  forget(): void {
    this.#prefetched = [];
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #pull(from: Checkpoint | null, modifications: boolean): Promise<ChangePage> {
    const begun = this.#clock.now();
    const size = { limit: this.#limit, modifications };
    this.#underway++;
    try {
      const checkpoint = from && checkpointOf(from);
      const page = await this.#server.pull(checkpoint, size, this.#stopping.signal);
      // A small page does not measure the connection.
      if (page.changements.length >= this.#limit / 2) {
        const ms = Math.max(this.#clock.now() - begun, 1);
        const limit = this.#limit * Math.min(MAX_GROWTH, Math.max(0.5, AIM_MS / ms));
        this.#limit = Math.round(Math.min(MAX_LIMIT, Math.max(FIRST_LIMIT, limit)));
      }
      return page;
    } finally {
      this.#underway--;
    }
  }

  #take(from: Checkpoint | null, modifications: boolean): Promise<ChangePage> | null {
    const [next] = this.#prefetched;
    if (next?.modifications !== modifications || !isSame(next.from, from)) return null;
    this.#prefetched.shift();
    return next.page;
  }

  /** Prefetches the pages after the last one. Failures are thrown when the page is requested. */
  async #prefetch(modifications: boolean, taken?: ChangePage): Promise<void> {
    const last = this.#prefetched.at(-1)?.page;
    const page = last === undefined ? taken : await last.catch(() => undefined);
    const isFull = this.#prefetched.length >= MAX_PREFETCHED;
    if (page === undefined || page.complet || isFull) return;
    if (this.#prefetched.at(-1)?.page !== last || this.#stopping.signal.aborted) return;
    const from = checkpointOf(page);
    this.#prefetched.push({ from, modifications, page: this.#pull(from, modifications) });
    await this.#prefetch(modifications);
  }
}

const checkpointOf = ({ epoque, revision }: Checkpoint): Checkpoint => ({ epoque, revision });

const isSame = (a: Checkpoint | null, b: Checkpoint | null): boolean =>
  a?.epoque === b?.epoque && a?.revision === b?.revision;
