import type { Pret } from '#shared/prets';
import { found, Refusal } from '#shared/refusals';
import type { Database } from '#server/database/database';
import { isUniqueViolation } from '#server/database/violations';
import { livreExists, openPretOfLivre, readFormat } from '#server/livres/store/livres';
import { closePret, firstSpelling, insertPret, pretsOfLivre, readPret } from './store.ts';

/**
 * Lends a paper book that is at home. A unique index guarantees one open loan a book, so this is
 * correct for concurrent writers, too. A borrower is one person by normalised name and keeps the
 * first spelling (docs/rules.md § 11). Throws `LIVRE_NUMERIQUE`, `DEJA_PRETE`.
 */
export function preter(
  database: Database,
  livreId: number,
  typed: string,
  datePret = new Date().toISOString(),
): Pret {
  return database.write(() => {
    if (found(readFormat(database, livreId)) === 'Numerique') throw new Refusal('LIVRE_NUMERIQUE');
    try {
      const emprunteur = firstSpelling(database, typed) ?? typed;
      return found(readPret(database, insertPret(database, { livreId, emprunteur, datePret })));
    } catch (error) {
      const open = openPretOfLivre(database, livreId);
      if (!isUniqueViolation(error, 'Pret', ['livreId']) || open === undefined) throw error;
      throw new Refusal('DEJA_PRETE', { emprunteur: open.emprunteur });
    }
  });
}

/** Closes a loan, which stays in the book's history; closing it again changes nothing. */
export function rendre(database: Database, id: number): Pret {
  return database.write(() => {
    closePret(database, id, new Date().toISOString());
    return found(readPret(database, id));
  });
}

/** The loans of a book, newest first. Throws `INTROUVABLE`. */
export function listPretsOfLivre(database: Database, livreId: number): Pret[] {
  if (!livreExists(database, livreId)) throw new Refusal('INTROUVABLE');
  return pretsOfLivre(database, livreId);
}
