import { unsafeCast } from '../api/unsafe-cast.ts';
import { connection } from './connection.svelte.ts';
import { isOfHousehold } from './other-household.ts';
import { notes } from './this-device.ts';

interface Named<E> {
  /** The household whose records the list names. */
  readonly bibliotheque: string;
  readonly value: readonly E[];
}

const isNamed = <E>(kept: unknown): kept is Named<E> =>
  typeof kept === 'object' && kept !== null && 'bibliotheque' in kept;

/** A list that the device keeps of one household, reactive: in another one its ids are other records'. */
export class HouseholdNote<E> {
  readonly #key: string;
  #kept = $state.raw<Named<E>>();

  constructor(key: string) {
    this.#key = key;
  }

  get value(): readonly E[] {
    return ofThis(this.#kept ?? this.#read());
  }

  /** Changes what is kept by now: another tab may have written since. */
  change(next: (value: readonly E[]) => readonly E[]): void {
    const value = next(ofThis(this.#read()));
    this.#kept = { bibliotheque: connection.household, value };
    notes.set(this.#key, this.#kept);
  }

  #read(): Named<E> {
    const kept = notes.get(this.#key);
    if (isNamed<E>(kept)) return kept;
    // Version 1.0 kept the list alone.
    return { bibliotheque: '', value: unsafeCast<readonly E[] | null>(kept) ?? [] };
  }
}

const ofThis = <E>({ bibliotheque, value }: Named<E>): readonly E[] =>
  isOfHousehold(bibliotheque, connection.household) ? value : [];
