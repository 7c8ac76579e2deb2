import { onDestroy } from 'svelte';
import { ApiError, messageOf, type Refusal } from '../api/call.ts';
import { report } from '../sync/report.ts';
import { thisScreen, type ThisScreen } from './this-screen.ts';

/**
 * @param givenUp aborted by `giveUp`: ends a write of which nothing was sent
 * @param leaving aborted with the component: ends what is only read for it
 */
type Work = (givenUp: AbortSignal, leaving: AbortSignal) => Promise<unknown>;

interface Options {
  /** A press during the work is done after it; of several presses only the last one. */
  readonly latest?: boolean;
}

/** What a button or a form does, once at a time: whether it is under way, and why it failed. */
export class Action {
  pending = $state(false);
  error = $state<string | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  readonly #latest: boolean;
  readonly #leaving = new AbortController();
  #givenUp = new AbortController();
  #screen: ThisScreen | null = null;
  #running: Promise<boolean> = Promise.resolve(true);
  #next: Work | null = null;

  /** Call while a component is set up: its reads are aborted with the component. */
  constructor({ latest = false }: Options = {}) {
    this.#latest = latest;
    onDestroy(() => this.#leaving.abort());
  }

  /**
   * Does the work. While other work is under way it does nothing, or with `latest` does the work afterwards.
   *
   * @returns true when the last that was asked for was done; otherwise `error` says why, but for an abort
   * @throws what is no answer of the API, after `error` is set
   */
  async run(work: Work): Promise<boolean> {
    if (!this.pending) {
      this.#running = this.#run(work);
      return this.#running;
    }
    if (!this.#latest) return false;
    this.#next = work;
    return this.#running;
  }

  /** True once the screen was left on which the last work was begun: what the work would lead to stays undone. */
  get isLeft(): boolean {
    return this.#screen?.isLeft === true;
  }

  async #run(first: Work): Promise<boolean> {
    this.pending = true;
    this.#screen = thisScreen();
    const { signal: givenUp } = (this.#givenUp = new AbortController());
    try {
      let isDone = false;
      for (let work: Work | null = first; work !== null; work = this.#takeNext()) {
        this.reset();
        isDone = await this.#do(work, givenUp);
      }
      return isDone;
    } finally {
      this.pending = false;
    }
  }

  async #do(work: Work, givenUp: AbortSignal): Promise<boolean> {
    const { signal: leaving } = this.#leaving;
    try {
      await work(givenUp, leaving);
      return true;
    } catch (error) {
      if ([givenUp, leaving].some(({ aborted, reason }) => aborted && error === reason)) {
        this.#next = null;
        return false;
      }
      this.error = messageOf(error);
      if (error instanceof ApiError) this.refusal = error.refusal;
      else if (this.#next === null) throw error;
      else report(error, 'what was asked for before the last press');
      return false;
    }
  }

  #takeNext(): Work | null {
    const next = this.#next;
    this.#next = null;
    return next;
  }

  /** @returns true where nothing was sent of the work that is under way, or none is */
  async giveUp(): Promise<boolean> {
    this.#givenUp.abort();
    // Work that waits for a signal ends within this turn of the event loop.
    await new Promise((resume) => setTimeout(resume));
    return !this.pending;
  }

  reset(): void {
    this.error = null;
    this.refusal = null;
  }
}
