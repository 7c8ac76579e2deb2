import { goto } from '$app/navigation';
import { href } from '../format/address.ts';
import { locationOfLabel } from '../format/label-address.ts';
import { livresView } from '$lib/records/livres/view.svelte';
import { revuesView } from '$lib/records/revues/view.svelte';
import { m } from '$lib/paraglide/messages';
import { announcer } from '$lib/ui/announcer.svelte';
import type { SearchInUrl } from '$lib/ui/url-state.svelte';
import { report, unawaited } from '$lib/sync/report';
import { parseCode, type ParsedCode } from './code.ts';

/** The parameter that opens the form of a new issue on a periodical's page. */
export const AJOUTER = 'ajouter';

interface FoundRevue {
  readonly issn: string;
  readonly titre: string | null;
}

export const openEmplacement = (id: number): void => void goto(href(`/rangement/${id}`));

/**
 * Opens the record of a scanned code, or the location of a label. An unknown code becomes a search, which offers to
 * add it; so do several copies.
 *
 * @param search of the catalogue, if it is shown
 */
export function openCode(code: string, search?: SearchInUrl): void {
  // A code in the search field was unsuccessful: the next one replaces it.
  if (search !== undefined && parseCode(search.text).kind !== 'unknown') search.reset('');
  const emplacementId = locationOfLabel(code);
  if (emplacementId !== null) {
    openEmplacement(emplacementId);
    return;
  }
  const parsed = parseCode(code);
  if (parsed.kind === 'unknown') {
    announcer.say(m.scan_unknown({ code }));
    return;
  }
  const addresses =
    parsed.kind === 'livre'
      ? livresView.byIsbn(parsed.isbn).map(({ id }) => href(`/livres/${id}`))
      : revueAddresses(parsed.issn);
  const [address, ...others] = addresses;
  if (address !== undefined && others.length === 0) {
    unawaited(goto(address), 'opening a screen');
    return;
  }
  if (address === undefined && livresView.isReady())
    nameOf(parsed).then(
      (name) => announcer.say(m.scan_not_owned({ code: name })),
      (error: unknown) => report(error, 'loading the ranges of ISBNs'),
    );
  else if (address === undefined) announcer.say(m.verdict_no_copy());
  const text = parsed.kind === 'livre' ? parsed.isbn : code;
  search?.reset(text);
  unawaited(goto(href(`/?${new URLSearchParams({ recherche: text })}`)), 'opening a screen');
}

/** The ranges of ISBNs weigh 12 kB, which the first load does without. */
async function nameOf(parsed: Exclude<ParsedCode, { kind: 'unknown' }>): Promise<string> {
  if (parsed.kind === 'revue') return m.revue_issn(parsed);
  const { formatIsbn } = await import('#shared/isbn-format');
  return formatIsbn(parsed.isbn);
}

const revueAddresses = (issn: string): string[] => {
  const revue = revuesView.find({ titre: '', issn });
  return revue === undefined ? [] : [href(`/revues/${revue.id}`)];
};

/**
 * The address for a periodical's code: its page, with the form of a new issue; for an unknown periodical the screen
 * that finds or adds one.
 */
export function revueHref({ issn, titre }: FoundRevue): string {
  const revue = revuesView.find({ titre: '', issn });
  if (revue !== undefined) return href(`/revues/${revue.id}?${AJOUTER}`);
  return href(`/revues/ajouter?${new URLSearchParams({ issn, ...(titre !== null && { titre }) })}`);
}
