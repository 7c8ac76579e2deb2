import { onDestroy, untrack } from 'svelte';
import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import type { Edition } from '#shared/candidats';
import { lookUpCode, searchTitre, type LookupResult } from './lookup.ts';

/** What a screen asks the outside catalogues, one thing at a time, and their answer. */
export class CurrentLookup {
  kind = $state<'isbn' | 'titre'>('isbn');
  /** The code or title as it was typed; `null` before the first lookup and after `reset`. */
  term = $state<string | null>(null);
  /** `null` while the lookup is under way. */
  result = $state.raw<LookupResult | null>(null);
  selected = $state.raw<Edition | null>(null);
  #controller: AbortController | null = null;

  get canAsk(): boolean {
    return connection.state === 'online';
  }

  get reason(): string | null {
    return this.canAsk ? null : reasonNotToAsk(m.catalogues_offline());
  }

  /** Looks a code up in place of what was asked before; `null` where it was aborted. */
  byCode(code: string): Promise<LookupResult | null> {
    return this.#run('isbn', code, (signal) => lookUpCode(code, signal));
  }

  /** Finds candidates for a person to choose from, in place of what was asked before; `null` where it was aborted. */
  byTitre(titre: string, auteur: string): Promise<LookupResult | null> {
    const term = [titre, auteur].filter((text) => text.trim() !== '').join(', ');
    return this.#run('titre', term, (signal) => searchTitre(titre, auteur, signal));
  }

  async #run(
    kind: CurrentLookup['kind'],
    term: string,
    ask: (signal: AbortSignal) => Promise<LookupResult>,
  ): Promise<LookupResult | null> {
    this.reset();
    this.kind = kind;
    this.term = term;
    const { signal } = (this.#controller = new AbortController());
    try {
      const result = await ask(signal);
      return signal.aborted ? null : (this.result = result);
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  reset(): void {
    this.#controller?.abort();
    this.#controller = null;
    this.term = null;
    this.result = null;
    this.selected = null;
  }
}

/** A lookup that begins by itself, as soon as it is wanted and can be asked. Call while a component is set up. */
export function lookUpOnce(code: () => string, isWanted: () => boolean): CurrentLookup {
  const lookup = new CurrentLookup();
  $effect(() => {
    if (isWanted() && lookup.canAsk && lookup.term === null)
      void untrack(() => lookup.byCode(code()));
  });
  onDestroy(() => lookup.reset());
  return lookup;
}

/** Why the server is not asked: without a network `offline` says it, else the connection. */
export const reasonNotToAsk = (offline: string): string =>
  (connection.state === 'offline' ? null : connection.reasonNotToWrite) ?? offline;
