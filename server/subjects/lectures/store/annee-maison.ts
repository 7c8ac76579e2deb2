import type { Row } from '#shared/change-reader';
import type { Notation } from '#shared/lectures';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** A reading as it is counted: without whose it is, and of which book. */
export interface CountedLecture extends Pick<Notation, 'debut' | 'fin' | 'abandon'> {
  /** The pages of its book, where that is known. */
  readonly nombrePages: number | null;
}

export const hasAgreed = (database: Reader, utilisateur: string): boolean =>
  database.value('SELECT 1 FROM AccordAnnee WHERE utilisateur = ?', utilisateur) !== undefined;

export const countAgreed = (database: Reader): number =>
  database.value<number>('SELECT count(*) FROM AccordAnnee') ?? 0;

export function setAgreed(database: Transaction, utilisateur: string, accord: boolean): void {
  database.run(
    accord
      ? 'INSERT OR IGNORE INTO AccordAnnee (utilisateur) VALUES (?)'
      : 'DELETE FROM AccordAnnee WHERE utilisateur = ?',
    utilisateur,
  );
}

/** The readings with an end of those who agree, in no order. */
export const agreedLectures = (database: Reader): CountedLecture[] =>
  database
    .all<Row & Omit<CountedLecture, 'abandon'>>(
      `SELECT l.debut, l.fin, l.abandon, b.nombrePages
       FROM AccordAnnee a JOIN Lecture l ON l.utilisateur = a.utilisateur
       LEFT JOIN Livre b ON b.id = l.livreId WHERE l.fin IS NOT NULL`,
    )
    .map((row) => ({ ...row, abandon: row['abandon'] === 1 }));
