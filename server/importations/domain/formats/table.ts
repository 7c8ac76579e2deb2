import { COLONNES, type Colonne, type Colonnes } from '#shared/importations';
import { normaliser } from '#shared/text';
import { seriesByTome } from '../series-in-titles.ts';
import { readingOrder, split } from '../values.ts';
import { isEbook, readLecture, type TableFormat } from './table-format.ts';

// cspell:disable -- words that other programs write
/** Headers that say which field their column is, normalised. */
const SYNONYMS: Readonly<Record<Colonne, readonly string[]>> = {
  titre: ['titre', 'title', 'nom du livre', 'book title', 'titel', 'titolo', 'titulo'],
  auteurs: ['auteurs', 'auteur', 'author', 'authors', 'auteur s', 'author s', 'creator'],
  isbn: ['isbn', 'isbn13', 'isbn 13', 'ean', 'ean13', 'isbn10', 'isbn 10', 'code'],
  editeur: ['editeur', 'publisher', 'edition', 'maison d edition'],
  annee: ['annee', 'year', 'date de publication', 'publication date', 'date', 'year published'],
  nombrePages: ['nombrepages', 'nombre de pages', 'pages', 'page count', 'number of pages'],
  format: ['format', 'binding', 'support', 'type'],
  statut: ['statut', 'status', 'read status', 'lecture', 'etat de lecture'],
  serie: ['serie', 'series', 'cycle'],
  numero: ['numero', 'tome', 'volume', 'vol', 'n', 'number', 'series index'],
  emprunteur: ['emprunteur', 'prete a', 'loaned to', 'lent to', 'borrower'],
  datePret: ['datepret', 'date de pret', 'prete le', 'date loaned', 'lent on'],
};
// cspell:enable

/** Which columns of an unknown table are which of our fields, by their headers. */
export function guessColonnes(headers: readonly string[]): Colonnes {
  const byName = new Map(headers.map((header) => [normaliser(header), header]));
  const found = COLONNES.flatMap((colonne) => {
    const name = SYNONYMS[colonne].find((synonym) => byName.has(synonym));
    const header = name === undefined ? undefined : byName.get(name);
    return header === undefined ? [] : [[colonne, header] as const];
  });
  return Object.fromEntries(found);
}

/** Any table, by its mapping; several authors stand apart by semicolons, or by commas. */
export function tableFormat(colonnes: Colonnes): TableFormat {
  const headerOf = new Map(
    Object.entries(colonnes).map(([colonne, header]) => [colonne, header.trim().toLowerCase()]),
  );
  return {
    name: 'table',
    recognises: () => true,
    read: (cell) => {
      const of = (colonne: Colonne) => cell(headerOf.get(colonne) ?? '\0');
      const byTome = seriesByTome(of('titre'));
      const emprunteur = of('emprunteur');
      const numero = of('numero') === '' ? null : of('numero');
      return {
        titre: byTome.titre,
        auteurs: auteursOf(of('auteurs')),
        isbns: [of('isbn')],
        editeur: of('editeur'),
        annee: of('annee'),
        nombrePages: of('nombrePages'),
        isNumerique: isEbook(of('format')),
        lecture: readLecture(of('statut')),
        series: of('serie') === '' ? byTome.series : [{ titre: of('serie'), numero }],
        pret: emprunteur === '' ? null : { emprunteur, date: of('datePret') },
      };
    },
  };
}

/** « Verne, Jules » is one name: a comma parts names only where each has several words. */
function auteursOf(text: string): string[] {
  if (/[;|]/.test(text)) return split(text, /[;|]/);
  const parts = split(text, /,|\s&\s/);
  return parts.length > 1 && parts.every((part) => part.includes(' '))
    ? parts
    : [readingOrder(text)];
}
