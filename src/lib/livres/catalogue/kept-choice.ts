import { notes } from '$lib/sync/browser/notes';
import { updateUrl } from '$lib/ui/url-state.svelte';

/** One of a few values: what the address says, else what was last chosen on this device. */
export class KeptChoice<T extends string> {
  readonly values: readonly [T, ...T[]];
  readonly #name: string;
  #kept = $state.raw<T | undefined>();

  /**
   * @param name of the parameter of the address and of the note on the device
   * @param values the first one is the default
   */
  constructor(name: string, values: readonly [T, ...T[]]) {
    this.values = values;
    this.#name = name;
    this.#kept = this.#parse(notes.get(name));
  }

  /** The value for an address. */
  of(params: URLSearchParams): T {
    return this.#parse(params.get(this.#name)) ?? this.#kept ?? this.values[0];
  }

  /**
   * Puts a chosen value into the address and keeps it on this device.
   *
   * @param others parameters of the address that change with it
   */
  async choose(value: T, others: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#kept = value;
    notes.set(this.#name, value);
    await updateUrl({ ...others, [this.#name]: value });
  }

  #parse(text: unknown): T | undefined {
    return this.values.find((value) => value === text);
  }
}
