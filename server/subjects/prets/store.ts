import { textKey } from '#shared/text';
import { Pret, type PretCorrige } from '#shared/prets';
import {
  documentSource,
  insertRow,
  readDocument,
  readDocuments,
  updateRow,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { renewRows } from '#server/plumbing/database/renewal';

export const pretSource = documentSource('Pret', Pret);

/** The open loans, oldest first. */
export function openPrets(database: Reader): Pret[] {
  return readDocuments(
    database,
    pretSource,
    'WHERE d.dateRetour IS NULL ORDER BY d.datePret, d.id',
  );
}

/** All loans of a book, newest first. */
export function pretsOfLivre(database: Reader, livreId: number): Pret[] {
  return readDocuments(
    database,
    pretSource,
    'WHERE d.livreId = ? ORDER BY d.datePret DESC, d.id DESC',
    livreId,
  );
}

export function readPret(database: Reader, id: number): Pret | undefined {
  return readDocument(database, pretSource, 'WHERE d.id = ?', id);
}

/** How a borrower was first written in other loans, by normalised name; `null` for a new one. */
export const firstSpelling = (database: Reader, emprunteur: string, exceptId = 0): string | null =>
  database.value<string>(
    'SELECT emprunteur FROM Pret WHERE emprunteurNormalise = ? AND id <> ? ORDER BY id LIMIT 1',
    textKey(emprunteur),
    exceptId,
  ) ?? null;

/** Inserts a loan, open without a `dateRetour`, and returns its id; violates a unique index where one is open. */
export const insertPret = (
  database: Transaction,
  pret: Pick<Pret, 'livreId' | 'emprunteur' | 'datePret'> & Partial<Pick<Pret, 'dateRetour'>>,
): number => insertRow(database, 'Pret', { ...pret, ...keysOf(pret) });

/** Rewrites a loan, unless it is so already. */
export function rewritePret(database: Transaction, id: number, pret: PretCorrige): void {
  const { emprunteur, datePret } = pret;
  updateRow(database, 'Pret', id, { emprunteur, datePret, ...keysOf(pret) });
}

const keysOf = ({ emprunteur }: Pick<Pret, 'emprunteur'>) => ({
  emprunteurNormalise: textKey(emprunteur),
});

/** A step of the start-up pass: renews what the rules compute from the names of borrowers. */
export const renormaliserPrets = (database: Transaction): boolean =>
  renewRows<Pret & ReturnType<typeof keysOf>>(database, 'Pret', keysOf);

/** Closes a loan, not before it began, by whatever clock; a closed one stays as it is. */
export function closePret(database: Transaction, id: number, dateRetour: string): void {
  const sql = 'UPDATE Pret SET dateRetour = max(?, datePret) WHERE id = ? AND dateRetour IS NULL';
  database.run(sql, dateRetour, id);
}

/** Deletes a loan as if it had never been. */
export function deletePret(database: Transaction, id: number): void {
  database.run('DELETE FROM Pret WHERE id = ?', id);
}
