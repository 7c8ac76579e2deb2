import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import type { Edition } from '#shared/candidats';
import { CurrentLookup } from './current-lookup.svelte.ts';
import { searchTitre, type LookupResult } from './lookup.ts';

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
