import { inspect } from 'node:util';

/**
 * Those who want to hear of something that has happened. It cannot be undone by then, so one that
 * fails is reported to the operator and keeps nothing from the others, nor from the one who tells.
 */
export class Listeners<T extends unknown[]> {
  readonly #listeners = new Set<(...news: T) => void>();

  /** Adds a listener, told after those that came before it, until the returned function is called. */
  add(listener: (...news: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(...news: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(...news);
      } catch (error) {
        process.stderr.write(`A listener failed: ${inspect(error)}\n`);
      }
    }
  }
}
