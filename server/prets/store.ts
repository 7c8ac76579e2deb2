import type { Pret } from '#shared/prets';
import type { Base } from '#server/database/base';

const LIRE = 'SELECT id, livreId, emprunteur, datePret, dateRetour FROM Pret';

/** The open loans, oldest first. */
export function pretsEnCours(base: Base): Pret[] {
  return base.prepare<[], Pret>(`${LIRE} WHERE dateRetour IS NULL ORDER BY datePret, id`).all();
}

/** All the loans of a book, newest first. */
export function pretsDuLivre(base: Base, livreId: number): Pret[] {
  return base
    .prepare<[number], Pret>(`${LIRE} WHERE livreId = ? ORDER BY datePret DESC, id DESC`)
    .all(livreId);
}

export function lirePret(base: Base, id: number): Pret | undefined {
  return base.prepare<[number], Pret>(`${LIRE} WHERE id = ?`).get(id);
}

export function pretOuvertDuLivre(base: Base, livreId: number): Pret | undefined {
  return base
    .prepare<[number], Pret>(`${LIRE} WHERE livreId = ? AND dateRetour IS NULL`)
    .get(livreId);
}

/** Opens a loan and returns its id; fails on the guard `Pret_ouvert_unique`. */
export function ouvrirPret(
  base: Base,
  livreId: number,
  emprunteur: string,
  datePret: string,
): number {
  const { lastInsertRowid } = base
    .prepare<[number, string, string]>(
      'INSERT INTO Pret (livreId, emprunteur, datePret) VALUES (?, ?, ?)',
    )
    .run(livreId, emprunteur, datePret);
  return Number(lastInsertRowid);
}

/** Closes a loan; one that is closed stays as it is. */
export function clorePret(base: Base, id: number, dateRetour: string): void {
  base
    .prepare<[string, number]>('UPDATE Pret SET dateRetour = ? WHERE id = ? AND dateRetour IS NULL')
    .run(dateRetour, id);
}
