import { isbnError } from '$lib/format/code-errors';
import { m } from '$lib/paraglide/messages';
import { type Edition, mergeCandidats } from '#shared/candidats';
import {
  rechercherIsbn,
  rechercherTitre,
  type SourceAnswer,
  type SourceName,
} from '#shared/recherche';
import { Refusal } from '#shared/refusals';
import { ApiError, call } from '../api/call.ts';
import { parseCode } from './code.ts';

/**
 * How a lookup by code ends (docs/rules.md § 22). `silentSources` did not answer, and may know what the others do not;
 * `silent` is the outcome where none of the others knew anything.
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
 * Searches the outside catalogues by title and author (docs/rules.md § 23). The result is always a choice, even of one
 * candidate: a title alone says little. A failure is a result.
 *
 * @throws the reason of the signal once it is aborted
 */
export const searchTitre = (
  titre: string,
  auteur: string,
  signal: AbortSignal,
): Promise<LookupResult> =>
  asResult(signal, async () => {
    const query = auteur.trim() === '' ? { titre } : { titre, auteur };
    const request = { query, signal, timeoutMs: TITRE_TIMEOUT_MS };
    const recherche = await call(rechercherTitre, request);
    const editions = recherche.candidats.map((one) => ({ ...one, sources: [one.source] }));
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
