import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** A passkey as the table has it. */
export interface CleAccesRow {
  readonly id: number;
  readonly membreId: number;
  /** What its authenticator calls it, as base64url. */
  readonly credentialId: string;
  /** Its public key in COSE. */
  readonly publicKey: Buffer;
  /** What its authenticator calls the member by, as base64url. */
  readonly userHandle: string;
  readonly hote: string;
  readonly signCount: number;
  /** Names with commas between them. */
  readonly transports: string;
  readonly nom: string;
  readonly debut: number;
  readonly vue: number | null;
}

export const cleAccesById = (database: Reader, id: number): CleAccesRow | undefined =>
  database.get<CleAccesRow>('SELECT * FROM CleAcces WHERE id = ?', id);

export const cleAccesByCredentialId = (
  database: Reader,
  credentialId: string,
): CleAccesRow | undefined =>
  database.get<CleAccesRow>('SELECT * FROM CleAcces WHERE credentialId = ?', credentialId);

/** The passkeys of a member, in the order of their making. */
export const clesAccesOf = (database: Reader, membreId: number): CleAccesRow[] =>
  database.all<CleAccesRow>('SELECT * FROM CleAcces WHERE membreId = ? ORDER BY id', membreId);

export const insertCleAcces = (
  database: Transaction,
  cleAcces: Omit<CleAccesRow, 'id' | 'vue'>,
): number =>
  Number(
    database.run(
      `INSERT INTO CleAcces (membreId, credentialId, publicKey, userHandle, hote, signCount, transports, nom, debut)
       VALUES (:membreId, :credentialId, :publicKey, :userHandle, :hote, :signCount, :transports, :nom, :debut)`,
      cleAcces,
    ).lastInsertRowid,
  );

/** Notes that a passkey has signed, and its count. */
export function touchCleAcces(
  database: Transaction,
  { id, signCount, now }: { readonly id: number; readonly signCount: number; readonly now: number },
): void {
  database.run('UPDATE CleAcces SET signCount = ?, vue = ? WHERE id = ?', signCount, now, id);
}

export function renameCleAcces(database: Transaction, id: number, nom: string): void {
  database.run('UPDATE CleAcces SET nom = ? WHERE id = ?', nom, id);
}

export function deleteCleAcces(database: Transaction, id: number): void {
  database.run('DELETE FROM CleAcces WHERE id = ?', id);
}

export function deleteClesAccesOf(database: Transaction, membreId: number): void {
  database.run('DELETE FROM CleAcces WHERE membreId = ?', membreId);
}
