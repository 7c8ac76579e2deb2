import { m } from '$lib/paraglide/messages';
import type { LookupResult } from '$lib/recherche/lookup';
import { silenceSentence } from '$lib/format/sources';

/**
 * How a lookup ended, in a sentence; empty for an invalid code, which is told at its field.
 *
 * @param kind what the lookup went by
 * @param isChosen one of several records has been chosen
 */
export function lookupSentence(
  result: LookupResult,
  kind: 'isbn' | 'titre',
  isChosen: boolean,
): string {
  switch (result.outcome) {
    case 'invalid':
      return '';
    case 'failed':
      return result.message;
    case 'silent':
      return silenceSentence(result.silentSources);
    case 'none':
      return kind === 'titre' ? m.results_none() : m.recherche_none();
    case 'one':
      return m.recherche_one();
    case 'many':
      if (isChosen) return m.recherche_chosen();
      return kind === 'titre'
        ? m.results_count({ count: result.candidats.length })
        : m.recherche_many({ count: result.candidats.length });
    case 'revue':
      return result.titre === null ? m.revue_untitled() : m.revue_found({ titre: result.titre });
  }
}
