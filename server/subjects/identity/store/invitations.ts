import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

export interface InvitationRow {
  readonly id: number;
  readonly membreId: number | null;
  /** `null` for the first member of the house. */
  readonly identifiant: string | null;
  readonly nom: string | null;
  readonly gere: 0 | 1;
  /** The member who invites; `null` for the first code and the operator's command. */
  readonly inviteParId: number | null;
  /** In milliseconds since 1970. */
  readonly fin: number;
}

const COLUMNS = 'id, membreId, identifiant, nom, gere, inviteParId, fin';

export const waitingInvitations = (database: Reader, now: number): InvitationRow[] =>
  database.all<InvitationRow>(
    `SELECT ${COLUMNS} FROM Invitation WHERE fin > ? AND nom IS NOT NULL ORDER BY id`,
    now,
  );

export const invitationByJeton = (
  database: Reader,
  jeton: Buffer,
  now: number,
): InvitationRow | undefined =>
  database.get<InvitationRow>(
    `SELECT ${COLUMNS} FROM Invitation WHERE jeton = ? AND fin > ?`,
    jeton,
    now,
  );

/** Takes an invitation away and gives it; of two that ask, one gets it. */
export const takeInvitation = (
  database: Transaction,
  jeton: Buffer,
  now: number,
): InvitationRow | undefined =>
  database.get<InvitationRow>(
    `DELETE FROM Invitation WHERE jeton = ? AND fin > ? RETURNING ${COLUMNS}`,
    jeton,
    now,
  );

export const insertInvitation = (
  database: Transaction,
  invitation: Omit<InvitationRow, 'id'> & { readonly jeton: Buffer },
): number =>
  Number(
    database.run(
      `INSERT INTO Invitation (jeton, membreId, identifiant, nom, gere, inviteParId, fin)
       VALUES (:jeton, :membreId, :identifiant, :nom, :gere, :inviteParId, :fin)`,
      invitation,
    ).lastInsertRowid,
  );

/** Returns whether there was one. */
export const deleteInvitation = (database: Transaction, id: number): boolean =>
  database.run('DELETE FROM Invitation WHERE id = ?', id).changes > 0;

/** Deletes those whose time is over, and earlier ones for the same person; of nobody's all. */
export function deleteReplaced(
  database: Transaction,
  { identifiant, now }: { readonly identifiant: string | null; readonly now: number },
): void {
  database.run('DELETE FROM Invitation WHERE fin <= ? OR identifiant IS ?', now, identifiant);
}

/** Deletes those for a member who has forgotten the password. */
export function deleteInvitationsOf(database: Transaction, membreId: number): void {
  database.run('DELETE FROM Invitation WHERE membreId = ?', membreId);
}

/** Deletes those that a member has made. */
export function deleteInvitationsBy(database: Transaction, membreId: number): void {
  database.run('DELETE FROM Invitation WHERE inviteParId = ?', membreId);
}
