import { ApiError, type Refusal } from '../api/error.ts';
import { m } from '../paraglide/messages.js';

/** The writes of a form or a row, one at a time: whether one is under way, and why it failed. */
export class Submission {
  pending = $state(false);
  /** A sentence for the reader. */
  error = $state<string | null>(null);
  /** The refusal behind `error`, for screens that show more of it than its sentence. */
  refusal = $state.raw<Refusal | null>(null);
  #unsent = new AbortController();

  /**
   * Does the work; while one is under way it does nothing.
   *
   * @param work gets the signal by which its writes are given up while nothing of them is done (`unsent`)
   * @returns true when the work was done; otherwise `error` says why
   * @throws what is no answer of the API, after `error` is set
   */
  async run(work: (unsent: AbortSignal) => Promise<unknown>): Promise<boolean> {
    if (this.pending) return false;
    this.pending = true;
    this.reset();
    const { signal } = (this.#unsent = new AbortController());
    try {
      await work(signal);
      return true;
    } catch (error) {
      if (signal.aborted && error === signal.reason) return false;
      this.error = error instanceof ApiError ? error.message : m.error_unexpected();
      if (!(error instanceof ApiError)) throw error;
      this.refusal = error.refusal;
      return false;
    } finally {
      this.pending = false;
    }
  }

  /**
   * Gives up what has not been sent, of the work that is under way.
   *
   * @returns true where nothing of it was sent, or nothing is under way
   */
  async giveUp(): Promise<boolean> {
    this.#unsent.abort();
    // What waits for a signal ends within this turn of the event loop.
    await new Promise((resume) => setTimeout(resume));
    return !this.pending;
  }

  reset(): void {
    this.error = null;
    this.refusal = null;
  }
}
