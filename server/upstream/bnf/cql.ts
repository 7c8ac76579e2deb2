/** What the catalogue's index of that name must hold: all the words of a text, in any order. */
export type Critere = readonly [index: 'isbn' | 'issn' | 'title' | 'author', texte: string];

/**
 * The words of a text as a quoted CQL term, `null` when it has none. A quote and a backslash could
 * end the term, `*`, `?` and `^` are wildcards: they become blanks, since no search needs them and
 * nothing says that the source reads an escape.
 */
export function terme(texte: string): string | null {
  const mots = texte.replace(/["\\*?^\s\p{Cc}]+/gu, ' ').trim();
  return /[\p{L}\p{N}]/u.test(mots) ? `"${mots}"` : null;
}

/** All the criteria together; `null` when one of them asks for nothing. */
export function requete(criteres: readonly Critere[]): string | null {
  const termes = criteres.map(([index, texte]) => {
    const mots = terme(texte);
    return mots === null ? null : `bib.${index} all ${mots}`;
  });
  return termes.includes(null) ? null : termes.join(' and ');
}

/**
 * Only books: the index of authors also holds records, games and performances. The document type
 * « a » is printed text, serials included, hence the second filter; each record is checked again.
 */
export const DES_LIVRES = 'bib.doctype any "a" and bib.recordtype any "mon"';
