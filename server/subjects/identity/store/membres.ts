import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** A member as the table has it; the hashes are PHC strings. */
export interface MembreRow {
  readonly id: number;
  readonly identifiant: string;
  readonly nom: string;
  readonly gere: 0 | 1;
  readonly exclu: 0 | 1;
  readonly motDePasse: string | null;
  readonly code: string | null;
  /** The key of the picture. */
  readonly portrait: string | null;
}

const ROWS =
  'SELECT m.*, p.cle AS portrait FROM Membre m LEFT JOIN Portrait p ON p.membreId = m.id';

export const allMembres = (database: Reader): MembreRow[] => database.all<MembreRow>(ROWS);

export const membreById = (database: Reader, id: number): MembreRow | undefined =>
  database.get<MembreRow>(`${ROWS} WHERE m.id = ?`, id);

export const membreByIdentifiant = (database: Reader, identifiant: string): MembreRow | undefined =>
  database.get<MembreRow>(`${ROWS} WHERE m.identifiant = ?`, identifiant);

/** Whether anyone else may manage and is not shut out. */
export const isManagedWithout = (database: Reader, id: number): boolean =>
  database.value('SELECT 1 FROM Membre WHERE gere = 1 AND exclu = 0 AND id <> ? LIMIT 1', id) !==
  undefined;

export const insertMembre = (
  database: Transaction,
  membre: Pick<MembreRow, 'identifiant' | 'nom' | 'gere' | 'motDePasse'>,
): number =>
  Number(
    database.run(
      'INSERT INTO Membre (identifiant, nom, gere, motDePasse) VALUES (:identifiant, :nom, :gere, :motDePasse)',
      membre,
    ).lastInsertRowid,
  );

export function updateMembre(
  database: Transaction,
  membre: Pick<MembreRow, 'id' | 'nom' | 'gere' | 'exclu'>,
): void {
  database.run('UPDATE Membre SET nom = :nom, gere = :gere, exclu = :exclu WHERE id = :id', membre);
}

export function setMotDePasse(database: Transaction, id: number, motDePasse: string | null): void {
  database.run('UPDATE Membre SET motDePasse = ? WHERE id = ?', motDePasse, id);
}

export function setCode(database: Transaction, id: number, code: string | null): void {
  database.run('UPDATE Membre SET code = ? WHERE id = ?', code, id);
}

export function deleteMembre(database: Transaction, id: number): void {
  database.run('DELETE FROM Membre WHERE id = ?', id);
}

/** How many records are a reader's own. */
export interface Listes {
  readonly statuts: number;
  readonly souhaits: number;
  readonly lectures: number;
}

/** For the operator's command alone. */
export const countListes = (database: Reader, utilisateur: string): Listes => ({
  statuts: countOf(database, 'SELECT count(*) FROM Statut WHERE utilisateur = ?', utilisateur),
  souhaits:
    countOf(database, 'SELECT count(*) FROM Souhait WHERE utilisateur = ?', utilisateur) +
    countOf(database, 'SELECT count(*) FROM RevueSouhaitee WHERE utilisateur = ?', utilisateur),
  lectures: countOf(database, 'SELECT count(*) FROM Lecture WHERE utilisateur = ?', utilisateur),
});

const countOf = (database: Reader, sql: string, utilisateur: string): number =>
  database.value<number>(sql, utilisateur) ?? 0;

/** Every name that a status, a reading or a wish belongs to. */
export const readersWithLists = (database: Reader): string[] =>
  database.values<string>(
    `SELECT utilisateur FROM Statut UNION SELECT utilisateur FROM Lecture UNION SELECT utilisateur FROM Souhait
     UNION SELECT utilisateur FROM RevueSouhaitee`,
  );

export function setIdentifiant(database: Transaction, id: number, identifiant: string): void {
  database.run('UPDATE Membre SET identifiant = ? WHERE id = ?', identifiant, id);
}
