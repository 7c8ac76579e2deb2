import { m } from '$lib/paraglide/messages';

/** The heading where a search or a filter leaves nothing of a list. */
export const noMatchHeading = (search: string): string => {
  const text = search.trim();
  return text === '' ? m.no_match() : m.no_match_for({ text });
};
