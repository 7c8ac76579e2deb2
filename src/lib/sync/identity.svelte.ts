import { link } from '../api/link.ts';
import { isOfHousehold } from './other-household.ts';
import type { Reader } from './status.ts';
import { device } from './this-device.ts';

/** A token for the page's identity: compared by reference only. */
export interface Identity {
  readonly since: number;
}

/**
 * The page's household and reader, reactive. The identity is unchanged while a part of it is still being determined.
 */
class PageIdentity {
  /** For household and reader. */
  current = $state.raw<Identity>({ since: 0 });
  /** For the reader alone. */
  reader = $state.raw<Identity>(this.current);
  #household = '';
  /** At a start the last reader, until the reader is known; `undefined` without one. */
  #utilisateur: Reader | undefined = device.lastReader?.utilisateur;
  /** Whether the replica of this reader was open. */
  #isShown = false;

  follow(): void {
    const { reader, bibliotheque } = device.status;
    // A replica opened before the reader is known is not yet the anonymous one.
    const utilisateur = reader === null && device.lastReader === null ? undefined : reader;
    const isOtherReader =
      utilisateur === undefined
        ? this.#isShown
        : this.#utilisateur !== undefined && utilisateur !== this.#utilisateur;
    const isOther = isOtherReader || !isOfHousehold(this.#household, bibliotheque);
    this.#isShown = utilisateur !== undefined;
    if (isOther) this.current = { since: this.current.since + 1 };
    if (isOtherReader) this.reader = this.current;
    this.#household = isOther ? bibliotheque : bibliotheque || this.#household;
    if (isOtherReader || utilisateur !== undefined) this.#utilisateur = utilisateur;
  }
}

export const identity = new PageIdentity();

// Subscribed first, so that all other listeners find the new identity.
device.subscribe(() => identity.follow());
link.identity = () => identity.current;

/**
 * Creates the value in a root of its own: state created within a derived value or effect would not be tracked, and
 * the first caller may be either.
 */
function per<T>(whose: () => Identity, make: () => T): () => T {
  let made: { readonly of: Identity; readonly value: T } | undefined;
  return () => {
    const of = whose();
    if (made?.of === of) return made.value;
    const box: { value?: { readonly of: Identity; readonly value: T } } = {};
    $effect.root(() => {
      box.value = { of, value: make() };
    });
    made = box.value;
    if (made === undefined) throw new Error('A root runs what it is given at once');
    return made.value;
  };
}

/**
 * Module state about records, searches, files or texts, created anew for each identity. Late responses still write to
 * the former identity's state.
 */
export const perIdentity = <T>(make: () => T): (() => T) => per(() => identity.current, make);

/** The same for state that survives a change of household. */
export const perReader = <T>(make: () => T): (() => T) => per(() => identity.reader, make);
