import type { Credential } from './credentials.ts';

interface Exchange {
  readonly credential: Credential;
  readonly end: () => void;
}

/** What is being answered, event streams too, so that it ends with the credential that it was asked with. */
export class OpenExchanges {
  readonly #open = new Map<object, Exchange>();

  /** @param end breaks the exchange off */
  add(request: object, exchange: Exchange): void {
    this.#open.set(request, exchange);
  }

  /** To be called once it is answered, or where it ends its own session and still has to be. */
  remove(request: object): void {
    this.#open.delete(request);
  }

  /** Breaks off every exchange whose credential does not hold any more. */
  endUnless(holds: (credential: Credential) => boolean): void {
    const known = new Map<string, boolean>();
    for (const [request, { credential, end }] of this.#open) {
      const key = `${credential.jeton.toString('hex')} ${credential.row.id}`;
      const isHeld = known.get(key) ?? holds(credential);
      known.set(key, isHeld);
      if (isHeld) continue;
      this.#open.delete(request);
      end();
    }
  }
}
