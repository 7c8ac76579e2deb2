import type { Change, ChangePage, Checkpoint } from '#shared/replication';
import type { Copy } from './copy.ts';
import type { KeptCheckpoint } from './envelope.ts';
import { Failure } from './failure.ts';
import type { ClockPort, ServerPort } from './ports.ts';
import type { Reader } from './states.ts';

/** The changes of a first page: what a first screen shows, soon there on any line. */
const FIRST_LIMIT = 200;

/** The most changes of a page: more would hold up a slow phone while it reads them. */
const MAX_LIMIT = 2_000;

/** How long a page should be on its way, in milliseconds: the next one is made to fit. */
const AIM_MS = 1_500;

/** A page that is on the device. */
export interface PulledPage {
  readonly changes: readonly Change[];
  readonly checkpoint: KeptCheckpoint;
  /** How far the copy had come before. */
  readonly since: KeptCheckpoint | null;
}

/** What happens to a page that is on the device. */
export interface PullTarget {
  readonly copy: Copy;
  readonly reader: Reader;
  /** False for a first copy: it is on the screen sooner, and acts come once it is. */
  readonly modifications: boolean;
  readonly signal: AbortSignal;
  /** Puts on the screen what a page has brought, and tells how far the copy has come. */
  readonly arrived: (page: PulledPage) => Promise<void>;
}

/** Asks the server for what a copy lacks, page by page. */
export class Puller {
  readonly #server: ServerPort;
  readonly #clock: ClockPort;
  #limit = FIRST_LIMIT;

  constructor(server: ServerPort, clock: ClockPort) {
    this.#server = server;
    this.#clock = clock;
  }

  /**
   * Brings a copy up to the server, and gives the revision that it has come to. While a page is
   * written the next one is on its way. Throws a `Failure`; the pages before it stay.
   */
  async pull({ copy, reader, modifications, signal, arrived }: PullTarget): Promise<number> {
    if (copy.checkpoint === null) this.#limit = FIRST_LIMIT;
    let coming = this.#ask(copy.checkpoint, modifications, signal);
    for (;;) {
      const page = await coming;
      if (page.utilisateur !== reader) throw new Failure('otherReader');
      const { epoque, revision, complet } = page;
      if (!complet) {
        coming = this.#ask({ epoque, revision }, modifications, signal);
        // Where writing fails first, nobody waits for it any more.
        coming.catch(() => undefined);
      }
      // Reading a page has taken its time; writing and showing it take theirs.
      await this.#clock.pause();
      const whole = complet || (copy.checkpoint?.whole ?? false);
      const checkpoint = { epoque, revision, whole };
      const changes = copy.news(page.changements);
      const since = copy.checkpoint;
      await copy.apply(changes, checkpoint);
      // It is on the device and not asked for again: it goes to the screen, whatever has ended the pull.
      await arrived({ changes, checkpoint, since });
      signal.throwIfAborted();
      if (complet) return revision;
    }
  }

  async #ask(
    checkpoint: Checkpoint | null,
    modifications: boolean,
    signal: AbortSignal,
  ): Promise<ChangePage> {
    const limit = this.#limit;
    const begun = this.#clock.now();
    const from = checkpoint && { epoque: checkpoint.epoque, revision: checkpoint.revision };
    const page = await this.#server.pull(from, { limit, modifications }, signal);
    if (page.changements.length >= limit / 2) this.#fit(this.#clock.now() - begun);
    return page;
  }

  #fit(ms: number): void {
    const factor = Math.min(4, Math.max(0.5, AIM_MS / Math.max(ms, 1)));
    this.#limit = Math.round(Math.min(MAX_LIMIT, Math.max(FIRST_LIMIT, this.#limit * factor)));
  }
}
