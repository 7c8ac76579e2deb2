import { lookUp, type LookupResult } from './lookup.ts';

/** The lookup of a form, one at a time: what is looked up, and the result. */
export class CurrentLookup {
  /** The code or title as it was typed; `null` before the first lookup and after `reset`. */
  query = $state<string | null>(null);
  /** `null` while the lookup is under way. */
  result = $state.raw<LookupResult | null>(null);
  #controller: AbortController | null = null;

  /**
   * Does a lookup in place of the one before; `null` when it was aborted.
   *
   * @param ask looks the query up, by default as a code
   */
  async run(
    query: string,
    ask: (query: string, signal: AbortSignal) => Promise<LookupResult> = lookUp,
  ): Promise<LookupResult | null> {
    this.reset();
    this.query = query;
    const controller = (this.#controller = new AbortController());
    try {
      const result = await ask(query, controller.signal);
      if (controller.signal.aborted) return null;
      return (this.result = result);
    } catch (error) {
      if (controller.signal.aborted) return null;
      throw error;
    }
  }

  /** Aborts a lookup under way and clears the result. */
  reset(): void {
    this.#controller?.abort();
    this.#controller = null;
    this.query = null;
    this.result = null;
  }
}
