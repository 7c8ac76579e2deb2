import { link } from '../api/link.ts';
import { isOfHousehold } from './other-household.ts';
import type { Reader } from './status.ts';
import { device } from './this-device.ts';

/** Whose screen this is: an object of its own for each, which tells nothing but that it is another. */
export interface Identity {
  readonly since: number;
}

/** Whose page this is: a reader of a household, reactive. An identity stays while a part of it is only being learnt. */
class PageIdentity {
  /** Of the household and the reader. */
  current = $state.raw<Identity>({ since: 0 });
  /** Of the reader alone. */
  reader = $state.raw<Identity>(this.current);
  #household = '';
  /** At a start who read last, until it is known who reads; `undefined` where nobody has. */
  #utilisateur: Reader | undefined = device.lastReader?.utilisateur;
  /** Whether the replica of this reader was open. */
  #isShown = false;

  follow(): void {
    const { reader, bibliotheque } = device.status;
    // A replica that is opened before anybody has said who reads is not yet the one that nobody named.
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

// Before all else that follows the device, which then finds the new one.
device.subscribe(() => identity.follow());
link.identity = () => identity.current;

/**
 * Makes the value in a root of its own: state that a derived value or an effect makes is not followed by it, and the first
 * to ask may be either.
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
 * What a module remembers of records, searches, files or words: made anew for each identity. What was made for the one
 * before is nobody's from then on, also for what still answers to it.
 */
export const perIdentity = <T>(make: () => T): (() => T) => per(() => identity.current, make);

/** The same for what a person keeps when their replica goes over to another household. */
export const perReader = <T>(make: () => T): (() => T) => per(() => identity.reader, make);
