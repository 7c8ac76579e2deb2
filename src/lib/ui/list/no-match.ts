import { m } from '$lib/paraglide/messages';

export const noMatchHeading = (search: string): string => {
  const text = search.trim();
  return text === '' ? m.no_match() : m.no_match_for({ text });
};
