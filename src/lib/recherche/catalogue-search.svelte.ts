import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import type { Edition } from '#shared/candidats';
import { lookUp, searchTitre, type LookupResult } from './lookup.ts';

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

/** The search of a form in the outside catalogues, by a code or by a title. */
export class CatalogueSearch extends CurrentLookup {
  /** What it goes by. */
  kind = $state<'isbn' | 'titre'>('isbn');
  /** The catalogue record that filled the form. */
  selected = $state.raw<Edition | null>(null);

  get canAsk(): boolean {
    return connection.state === 'online';
  }

  /** Why nothing can be asked, in a sentence; `null` where it can. */
  get reason(): string | null {
    if (this.canAsk) return null;
    return reasonNotToAsk(m.catalogues_offline());
  }

  /** `null` where it was aborted. */
  byIsbn(text: string): Promise<LookupResult | null> {
    this.kind = 'isbn';
    return this.run(text);
  }

  /** Finds candidates for a person to choose from; `null` where it was aborted. */
  byTitre(titre: string, auteur: string): Promise<LookupResult | null> {
    this.kind = 'titre';
    const query = [titre, auteur].filter((text) => text.trim() !== '').join(', ');
    return this.run(query, (_query, signal) => searchTitre(titre, auteur, signal));
  }

  override reset(): void {
    super.reset();
    this.selected = null;
  }
}

/** Why the server is not asked: without a network `offline` says it, else the connection. */
export const reasonNotToAsk = (offline: string): string =>
  (connection.state === 'offline' ? null : connection.reasonNotToWrite) ?? offline;
