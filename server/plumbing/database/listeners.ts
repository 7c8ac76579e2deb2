import { inspect } from 'node:util';

/**
 * The subscribers to one kind of event. The event cannot be undone when they hear of it, so a
 * listener that throws is written to standard error; the others still run, and so does the caller.
 */
export class Listeners<T extends unknown[]> {
  readonly #listeners = new Set<(...event: T) => void>();

  /** Adds a listener, called after the earlier ones, until the returned function is called. */
  add(listener: (...event: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(...event: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(...event);
      } catch (error) {
        process.stderr.write(`A listener failed: ${inspect(error)}\n`);
      }
    }
  }
}
