import { findIsbn } from '#shared/isbn';

/** What the device hands over when a page is shared with the application (`share_target` of the manifest). */
const SHARED = ['url', 'text', 'title'] as const;

/**
 * What a shared page says of its book, as the address of the form of a new book has it: the ISBN that stands in
 * it, else its title. `null` for an address that nothing was shared with.
 */
export function givenByPage(query: URLSearchParams): URLSearchParams | null {
  const texts = SHARED.flatMap((name) => query.get(name)?.trim() || []);
  if (texts.length === 0) return null;
  const isbn = findIsbn(texts.join('\n'));
  if (isbn !== null) return new URLSearchParams({ isbn });
  const said = query.get('title') || query.get('text') || '';
  const titre = said.replace(/https?:\S+/g, '').trim();
  return new URLSearchParams(titre === '' ? {} : { titre });
}
