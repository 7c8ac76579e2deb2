import { ApiError, type Refusal } from '../api/error.ts';
import { m } from '../paraglide/messages.js';

/** The writes of a form or a row, one at a time: whether one is under way, and why it failed. */
export class Submission {
  pending = $state(false);
  /** A sentence for the reader. */
  error = $state<string | null>(null);
  /** The refusal behind `error`, for screens that show more of it than its sentence. */
  refusal = $state.raw<Refusal | null>(null);

  /**
   * Does the work; while one is under way it does nothing.
   *
   * @returns true when the work was done; otherwise `error` says why
   * @throws what is no answer of the API, after `error` is set
   */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    if (this.pending) return false;
    this.pending = true;
    this.reset();
    try {
      await work();
      return true;
    } catch (error) {
      this.error = error instanceof ApiError ? error.message : m.error_unexpected();
      if (!(error instanceof ApiError)) throw error;
      this.refusal = error.refusal;
      return false;
    } finally {
      this.pending = false;
    }
  }

  reset(): void {
    this.error = null;
    this.refusal = null;
  }
}
