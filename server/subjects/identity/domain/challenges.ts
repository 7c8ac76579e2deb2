import { drawToken } from './tokens.ts';

/** How long a ceremony at an authenticator may take. */
export const CHALLENGE_MS = 5 * 60_000;
const MAX_KEPT = 10_000;

/** What a challenge was drawn for: it serves for nothing else. */
export type Purpose = 'connexion' | `session ${number}` | `invitation ${string}`;

interface Drawn {
  readonly purpose: Purpose;
  readonly userHandle: string;
  readonly endMs: number;
}

/** The challenges that passkeys have to sign: random, for one purpose, once, for five minutes; bounded. */
export class Challenges {
  readonly #drawn = new Map<string, Drawn>();

  /** @param userHandle what the authenticator is told to call the member by, where it makes a passkey */
  draw(purpose: Purpose, userHandle = ''): string {
    const challenge = drawToken('session');
    this.#drawn.set(challenge, { purpose, userHandle, endMs: Date.now() + CHALLENGE_MS });
    const [oldest] = this.#drawn.keys();
    if (this.#drawn.size > MAX_KEPT && oldest !== undefined) this.#drawn.delete(oldest);
    return challenge;
  }

  /** Uses a challenge up, whatever comes of it; `null` for one that was not drawn for this, was used, or is too old. */
  take(challenge: string, purpose: Purpose): Pick<Drawn, 'userHandle'> | null {
    const drawn = this.#drawn.get(challenge);
    this.#drawn.delete(challenge);
    return drawn?.purpose === purpose && Date.now() < drawn.endMs ? drawn : null;
  }
}
