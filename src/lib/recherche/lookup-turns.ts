import { lookUp, type LookupResult } from './lookup.ts';

/** Lookups at a time: as many as a source takes of one person. */
const MAX_RUNNING = 2;

/** After so many without an answer, one behind the other, the catalogues are left alone for a while. */
const MAX_SILENCES = 2;
const REST_MS = 60_000;

/** A lookup goes on while other screens are open. */
const NEVER = new AbortController().signal;

/** The lookups of many codes, side by side. While the catalogues are silent the rest is not asked. */
export class LookupTurns {
  readonly #onrested: () => void;
  readonly #onwake: () => void;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #silences = 0;
  #isResting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param onrested told when it may be tried again whether they answer
   * @param onwake told when they answer again
   */
  constructor(onrested: () => void = () => undefined, onwake: () => void = () => undefined) {
    this.#onrested = onrested;
    this.#onwake = onwake;
  }

  /** Looks a code up in its turn; `null` where nothing was asked, as the catalogues are silent. */
  async ask(code: string): Promise<LookupResult | null> {
    if (this.#running >= MAX_RUNNING)
      await new Promise<void>((resume) => this.#waiting.push(() => resume()));
    if (this.#isResting) {
      this.#waiting.shift()?.();
      return null;
    }
    this.#running++;
    try {
      const result = await lookUp(code, NEVER);
      this.#note(result.outcome === 'silent' || result.outcome === 'failed');
      return result;
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
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
      if (wereSilent) this.#onwake();
      return;
    }
    this.#silences++;
    if (this.#silences < MAX_SILENCES || this.#isResting) return;
    this.#isResting = true;
    this.#timer = setTimeout(() => {
      this.#isResting = false;
      this.#onrested();
    }, REST_MS);
  }
}
