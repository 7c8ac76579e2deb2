const LOOK_EVERY_MS = 5;

/**
 * The longest work that this thread has done between two looks, which a turn of the event loop does not leave room for: in
 * processor time, which other work of the machine does not lengthen as a clock does.
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

  /** In milliseconds; what the last turn of all was is among it. */
  end(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#longest;
  }
}
