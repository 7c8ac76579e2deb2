/** Lets so many through at a time; the others wait in line. */
export class Gate {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Does the work once there is a place; throws the signal's reason when it comes first. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        this.#line.splice(this.#line.indexOf(goOn), 1);
        reject(new Error('Nobody waits any more', { cause: signal.reason }));
      };
      const goOn = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#line.push(goOn);
    });
  }

  /** A place that somebody waits for changes hands without becoming free. */
  #leave(): void {
    const next = this.#line.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
