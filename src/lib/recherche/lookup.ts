import {
  rechercherIsbn,
  type Candidat,
  type SourceName,
  type RechercheIsbn,
} from '#shared/recherche';
import { Refusal } from '#shared/refusals';
import { call } from '$lib/api/call';
import { ApiError } from '$lib/api/error';
import { m } from '$lib/paraglide/messages';
import { isbnError } from '$lib/format/code-errors';
import { parseCode } from './code.ts';

/**
 * How a lookup by code ends (docs/rules.md § 22). `silentSources` did not answer, so they may know
 * what the others do not; the outcome is `silent` where none of the others knew anything.
 */
export type LookupResult =
  | { readonly outcome: 'invalid' | 'failed'; readonly message: string }
  | { readonly outcome: 'silent' | 'none'; readonly silentSources: readonly SourceName[] }
  | {
      readonly outcome: 'one' | 'many';
      readonly candidats: readonly Candidat[];
      readonly silentSources: readonly SourceName[];
    }
  | {
      readonly outcome: 'revue';
      readonly issn: string;
      readonly titre: string | null;
      readonly revueId: number | null;
      readonly silentSources: readonly SourceName[];
    };

/** Longer than the server needs when each of its steps runs into its own time-out. */
const LOOKUP_TIMEOUT_MS = 120_000;

/**
 * Looks a code up in the outside catalogues. A failure is a result too.
 *
 * @throws the reason of the signal once it is aborted
 */
export async function lookUp(text: string, signal: AbortSignal): Promise<LookupResult> {
  if (parseCode(text).kind === 'unknown')
    return { outcome: 'invalid', message: isbnError(text) ?? new Refusal('ISBN_INVALIDE').message };
  try {
    const request = { params: { code: text }, signal, timeoutMs: LOOKUP_TIMEOUT_MS };
    return resultOf(await call(rechercherIsbn, request));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    const message = error.kind === 'offline' ? m.recherche_no_server() : error.message;
    return { outcome: 'failed', message };
  }
}

function resultOf(recherche: RechercheIsbn): LookupResult {
  const silentSources = recherche.sources
    .filter(({ etat }) => etat === 'injoignable')
    .map(({ nom }) => nom);
  if (recherche.type === 'revue') {
    const { issn, titre, revueId } = recherche;
    return { outcome: 'revue', issn, titre, revueId, silentSources };
  }
  const { candidats } = recherche;
  if (candidats.length === 0)
    return { outcome: silentSources.length > 0 ? 'silent' : 'none', silentSources };
  return { outcome: candidats.length === 1 ? 'one' : 'many', candidats, silentSources };
}

/** The address of the form that adds an issue to a looked up periodical. */
export const ajouterNumeroHref = ({
  issn,
  titre = null,
}: {
  readonly issn: string;
  readonly titre?: string | null;
}): string =>
  `/revues/ajouter?${new URLSearchParams({ issn, ...(titre === null ? {} : { titre }) })}`;
