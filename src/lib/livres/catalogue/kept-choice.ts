import { DeviceSetting } from '$lib/ui/device-settings.svelte';
import { updateUrl } from '$lib/ui/url-state.svelte';

/** One of a few values: what the address says, else what was last chosen on this device. */
export class KeptChoice<T extends string> extends DeviceSetting<T> {
  readonly #name: string;

  /** @param name of the parameter of the address and of the note on the device */
  constructor(name: string, values: readonly [T, ...T[]]) {
    super(name, values);
    this.#name = name;
  }

  /** The value for an address. */
  of(params: URLSearchParams): T {
    return this.parse(params.get(this.#name)) ?? this.value;
  }

  /**
   * Puts a chosen value into the address and keeps it on this device.
   *
   * @param others parameters of the address that change with it
   */
  async choose(value: T, others: Readonly<Record<string, string>> = {}): Promise<void> {
    this.value = value;
    await updateUrl({ ...others, [this.#name]: value });
  }
}
