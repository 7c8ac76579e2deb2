/** All the words of a text, in any order, in the catalogue's index of that name. */
type Criterion = readonly [index: 'isbn' | 'issn' | 'title' | 'author', text: string];

/**
 * The words of a text as a quoted CQL term, `null` when it has none. A quote and a backslash could
 * end the term, `*`, `?` and `^` are wildcards: they become blanks, since no search needs them and
 * the source documents no escape.
 */
export function quoteTerm(text: string): string | null {
  const words = text.replace(/["\\*?^\s\p{Cc}]+/gu, ' ').trim();
  return /[\p{L}\p{N}]/u.test(words) ? `"${words}"` : null;
}

/** The CQL query of all the criteria together; `null` when one of them has no word. */
export function toCql(criteria: readonly Criterion[]): string | null {
  const clauses = criteria.map(([index, text]) => {
    const term = quoteTerm(text);
    return term === null ? null : `bib.${index} all ${term}`;
  });
  return clauses.includes(null) ? null : clauses.join(' and ');
}

/**
 * Books only: the index of authors also holds records, games and performances. The document type
 * « a » is printed text, serials included, hence the second filter; each record is checked again.
 */
export const BOOKS_ONLY = 'bib.doctype any "a" and bib.recordtype any "mon"';
