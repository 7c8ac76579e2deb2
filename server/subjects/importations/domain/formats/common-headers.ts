import { COLONNES, type Colonne, type Colonnes } from '#shared/importations';
import { normaliser } from '#shared/text';
import type { TableFormat } from './table-format.ts';

/** A header as formats name it. */
export const headerKey = (header: string): string => header.trim().toLowerCase();

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
  emplacement: [
    'emplacement',
    'physical location',
    'location',
    'shelf location',
    'rangement',
    'localisation',
    'lieu',
  ],
  emprunteur: ['emprunteur', 'prete a', 'loaned to', 'lent to', 'borrower'],
  datePret: ['datepret', 'date de pret', 'prete le', 'date loaned', 'lent on'],
};
// cspell:enable

/** Which columns are which of our fields, by the common names of headers. */
export function guessColonnes(headers: readonly string[]): Colonnes {
  const byName = new Map(headers.map((header) => [normaliser(header), header]));
  const found = COLONNES.flatMap((colonne) => {
    const name = SYNONYMS[colonne].find((synonym) => byName.has(synonym));
    const header = name === undefined ? undefined : byName.get(name);
    return header === undefined ? [] : [[colonne, header] as const];
  });
  return Object.fromEntries(found);
}

/** A mapping with its headers as formats name them. */
export const toColumns = (colonnes: Colonnes): TableFormat['columns'] =>
  Object.fromEntries(
    Object.entries(colonnes).map(([colonne, header]) => [colonne, headerKey(header)]),
  );
