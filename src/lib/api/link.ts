/** How this page stands with the server. */
export type LinkState = 'online' | 'offline' | 'sessionExpired';

/** What the event stream tells. */
export interface StreamListener {
  /** The stream is open: what has changed before is not told. */
  readonly opened: () => void;
  /** Something readable has changed, up to this revision. */
  readonly told: (revision: number) => void;
  /** The stream is gone, and is not opened again by itself: whoever listens decides when. */
  readonly broke: () => void;
}

/**
 * The link to the server, as every exchange sees it. Only the copy's engine says how it stands; an
 * exchange that goes wrong makes it have a look.
 */
class Link {
  state: LinkState = 'online';
  readonly #listeners = new Set<() => void>();

  /** Tells that an exchange has gone wrong. */
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
