import type { Credential } from './credentials.ts';

interface Exchange {
  readonly credential: Credential;
  readonly end: () => void;
}

/** How long what was asked before a member was shut out may go on, in milliseconds. */
const SWEEP_MS = 500;

/** What is being answered, event streams too, so that it ends with the credential that it was asked with. */
export class OpenExchanges {
  readonly #holds: (credential: Credential) => boolean;
  readonly #open = new Map<object, Exchange>();
  #sweep: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param holds whether a credential still is what it was */
  constructor(holds: (credential: Credential) => boolean) {
    this.#holds = holds;
  }

  /** @param exchange how it is broken off; until `remove` it is looked after */
  add(request: object, exchange: Exchange): void {
    this.#open.set(request, exchange);
    if (!this.#isClosed) this.#sweep ??= setInterval(() => this.#endLost(), SWEEP_MS).unref();
  }

  /** To be called once it is answered, or where it ends its own session and still has to be. */
  remove(request: object): void {
    this.#open.delete(request);
    if (this.#open.size === 0) this.#stop();
  }

  /** The service ends, and what is open with it: nobody is looked up any more. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #endLost(): void {
    const known = new Map<string, boolean>();
    for (const [request, { credential, end }] of this.#open) {
      const key = `${credential.jeton.toString('hex')} ${credential.row.id}`;
      const isHeld = known.get(key) ?? this.#holds(credential);
      known.set(key, isHeld);
      if (isHeld) continue;
      this.remove(request);
      end();
    }
  }
}
