import type { Format, LivreDocument, OpenPret } from '#shared/livres';
import { cleOeuvre, normaliser } from '#shared/text';
import {
  insertList,
  insertRow,
  readList,
  updateRow,
  writeList,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { renewRows } from '#server/plumbing/database/renewal';

/** What a rule computes from a title: how a book is sorted, and the work that it is. */
export const livreKeys = ({ titre }: { readonly titre: string }) => ({
  titreNormalise: normaliser(titre),
  cleOeuvre: cleOeuvre(titre),
});

/** The columns of a book that its entry decides. */
export type LivreFields = Omit<
  LivreDocument,
  'id' | 'auteurs' | 'isbnAffiche' | 'ajoutePar' | 'dateAjout' | 'couverture' | 'emplacementId'
> &
  ReturnType<typeof livreKeys>;

/** The format of a book; `undefined` where there is no such book. */
export function readFormat(database: Reader, id: number): Format | undefined {
  return database.value<Format>('SELECT format FROM Livre WHERE id = ?', id);
}

/** Inserts a book, without its authors, and returns its id. */
export const insertLivre = (
  database: Transaction,
  livre: LivreFields,
  ajoutePar: string | null,
  dateAjout: string,
): number => insertRow(database, 'Livre', { ...livre, ajoutePar, dateAjout });

/** Rewrites the given fields of a book; who added it, and when, stays. */
export const updateLivre = (
  database: Transaction,
  id: number,
  livre: Partial<LivreFields & Pick<LivreDocument, 'emplacementId'>>,
): void => updateRow(database, 'Livre', id, livre);

/** Gives a bought book the picture that its wish's owner chose. */
export function copyChosenCover(database: Transaction, souhaitId: number, livreId: number): void {
  database.run(
    `UPDATE Livre SET couvertureCle = s.couvertureCle FROM Souhait s
       WHERE s.id = @souhaitId AND Livre.id = @livreId AND s.couvertureCle IS NOT NULL`,
    { souhaitId, livreId },
  );
}

/** Deletes a book with its closed loans and statuses; places keep their title. */
export function deleteLivre(database: Transaction, id: number): void {
  database.run('DELETE FROM Livre WHERE id = ?', id);
}

/** The open loan of a book. */
export function openPretOfLivre(database: Reader, livreId: number): OpenPret | undefined {
  return database.get<OpenPret>(
    'SELECT id, emprunteur, datePret FROM Pret WHERE livreId = ? AND dateRetour IS NULL',
    livreId,
  );
}

const AUTEURS = { table: 'LivreAuteur', record: 'livreId', entry: 'auteurId' } as const;

/** The ids of a book's authors, in cover order. */
export const auteursOfLivre = (database: Reader, livreId: number): number[] =>
  readList(database, AUTEURS, livreId);

/** Gives a new book its authors, in cover order. */
export const insertAuteursOfLivre = (
  database: Transaction,
  livreId: number,
  auteurs: readonly number[],
): void => insertList(database, AUTEURS, livreId, auteurs);

/** Replaces a book's authors, given in cover order; writes nothing where they are the same. */
export const writeAuteursOfLivre = (
  database: Transaction,
  livreId: number,
  auteurs: readonly number[],
): void => writeList(database, AUTEURS, livreId, auteurs);

/** The books of an ISBN or a work, by title; `null` and '' match none. */
export function livresByIsbnOrCle(
  database: Reader,
  isbn: string | null,
  cle: string,
): Pick<LivreFields & LivreDocument, 'id' | 'isbn' | 'cleOeuvre'>[] {
  return database.all<{ id: number; isbn: string | null; cleOeuvre: string }>(
    `SELECT id, isbn, cleOeuvre FROM Livre
       WHERE isbn = ? OR (cleOeuvre = ? AND cleOeuvre <> '')
       ORDER BY titreNormalise, id`,
    isbn,
    cle,
  );
}

/** The oldest book of each of these ISBNs that the household has, in one question for many. */
export function livreIdsByIsbn(database: Reader, isbns: readonly string[]): Map<string, number> {
  const rows = database.all<{ isbn: string; id: number }>(
    `SELECT isbn, min(id) AS id FROM Livre
       WHERE isbn IN (SELECT value FROM json_each(?)) GROUP BY isbn`,
    JSON.stringify(isbns),
  );
  return new Map(rows.map(({ isbn, id }) => [isbn, id]));
}

/** Those of these work keys that a book of the household has, in one question for many. */
export function ownedCles(database: Reader, cles: readonly string[]): Set<string> {
  const owned = database.values<string>(
    'SELECT DISTINCT cleOeuvre FROM Livre WHERE cleOeuvre IN (SELECT value FROM json_each(?))',
    JSON.stringify(cles),
  );
  return new Set(owned);
}

/** The household's first book of a work; `null` where it has none. */
export function livreIdByCle(database: Reader, cle: string): number | null {
  return (
    database.value<number>('SELECT id FROM Livre WHERE cleOeuvre = ? ORDER BY id LIMIT 1', cle) ??
    null
  );
}

/** A step of the start-up pass: renews what the rules compute from titles. */
export const renormaliserLivres = (database: Transaction): boolean =>
  renewRows<LivreFields & { id: number }>(database, 'Livre', livreKeys);
