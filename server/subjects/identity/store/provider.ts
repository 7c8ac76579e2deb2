import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** A person of a provider, by what it calls them for good. */
export interface Subject {
  readonly issuer: string;
  readonly sub: string;
}

/** Whose a person of a provider is: a member's id, `null` for one who was removed, `undefined` for nobody's. */
export const membreIdOf = (database: Reader, { issuer, sub }: Subject): number | null | undefined =>
  database.get<{ membreId: number | null }>(
    'SELECT membreId FROM CompteFournisseur WHERE issuer = ? AND sub = ?',
    issuer,
    sub,
  )?.membreId;

/** Whether somebody of this provider is the member. */
export const isBound = (database: Reader, issuer: string, membreId: number): boolean =>
  database.value(
    'SELECT 1 FROM CompteFournisseur WHERE issuer = ? AND membreId = ?',
    issuer,
    membreId,
  ) !== undefined;

/** Binds a person of a provider to a member, in place of whom the member was bound to. */
export function bindMembre(
  database: Transaction,
  membreId: number,
  { issuer, sub }: Subject,
): void {
  unbindMembre(database, membreId);
  database.run(
    `INSERT INTO CompteFournisseur (issuer, sub, membreId) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET membreId = excluded.membreId`,
    issuer,
    sub,
    membreId,
  );
}

export function unbindMembre(database: Transaction, membreId: number): void {
  database.run('DELETE FROM CompteFournisseur WHERE membreId = ?', membreId);
}

/** Identifiers of members who were removed. */
export const departs = (database: Reader): string[] =>
  database.values<string>('SELECT identifiant FROM Depart');

/** @param depart `date` in milliseconds since 1970 */
export function insertDepart(
  database: Transaction,
  depart: { readonly identifiant: string; readonly date: number },
): void {
  database.run(
    'INSERT OR REPLACE INTO Depart (identifiant, date) VALUES (:identifiant, :date)',
    depart,
  );
}

/** Without accounts another says who reads: who has such a name by then may be there. */
export function keepListsOfDeparts(database: Transaction): void {
  database.run('UPDATE Depart SET date = NULL WHERE date IS NOT NULL');
}

/** Identifiers of members who were removed before a time. */
export const departsBefore = (database: Reader, date: number): string[] =>
  database.values<string>('SELECT identifiant FROM Depart WHERE date < ?', date);

/** Somebody has the identifier again. */
export function deleteDepart(database: Transaction, identifiant: string): void {
  database.run('DELETE FROM Depart WHERE identifiant = ?', identifiant);
}
