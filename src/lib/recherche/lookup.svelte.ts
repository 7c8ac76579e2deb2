import { onDestroy, untrack } from 'svelte';
import { isbnError } from '$lib/format/code-errors';
import { m } from '$lib/paraglide/messages';
import { connection } from '$lib/sync/connection.svelte';
import { type Edition, editionOf, mergeCandidats } from '#shared/candidats';
import {
  rechercherIsbn,
  rechercherTitre,
  type SourceAnswer,
  type SourceName,
} from '#shared/recherche';
import { Refusal } from '#shared/refusals';
import { ApiError, call } from '../api/call.ts';
import { parseCode } from './code.ts';
import { unawaited } from '$lib/sync/report';

/**
 * The result of a lookup by code (docs/rules.md § 22). `silentSources` did not respond, and may know more; `silent`
 * is the outcome if no other source knew anything.
 */
export type LookupResult =
  | { readonly outcome: 'invalid' | 'failed'; readonly message: string }
  | { readonly outcome: 'silent' | 'none'; readonly silentSources: readonly SourceName[] }
  | {
      readonly outcome: 'one' | 'many';
      readonly candidats: readonly Edition[];
      readonly silentSources: readonly SourceName[];
    }
  | {
      readonly outcome: 'revue';
      readonly issn: string;
      readonly titre: string | null;
      readonly revueId: number | null;
      readonly silentSources: readonly SourceName[];
    };

/** More than the server needs when each of its steps times out. */
const CODE_TIMEOUT_MS = 120_000;
const TITRE_TIMEOUT_MS = 60_000;

export const invalidCode = (text: string) =>
  parseCode(text).kind === 'unknown'
    ? {
        outcome: 'invalid' as const,
        message: isbnError(text) ?? new Refusal('ISBN_INVALIDE', { revue: null }).message,
      }
    : null;

/**
 * Looks a code up in the outside catalogues. A failure is a result too.
 *
 * @throws the reason of the signal once it is aborted
 */
export async function lookUpCode(text: string, signal: AbortSignal): Promise<LookupResult> {
  const invalid = invalidCode(text);
  if (invalid !== null) return invalid;
  return asResult(signal, async () => {
    const request = { params: { code: text }, signal, timeoutMs: CODE_TIMEOUT_MS };
    const recherche = await call(rechercherIsbn, request);
    const silentSources = silentOf(recherche);
    if (recherche.type === 'livre')
      return resultOf(mergeCandidats(recherche.candidats), silentSources);
    const { issn, titre, revueId } = recherche;
    return { outcome: 'revue', issn, titre, revueId, silentSources };
  });
}

/**
 * Searches the catalogues by title and author (docs/rules.md § 23). The result is always a choice, even of one
 * candidate, since a title alone is ambiguous. A failure is a result.
 *
 * @throws the reason of the signal once it is aborted
 */
const searchTitre = (titre: string, auteur: string, signal: AbortSignal): Promise<LookupResult> =>
  asResult(signal, async () => {
    const query = auteur.trim() === '' ? { titre } : { titre, auteur };
    const request = { query, signal, timeoutMs: TITRE_TIMEOUT_MS };
    const recherche = await call(rechercherTitre, request);
    const editions = recherche.candidats.map(editionOf);
    const result = resultOf(editions, silentOf(recherche));
    return result.outcome === 'one' ? { ...result, outcome: 'many' } : result;
  });

async function asResult(
  signal: AbortSignal,
  ask: () => Promise<LookupResult>,
): Promise<LookupResult> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    const message = error.kind === 'offline' ? m.recherche_no_server() : error.message;
    return { outcome: 'failed', message };
  }
}

const silentOf = ({ sources }: { readonly sources: readonly SourceAnswer[] }): SourceName[] =>
  sources.filter(({ etat }) => etat === 'injoignable').map(({ nom }) => nom);

function resultOf(
  candidats: readonly Edition[],
  silentSources: readonly SourceName[],
): LookupResult {
  if (candidats.length === 0)
    return { outcome: silentSources.length > 0 ? 'silent' : 'none', silentSources };
  return { outcome: candidats.length === 1 ? 'one' : 'many', candidats, silentSources };
}

/** A screen's lookup in the outside catalogues, one at a time, with its result. */
export class CurrentLookup {
  kind = $state<'isbn' | 'titre'>('isbn');
  /** The code or title as it was typed; `null` before the first lookup and after `reset`. */
  term = $state<string | null>(null);
  /** `null` while the lookup is running. */
  result = $state.raw<LookupResult | null>(null);
  selected = $state.raw<Edition | null>(null);
  #controller: AbortController | null = null;

  get canAsk(): boolean {
    return connection.state === 'online';
  }

  get reason(): string | null {
    return this.canAsk ? null : reasonNotToAsk(m.catalogues_offline());
  }

  /** Looks up a code, replacing an earlier lookup; `null` if it was aborted. */
  byCode(code: string): Promise<LookupResult | null> {
    return this.#run('isbn', code, (signal) => lookUpCode(code, signal));
  }

  /** Finds candidates, replacing an earlier lookup; `null` if it was aborted. */
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

/** A lookup that starts automatically once it is wanted and possible. Call during a component's setup. */
export function lookUpOnce(code: () => string, isWanted: () => boolean): CurrentLookup {
  const lookup = new CurrentLookup();
  $effect(() => {
    if (isWanted() && lookup.canAsk && lookup.term === null)
      untrack(() => unawaited(lookup.byCode(code()), 'looking a code up'));
  });
  onDestroy(() => lookup.reset());
  return lookup;
}

/** Why the server cannot be asked: offline the given text, else the connection's. */
export const reasonNotToAsk = (offline: string): string =>
  (connection.state === 'offline' ? null : connection.reasonNotToWrite) ?? offline;
