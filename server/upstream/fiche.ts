/** What one record of an outside catalogue says of a book, in the household's terms. */
export interface Fiche {
  /** The record's name in its own source; `null` where it bears none. */
  readonly id: string | null;
  /** Never empty. */
  readonly titre: string;
  /** In reading order, without dates and role, each person once, in the record's order. */
  readonly auteurs: readonly string[];
  readonly editeur: string | null;
  readonly annee: number | null;
  readonly nombrePages: number | null;
  /** The valid ISBNs that the record holds, 13 digits, bare. */
  readonly isbns: readonly string[];
}
