import { ApiError, messageOf, type Refusal } from '../api/call.ts';
import { report } from '../sync/report.ts';
import { announcer } from './announcer.svelte.ts';
import { thisComponent, thisScreen, whileHere } from './this-screen.ts';

/**
 * @param givenUp aborted by `giveUp`: cancels a write that is not sent yet
 * @param left aborted with the component or its screen: cancels reads for it
 */
type Work<T> = (givenUp: AbortSignal, left: AbortSignal) => Promise<T>;

/** Queued work, with its screen and its continuation. */
interface Task {
  readonly left: AbortSignal;
  readonly part: AbortSignal | undefined;
  readonly work: (givenUp: AbortSignal) => Promise<void>;
}

interface Options {
  /** A press during the work is done after it; of several presses only the last one. */
  readonly latest?: boolean;
}

/**
 * A button's or form's action, one at a time, with its pending state and error. It is bound to its screen: after that
 * is left or shows another record, or after a cancel, the continuation is skipped, and the status line reports
 * errors.
 */
export class Action {
  pending = $state(false);
  error = $state<string | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  readonly #latest: boolean;
  readonly #component = thisComponent();
  #givenUp = new AbortController();
  #running: Promise<boolean> = Promise.resolve(true);
  #next: Task | null = null;

  /** Call while a component is set up. */
  constructor({ latest = false }: Options = {}) {
    this.#latest = latest;
  }

  /**
   * Runs work. During other work it does nothing, or with `latest` runs afterwards.
   *
   * @param onSuccess continues with the response if the screen is still shown
   * @param part aborted with the requesting part of the screen
   * @returns true if the last requested work succeeded; otherwise `error` has the reason
   * @throws any error other than of the API, after `error` is set
   */
  async run<T>(
    work: Work<T>,
    onSuccess: (answer: T) => unknown = () => undefined,
    part?: AbortSignal,
  ): Promise<boolean> {
    const screen = thisScreen();
    const left = AbortSignal.any([screen, this.#component]);
    const task: Task = {
      left,
      part,
      work: async (givenUp) => {
        const answer = await work(givenUp, left);
        // A form whose record moves within a list is recreated, but still continues.
        await whileHere(onSuccess, AbortSignal.any([screen, givenUp, part ?? screen]))(answer);
      },
    };
    if (!this.pending) {
      this.#running = this.#run(task);
      return this.#running;
    }
    if (!this.#latest) return false;
    this.#next = task;
    return this.#running;
  }

  async #run(first: Task): Promise<boolean> {
    this.pending = true;
    const { signal: givenUp } = (this.#givenUp = new AbortController());
    try {
      let isDone = false;
      for (let task: Task | null = first; task !== null; task = this.#takeNext()) {
        this.reset();
        isDone = await this.#do(task, givenUp);
      }
      return isDone;
    } finally {
      this.pending = false;
    }
  }

  async #do({ work, left, part }: Task, givenUp: AbortSignal): Promise<boolean> {
    const ends = [givenUp, left];
    try {
      await work(givenUp);
      return true;
    } catch (error) {
      if (ends.some(({ aborted, reason }) => aborted && error === reason)) {
        this.#next = null;
        return false;
      }
      const isOver = ends.some(({ aborted }) => aborted);
      if (isOver || part?.aborted === true) announcer.say(messageOf(error));
      if (!isOver) {
        this.error = messageOf(error);
        this.refusal = error instanceof ApiError ? error.refusal : null;
      }
      if (!(error instanceof ApiError)) {
        if (this.#next === null) throw error;
        report(error, 'what was asked for before the last press');
      }
      return false;
    }
  }

  #takeNext(): Task | null {
    const next = this.#next;
    this.#next = null;
    return next;
  }

  /** @returns true if the running work has sent nothing, or none is running */
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
