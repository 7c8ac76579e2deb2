/** The prefix of our caches' names; another installation on the same host has another prefix. */
export const cachesOf = (base: string): string =>
  base === '' ? 'rayonnage-' : `rayonnage|${base}|`;

/** The language chosen on this device, readable by pages and the worker; cookies are not, in every browser. */
export class LanguageNote {
  readonly cacheName: string;
  readonly #address: string;

  constructor(base: string) {
    this.cacheName = `${cachesOf(base)}langue`;
    this.#address = `${base}/langue`;
  }

  /** `null` where none was chosen. */
  async read(): Promise<string | null> {
    const noted = await caches.match(this.#address, { cacheName: this.cacheName });
    return noted === undefined ? null : noted.text();
  }

  async write(locale: string): Promise<void> {
    const cache = await caches.open(this.cacheName);
    await cache.put(this.#address, new Response(locale));
  }

  async forget(): Promise<void> {
    await caches.delete(this.cacheName);
  }
}
