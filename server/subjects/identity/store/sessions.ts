import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** A member signed in on a device, with what is asked of the member. */
export interface SessionRow {
  readonly id: number;
  readonly membreId: number;
  readonly actif: 0 | 1;
  readonly appareil: string;
  readonly debut: number;
  readonly vue: number;
  readonly identifiant: string;
  readonly nom: string;
  readonly gere: 0 | 1;
  readonly code: string | null;
  /** The key of the member's picture. */
  readonly portrait: string | null;
}

const ROWS = `SELECT s.id, s.membreId, s.actif, s.appareil, s.debut, s.vue, m.identifiant, m.nom, m.gere, m.code,
  p.cle AS portrait FROM Session s JOIN Membre m ON m.id = s.membreId LEFT JOIN Portrait p ON p.membreId = m.id WHERE m.exclu = 0`;

/** The session that reads on a device. */
export const activeSession = (
  database: Reader,
  jeton: Buffer,
  usedAfter: number,
): SessionRow | undefined =>
  database.get<SessionRow>(
    `${ROWS} AND s.jeton = ? AND s.actif = 1 AND s.vue > ?`,
    jeton,
    usedAfter,
  );

/** The sessions of a device, in the order of their beginning. */
export const sessionsOfDevice = (
  database: Reader,
  jeton: Buffer,
  usedAfter: number,
): SessionRow[] =>
  database.all<SessionRow>(`${ROWS} AND s.jeton = ? AND s.vue > ? ORDER BY s.id`, jeton, usedAfter);

/** The sessions of a member, the last used first. */
export const sessionsOfMembre = (
  database: Reader,
  membreId: number,
  usedAfter: number,
): SessionRow[] =>
  database.all<SessionRow>(
    `${ROWS} AND s.membreId = ? AND s.vue > ? ORDER BY s.vue DESC, s.id DESC`,
    membreId,
    usedAfter,
  );

export function insertSession(
  database: Transaction,
  session: {
    readonly jeton: Buffer;
    readonly membreId: number;
    readonly appareil: string;
    readonly now: number;
  },
): void {
  database.run(
    `INSERT INTO Session (jeton, membreId, actif, appareil, debut, vue)
     VALUES (:jeton, :membreId, 1, :appareil, :now, :now)`,
    session,
  );
}

/** Gives all sessions of a device another token; none of them reads then. */
export function renewJeton(database: Transaction, from: Buffer, to: Buffer): void {
  database.run('UPDATE Session SET jeton = ?, actif = 0 WHERE jeton = ?', to, from);
}

export function activate(database: Transaction, id: number, now: number): void {
  database.run('UPDATE Session SET actif = 1, vue = ? WHERE id = ?', now, id);
}

export function touchSession(database: Transaction, id: number, now: number): void {
  database.run('UPDATE Session SET vue = ? WHERE id = ?', now, id);
}

/** Ends one of a member's sessions; returns whether there was one. */
export const deleteSession = (database: Transaction, id: number, membreId: number): boolean =>
  database.run('DELETE FROM Session WHERE id = ? AND membreId = ?', id, membreId).changes > 0;

/** Ends the session of a member on a device, where there is one. */
export function deleteSessionOn(database: Transaction, jeton: Buffer, membreId: number): void {
  database.run('DELETE FROM Session WHERE jeton = ? AND membreId = ?', jeton, membreId);
}

/** Ends all sessions of a member, one left out. */
export function deleteSessionsOf(database: Transaction, membreId: number, exceptId = 0): void {
  database.run('DELETE FROM Session WHERE membreId = ? AND id <> ?', membreId, exceptId);
}

export function deleteUnused(database: Transaction, usedAfter: number): void {
  database.run('DELETE FROM Session WHERE vue <= ?', usedAfter);
}
