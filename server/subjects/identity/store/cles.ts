import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

export interface CleRow {
  readonly id: number;
  readonly utilisateur: string;
  readonly nom: string;
  readonly ecrit: 0 | 1;
  readonly debut: number;
  readonly vue: number | null;
}

const COLUMNS = 'id, utilisateur, nom, ecrit, debut, vue';

export const cleByJeton = (database: Reader, jeton: Buffer): CleRow | undefined =>
  database.get<CleRow>(`SELECT ${COLUMNS} FROM Cle WHERE jeton = ?`, jeton);

/** The keys of a person, in the order of their making. */
export const clesOf = (database: Reader, utilisateur: string): CleRow[] =>
  database.all<CleRow>(`SELECT ${COLUMNS} FROM Cle WHERE utilisateur = ? ORDER BY id`, utilisateur);

export const insertCle = (
  database: Transaction,
  cle: Omit<CleRow, 'id' | 'vue'> & { readonly jeton: Buffer },
): number =>
  Number(
    database.run(
      `INSERT INTO Cle (jeton, utilisateur, nom, ecrit, debut)
       VALUES (:jeton, :utilisateur, :nom, :ecrit, :debut)`,
      cle,
    ).lastInsertRowid,
  );

export function touchCle(database: Transaction, id: number, now: number): void {
  database.run('UPDATE Cle SET vue = ? WHERE id = ?', now, id);
}

/** Returns whether there was one. */
export const deleteCle = (database: Transaction, id: number, utilisateur: string): boolean =>
  database.run('DELETE FROM Cle WHERE id = ? AND utilisateur = ?', id, utilisateur).changes > 0;

export function deleteClesOf(database: Transaction, utilisateur: string): void {
  database.run('DELETE FROM Cle WHERE utilisateur = ?', utilisateur);
}

export function moveCles(database: Transaction, from: string, to: string): void {
  database.run('UPDATE Cle SET utilisateur = ? WHERE utilisateur = ?', to, from);
}
