import PQueue from 'p-queue';
import type { LookupResult } from './lookup.svelte.ts';

/** How many lookups run at a time: a source's limit for one person. */
const MAX_RUNNING = 2;

const MAX_MS = 120_000;

/** After this many lookups in a row without an answer the catalogues are left alone for a while. */
const MAX_SILENCES = 2;
const REST_MS = 60_000;

/** Looks up many codes in parallel, and pauses while the catalogues are silent. */
export class LookupTurns {
  readonly #lookUp: (code: string, signal: AbortSignal) => Promise<LookupResult>;
  readonly #lateMs: number;
  readonly #queue = new PQueue({ concurrency: MAX_RUNNING });
  #silences = 0;
  /** Until when the catalogues are left alone, on the page's clock. */
  #restsUntil = 0;

  /** @param lateMs how long an answer is waited for, from the asking, in milliseconds */
  constructor(
    lookUp: (code: string, signal: AbortSignal) => Promise<LookupResult>,
    lateMs = MAX_MS,
  ) {
    this.#lookUp = lookUp;
    this.#lateMs = lateMs;
  }

  /** Looks a code up in its turn; `null` where the catalogues were silent for too long, or are left alone. */
  ask(code: string): Promise<LookupResult | null> {
    return this.#queue.add(async () => {
      if (performance.now() < this.#restsUntil) return null;
      const result = await this.#askInTime(code);
      if (result !== null && result.outcome !== 'silent' && result.outcome !== 'failed')
        this.wake();
      else if (++this.#silences >= MAX_SILENCES) this.#restsUntil = performance.now() + REST_MS;
      return result;
    });
  }

  async #askInTime(code: string): Promise<LookupResult | null> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.#lateMs);
    try {
      return await this.#lookUp(code, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resumes after a person's request or a catalogue's response. */
  wake(): void {
    this.#restsUntil = 0;
    this.#silences = 0;
  }
}
