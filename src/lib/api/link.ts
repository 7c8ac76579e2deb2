export type LinkState = 'online' | 'offline' | 'sessionExpired';

/** Called by the event stream. */
export interface StreamListener {
  /** The stream is open. Changes before that are not announced. */
  readonly opened: () => void;
  /** Something readable has changed, up to this revision. */
  readonly announced: (revision: number) => void;
  /** The stream is closed. It is not opened again by itself. */
  readonly broke: () => void;
}

/**
 * The link to the server, as every exchange sees it. The device's connection sets its state; an exchange
 * that fails asks it to check.
 */
class Link {
  state: LinkState = 'online';
  /** True once the service itself has asked to sign in: its page is one of the application's own. */
  hasOwnSignIn = false;
  /** Called with an exchange that failed for no reason of the network, and what was asked. */
  fault: (error: unknown, what: string) => void = () => undefined;
  readonly #listeners = new Set<() => void>();

  /** Reports that an exchange has failed. */
  doubt(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` at each doubt until the returned function is called. */
  onDoubt(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const link = new Link();
