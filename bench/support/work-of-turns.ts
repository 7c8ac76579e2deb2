const LOOK_EVERY_MS = 5;

/**
 * Measures the longest turn of this thread's event loop, as the processor time between two readings; unlike real
 * time, other load on the machine does not lengthen it.
 */
export class WorkOfTurns {
  #longest = 0;
  #before = process.threadCpuUsage();
  readonly #timer = setInterval(() => this.#look(), LOOK_EVERY_MS);

  #look(): void {
    const { user, system } = process.threadCpuUsage(this.#before);
    this.#before = process.threadCpuUsage();
    this.#longest = Math.max(this.#longest, (user + system) / 1000);
  }

  /** The longest turn in milliseconds, including the current one. */
  end(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#longest;
  }
}
