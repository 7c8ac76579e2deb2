import { m } from '$lib/paraglide/messages';

/** What stands over an empty list that was searched or filtered. */
export const noMatchHeading = (search: string): string => {
  const text = search.trim();
  return text === '' ? m.no_match() : m.no_match_for({ text });
};
