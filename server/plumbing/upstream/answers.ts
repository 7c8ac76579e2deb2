import type { TypeDocument } from '#shared/livres';

/** What one record of an outside catalogue says of a book, in the household's terms. */
export interface SourceRecord {
  /** The record's identifier in its own source; `null` where it has none. */
  readonly id: string | null;
  /** Never empty. */
  readonly titre: string;
  /** In reading order, without dates and role, each person once, in the record's order. */
  readonly auteurs: readonly string[];
  readonly editeur: string | null;
  readonly annee: number | null;
  readonly nombrePages: number | null;
  /** The valid ISBNs that the record holds, 13 digits, without hyphens. */
  readonly isbns: readonly string[];
  /** Given where the record tells it (docs/rules.md § 24). */
  readonly typeDocument?: TypeDocument;
}

/**
 * Thrown where a source could not be asked, or its answer cannot be read: never an empty list, which
 * would say that it has no such record (docs/rules.md § 22).
 */
export class SourceUnreachable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'SourceUnreachable';
  }
}
