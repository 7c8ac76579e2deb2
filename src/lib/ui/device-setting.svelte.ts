import { notes } from '$lib/sync/browser';

/** One of a few values that is kept on this device; reactive. */
export class DeviceSetting<T extends string> {
  readonly values: readonly [T, ...T[]];
  readonly #name: string;
  #chosen = $state.raw<T | undefined>();

  /** @param values the first one is the default */
  constructor(name: string, values: readonly [T, ...T[]]) {
    this.values = values;
    this.#name = name;
    this.#chosen = this.parse(notes.get(name));
  }

  get value(): T {
    return this.#chosen ?? this.values[0];
  }

  set value(value: T) {
    this.#chosen = value;
    notes.set(this.#name, value);
  }

  /** Reads a kept value; `undefined` for anything that is no value of this setting. */
  parse(written: unknown): T | undefined {
    return this.values.find((value) => value === written);
  }
}
