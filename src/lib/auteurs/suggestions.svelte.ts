import { listerSuggestions, type Auteur } from '#shared/auteurs';
import { ApiError, call } from '../api/call.ts';
import { withNoBreakSpaces } from '../format/french.ts';
import { answers } from '$lib/sync/answers.svelte';
import { auteursView } from '$lib/records/auteurs/view.svelte';

/** Two authors who may be one, the lower id first, and why, in a sentence. */
interface Suggestion {
  readonly key: string;
  readonly auteurs: readonly [Auteur, Auteur];
  readonly raison: string;
}

/** Whether the pairs are shown: they stay so while the application is open. */
let isOpen = $state(false);

/** The merges to decide, as the server last answered them; reactive. */
export const suggestionsView = {
  get isOpen(): boolean {
    return isOpen;
  },
  toggle(): void {
    isOpen = !isOpen;
  },
  /** `null` before the first answer. A pair goes as soon as one of its authors does. */
  get all(): readonly Suggestion[] | null {
    const kept = answers.get('suggestions');
    if (kept === null) return null;
    return kept.value.flatMap(({ auteurs: [a, b], raison }) => {
      const [first, second] = [auteursView.get(a.id), auteursView.get(b.id)];
      if (!first || !second) return [];
      const key = `${a.id} ${b.id}`;
      return [{ key, auteurs: [first, second], raison: withNoBreakSpaces(raison) }];
    });
  },
  /** When the server answered. */
  get date(): Date | null {
    return answers.get('suggestions')?.date ?? null;
  },
};

let requestCount = 0;

/** Asks the server again. Where it does not answer the last list stays. */
export async function refreshSuggestions(): Promise<void> {
  const request = ++requestCount;
  try {
    const suggestions = await call(listerSuggestions, {});
    // Only the answer to the latest of several requests is kept.
    if (request === requestCount) await answers.keep('suggestions', suggestions);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
