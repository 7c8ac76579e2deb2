import type { Format } from '#shared/livres';
import type { Base } from '#server/database/base';
import type { LivreEcrit } from './saisie.ts';

/** The format of a book; `undefined` where there is no such book. */
export function formatDuLivre(base: Base, id: number): Format | undefined {
  return base.prepare<[number], { format: Format }>('SELECT format FROM Livre WHERE id = ?').get(id)
    ?.format;
}

/** Writes a new book, without its authors, and returns its id. */
export function insererLivre(
  base: Base,
  livre: LivreEcrit,
  ajoutePar: string | null,
  dateAjout: string,
): number {
  const { lastInsertRowid } = base
    .prepare<[LivreEcrit & { ajoutePar: string | null; dateAjout: string }]>(
      `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, isbn, format, typeDocument,
         nombrePages, coverUrl, editeur, annee, ajoutePar, dateAjout)
       VALUES (@titre, @titreNormalise, @cleOeuvre, @isbn, @format, @typeDocument,
         @nombrePages, @coverUrl, @editeur, @annee, @ajoutePar, @dateAjout)`,
    )
    .run({ ...livre, ajoutePar, dateAjout });
  return Number(lastInsertRowid);
}

/** Rewrites a book, without its authors; who added it, and when, stays. */
export function reecrireLivre(base: Base, id: number, livre: LivreEcrit): void {
  base
    .prepare<[LivreEcrit & { id: number }]>(
      `UPDATE Livre SET titre = @titre, titreNormalise = @titreNormalise, cleOeuvre = @cleOeuvre,
         isbn = @isbn, format = @format, typeDocument = @typeDocument, nombrePages = @nombrePages,
         coverUrl = @coverUrl, editeur = @editeur, annee = @annee
       WHERE id = @id`,
    )
    .run({ ...livre, id });
}

/** Takes a book away, with its closed loans and its statuses. */
export function effacerLivre(base: Base, id: number): void {
  base.prepare<[number]>('DELETE FROM Livre WHERE id = ?').run(id);
}

/** The authors of a book, in the order of its cover. */
export function auteursDuLivre(base: Base, livreId: number): number[] {
  return base
    .prepare<[number], { auteurId: number }>(
      'SELECT auteurId FROM LivreAuteur WHERE livreId = ? ORDER BY position',
    )
    .all(livreId)
    .map(({ auteurId }) => auteurId);
}

/** Gives a book its authors, in the order of its cover. */
export function ecrireAuteursDuLivre(base: Base, livreId: number, ids: readonly number[]): void {
  base.prepare<[number]>('DELETE FROM LivreAuteur WHERE livreId = ?').run(livreId);
  const inserer = base.prepare<[number, number, number]>(
    'INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (?, ?, ?)',
  );
  ids.forEach((auteurId, position) => inserer.run(livreId, auteurId, position));
}

/** The books of one ISBN or of one work, by title; `null` and '' find none. */
export function livresSemblables(
  base: Base,
  isbn: string | null,
  cleOeuvre: string,
): { id: number; isbn: string | null; cleOeuvre: string }[] {
  return base
    .prepare<[string | null, string], { id: number; isbn: string | null; cleOeuvre: string }>(
      `SELECT id, isbn, cleOeuvre FROM Livre
       WHERE isbn = ? OR (cleOeuvre = ? AND cleOeuvre <> '')
       ORDER BY titreNormalise, id`,
    )
    .all(isbn, cleOeuvre);
}

/** The household's first book with a work key; `null` where it has none. */
export function livreDeCle(base: Base, cleOeuvre: string): number | null {
  return (
    base
      .prepare<[string], { id: number }>(
        'SELECT id FROM Livre WHERE cleOeuvre = ? ORDER BY id LIMIT 1',
      )
      .get(cleOeuvre)?.id ?? null
  );
}

/** Makes what is made from the titles anew where the rules give another; a step of the start-up pass. */
export function renormaliserLivres(base: Base): void {
  base
    .prepare(
      `UPDATE Livre SET titreNormalise = normaliser(titre), cleOeuvre = cle_oeuvre(titre)
       WHERE titreNormalise <> normaliser(titre) OR cleOeuvre <> cle_oeuvre(titre)`,
    )
    .run();
}
