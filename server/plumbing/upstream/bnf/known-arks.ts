/** The most ISBNs that are remembered; the oldest go first. */
const MAX_KNOWN = 1_000;

/**
 * What lookups have heard of the national library's record of an ISBN, `null` for none: whoever fetches the cover
 * of the book that was looked up asks it no more. Told once, so that a later try asks anew.
 */
export class KnownArks {
  readonly #arks = new Map<string, string | null>();

  note(isbn: string, ark: string | null): void {
    this.#arks.delete(isbn);
    this.#arks.set(isbn, ark);
    const [oldest] = this.#arks.keys();
    if (this.#arks.size > MAX_KNOWN && oldest !== undefined) this.#arks.delete(oldest);
  }

  /** Tells it, and forgets it; `undefined` where nobody has asked. */
  take(isbn: string): string | null | undefined {
    const ark = this.#arks.get(isbn);
    this.#arks.delete(isbn);
    return ark;
  }
}
