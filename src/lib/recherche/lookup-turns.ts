import type { LookupResult } from './lookup.ts';

/** Lookups at a time: as many as a source takes of one person. */
const MAX_RUNNING = 2;

/** After so many without an answer, one behind the other, the catalogues are left alone for a while. */
const MAX_SILENCES = 2;
const REST_MS = 60_000;

interface Options {
  readonly lookUp: (code: string) => Promise<LookupResult>;
  /** Told when it may be tried again whether the catalogues answer. */
  readonly onrested?: () => void;
  /** Told when they answer again. */
  readonly onwake?: () => void;
}

/** The lookups of many codes, side by side. While the catalogues are silent the rest is not asked. */
export class LookupTurns {
  readonly #options: Options;
  /** Each takes over the place of one that is done. */
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #silences = 0;
  #isResting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Looks a code up in its turn; `null` where nothing was asked, as the catalogues are silent. */
  async ask(code: string): Promise<LookupResult | null> {
    if (this.#running < MAX_RUNNING) this.#running++;
    else await new Promise<void>((resume) => this.#waiting.push(resume));
    try {
      if (this.#isResting) return null;
      const result = await this.#options.lookUp(code);
      this.#note(result.outcome === 'silent' || result.outcome === 'failed');
      return result;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  /** A person asks again: at once. */
  wake(): void {
    clearTimeout(this.#timer);
    this.#isResting = false;
    this.#silences = 0;
  }

  #note(isSilence: boolean): void {
    const wereSilent = this.#silences >= MAX_SILENCES;
    if (!isSilence) {
      this.wake();
      if (wereSilent) this.#options.onwake?.();
      return;
    }
    this.#silences++;
    if (this.#silences < MAX_SILENCES || this.#isResting) return;
    this.#isResting = true;
    this.#timer = setTimeout(() => {
      this.#isResting = false;
      this.#options.onrested?.();
    }, REST_MS);
  }
}
