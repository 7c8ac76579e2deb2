import { unsafeCast } from '../api/unsafe-cast.ts';
import { connection } from './connection.svelte.ts';
import { isOfHousehold } from './other-household.ts';
import { notes } from './this-device.ts';

interface Named<E> {
  /** The household that the ids belong to. */
  readonly bibliotheque: string;
  readonly value: readonly E[];
}

const isNamed = <E>(kept: unknown): kept is Named<E> =>
  typeof kept === 'object' && kept !== null && 'bibliotheque' in kept;

/** A list stored on the device for one household, reactive: in another one its ids mean other records. */
export class HouseholdNote<E> {
  readonly #key: string;
  #kept = $state.raw<Named<E>>();

  constructor(key: string) {
    this.#key = key;
  }

  get value(): readonly E[] {
    return ofThis(this.#kept ?? this.#read());
  }

  /** Changes the stored value, which another tab may have updated since. */
  change(next: (value: readonly E[]) => readonly E[]): void {
    const value = next(ofThis(this.#read()));
    this.#kept = { bibliotheque: connection.household, value };
    notes.set(this.#key, this.#kept);
  }

  #read(): Named<E> {
    const kept = notes.get(this.#key);
    if (isNamed<E>(kept)) return kept;
    // Version 1.0 stored the list alone.
    return { bibliotheque: '', value: unsafeCast<readonly E[] | null>(kept) ?? [] };
  }
}

const ofThis = <E>({ bibliotheque, value }: Named<E>): readonly E[] =>
  isOfHousehold(bibliotheque, connection.household) ? value : [];
