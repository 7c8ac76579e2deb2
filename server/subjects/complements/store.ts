import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** What the catalogues answer about a book, the fields that it may take. */
export interface Answer {
  /** The catalogues' title where it is that of another work. */
  readonly titre: string | null;
  readonly editeur: string | null;
  readonly annee: number | null;
  readonly nombrePages: number | null;
}

export interface AskedLivre {
  readonly id: number;
  readonly isbn: string;
  readonly titre: string;
  readonly editeur: string | null;
  readonly annee: number | null;
  readonly nombrePages: number | null;
}

/** An answer to decide about; a field that the book has already is `null`. */
export interface AnswerRow extends Answer {
  readonly livreId: number;
  readonly isbn: string;
  readonly livreTitre: string;
  /** A JSON list of names. */
  readonly auteurs: string;
}

/** An ebook takes no page count from a printed edition's record (docs/rules.md § 44). */
const LACKS_PAGES = "(l.nombrePages IS NULL AND l.format = 'Physique')";

const INCOMPLETE = `l.isbn IS NOT NULL AND (l.editeur IS NULL OR l.annee IS NULL OR ${LACKS_PAGES})`;

/** Queues those of these books that lack something and have an ISBN. */
export function askAbout(database: Transaction, livreIds: readonly number[]): void {
  database.run(
    `INSERT OR IGNORE INTO Complement (livreId, etat)
       SELECT l.id, 'attente' FROM Livre l
       WHERE l.id IN (SELECT value FROM json_each(?)) AND ${INCOMPLETE}`,
    JSON.stringify(livreIds),
  );
}

/** Queues every such book, and again those without an answer; returns how many. */
export function askAboutAll(database: Transaction): number {
  const again = database.run("UPDATE Complement SET etat = 'attente' WHERE etat = 'silence'");
  const more = database.run(`INSERT OR IGNORE INTO Complement (livreId, etat)
       SELECT l.id, 'attente' FROM Livre l WHERE ${INCOMPLETE}`);
  return again.changes + more.changes;
}

export const nextAsked = (database: Reader): AskedLivre | undefined =>
  database.get<AskedLivre>(`SELECT l.id, l.isbn, l.titre, l.editeur, l.annee, l.nombrePages
       FROM Complement c JOIN Livre l ON l.id = c.livreId
       WHERE c.etat = 'attente' AND ${INCOMPLETE} ORDER BY c.livreId LIMIT 1`);

/** Takes the books out of the queue that have been completed or have lost their ISBN. */
export function forgetComplete(database: Transaction): void {
  database.run(`DELETE FROM Complement WHERE etat = 'attente'
       AND NOT EXISTS (SELECT 1 FROM Livre l WHERE l.id = livreId AND ${INCOMPLETE})`);
}

/** Keeps an answer about a book whose ISBN is still the one that was asked about. */
export function writeAnswer(
  database: Transaction,
  { id, isbn }: Pick<AskedLivre, 'id' | 'isbn'>,
  etat: 'trouve' | 'rien' | 'silence',
  answer: Answer,
): void {
  database.run(
    `UPDATE Complement SET etat = @etat, isbn = @isbn, titre = @titre, editeur = @editeur,
         annee = @annee, nombrePages = @nombrePages
       WHERE livreId = @id AND (SELECT isbn FROM Livre WHERE id = @id) = @isbn`,
    { id, isbn, etat, ...answer },
  );
}

/** The answers that add something to a book which still has the ISBN that was asked about. */
const ANSWERS = `FROM Complement c JOIN Livre l ON l.id = c.livreId AND l.isbn = c.isbn
  WHERE c.etat = 'trouve' AND ((l.editeur IS NULL AND c.editeur IS NOT NULL)
    OR (l.annee IS NULL AND c.annee IS NOT NULL)
    OR (${LACKS_PAGES} AND c.nombrePages IS NOT NULL))`;

/** Answers to decide about by title, those of given books or all; so many at most. */
export const listAnswers = (
  database: Reader,
  livreIds: readonly number[] | null,
  limit: number,
): AnswerRow[] =>
  database.all<AnswerRow>(
    `SELECT c.livreId, l.isbn, l.titre AS livreTitre, c.titre,
         iif(l.editeur IS NULL, c.editeur, NULL) AS editeur,
         iif(l.annee IS NULL, c.annee, NULL) AS annee,
         iif(${LACKS_PAGES}, c.nombrePages, NULL) AS nombrePages,
         (SELECT json_group_array(a.nom ORDER BY la.position)
          FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId
          WHERE la.livreId = l.id) AS auteurs
       ${ANSWERS} AND (@ids IS NULL OR c.livreId IN (SELECT value FROM json_each(@ids)))
       ORDER BY l.titreNormalise, l.id LIMIT @limit`,
    { ids: livreIds === null ? null : JSON.stringify(livreIds), limit },
  );

/** How many answers there are to decide about, questions to ask, and questions without an answer. */
export function countComplements(database: Reader): {
  readonly answers: number;
  readonly asked: number;
  readonly silent: number;
} {
  const count = (sql: string): number =>
    database.value<number>(`SELECT count(*) AS count ${sql}`) ?? 0;
  return {
    answers: count(ANSWERS),
    asked: count("FROM Complement WHERE etat = 'attente'"),
    silent: count("FROM Complement WHERE etat = 'silence'"),
  };
}

/** Drops the answers about books, which are not asked about again; returns how many answers. */
export function dismiss(database: Transaction, livreIds: readonly number[]): number {
  return database.run(
    `UPDATE Complement SET etat = 'rien'
       WHERE etat = 'trouve' AND livreId IN (SELECT value FROM json_each(?))`,
    JSON.stringify(livreIds),
  ).changes;
}
