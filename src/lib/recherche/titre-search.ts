import { call } from '$lib/api/call';
import { ApiError } from '$lib/api/error';
import { m } from '$lib/paraglide/messages';
import { rechercherTitre } from '#shared/recherche';
import type { LookupResult } from './lookup.ts';

/** Longer than the server needs when both of its sources run into their time-outs. */
const SEARCH_TIMEOUT_MS = 60_000;

/**
 * Searches the outside catalogues by title and author (docs/rules.md § 23). What is found is always
 * a choice, one candidate too: a title alone says little. A failure is a result.
 *
 * @throws the reason of the signal once it is aborted
 */
export async function searchTitre(
  titre: string,
  auteur: string,
  signal: AbortSignal,
): Promise<LookupResult> {
  try {
    const query = auteur.trim() === '' ? { titre } : { titre, auteur };
    const request = { query, signal, timeoutMs: SEARCH_TIMEOUT_MS };
    const { candidats, sources } = await call(rechercherTitre, request);
    const silentSources = sources
      .filter(({ etat }) => etat === 'injoignable')
      .map(({ nom }) => nom);
    if (candidats.length > 0) return { outcome: 'many', candidats, silentSources };
    return { outcome: silentSources.length > 0 ? 'silent' : 'none', silentSources };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    const message = error.kind === 'offline' ? m.recherche_no_server() : error.message;
    return { outcome: 'failed', message };
  }
}
