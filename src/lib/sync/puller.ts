import type { Change, ChangePage, Checkpoint } from '#shared/replication';
import type { Copy } from './copy.ts';
import type { KeptCheckpoint } from './envelope.ts';
import { Failure } from './failure.ts';
import type { ClockPort, ServerPort } from './ports.ts';
import type { Reader } from './states.ts';

/** The limit of a first page: enough for a first screen, and quick on any line. */
export const FIRST_LIMIT = 200;

/** The highest limit: more would block a slow phone while it parses the page. */
const MAX_LIMIT = 2_000;

/** How long a page should take, in milliseconds: the limit of the next one adapts. */
const AIM_MS = 1_500;

/** A page that is on the device. */
export interface PulledPage {
  readonly changes: readonly Change[];
  readonly checkpoint: KeptCheckpoint;
  /** The checkpoint of the copy before. */
  readonly since: KeptCheckpoint | null;
}

interface PullTarget {
  readonly copy: Copy;
  readonly reader: Reader;
  /** False for the initial sync, which is faster without acts; they come in the pull after it. */
  readonly modifications: boolean;
  readonly signal: AbortSignal;
  /** Called with each page once it is on the device. */
  readonly arrived: (page: PulledPage) => Promise<void>;
}

/** Pulls the missing changes of a copy, page by page. */
export class Puller {
  readonly #server: ServerPort;
  readonly #clock: ClockPort;
  #limit = FIRST_LIMIT;

  constructor(server: ServerPort, clock: ClockPort) {
    this.#server = server;
    this.#clock = clock;
  }

  /**
   * Brings a copy up to the server and returns the revision that it has reached. While a page is
   * written the next one is requested. Throws a `Failure`; earlier pages stay.
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
        // If writing fails first, nobody awaits it.
        coming.catch(() => undefined);
      }
      // Parsing took its time, and writing and showing will: the browser gets a turn between.
      await this.#clock.pause();
      const whole = complet || (copy.checkpoint?.whole ?? false);
      const checkpoint = { epoque, revision, whole };
      const changes = copy.news(page.changements);
      const since = copy.checkpoint;
      await copy.apply(changes, checkpoint);
      // The page is on the device and is not pulled again: it is shown even if the pull was aborted.
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
