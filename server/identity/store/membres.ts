import type { Database } from '#server/database/database';

/** A member as the table has it; the hashes are PHC strings. */
export interface MembreRow {
  readonly id: number;
  readonly identifiant: string;
  readonly nom: string;
  readonly gere: 0 | 1;
  readonly exclu: 0 | 1;
  readonly motDePasse: string | null;
  readonly code: string | null;
}

export const allMembres = (database: Database): MembreRow[] =>
  database.all<MembreRow>('SELECT * FROM Membre');

export const membreById = (database: Database, id: number): MembreRow | undefined =>
  database.get<MembreRow>('SELECT * FROM Membre WHERE id = ?', id);

export const membreByIdentifiant = (
  database: Database,
  identifiant: string,
): MembreRow | undefined =>
  database.get<MembreRow>('SELECT * FROM Membre WHERE identifiant = ?', identifiant);

/** Whether anyone else may manage and is not shut out. */
export const isManagedWithout = (database: Database, id: number): boolean =>
  database.value('SELECT 1 FROM Membre WHERE gere = 1 AND exclu = 0 AND id <> ? LIMIT 1', id) !==
  undefined;

export const insertMembre = (
  database: Database,
  membre: Pick<MembreRow, 'identifiant' | 'nom' | 'gere' | 'motDePasse'>,
): number =>
  Number(
    database.run(
      'INSERT INTO Membre (identifiant, nom, gere, motDePasse) VALUES (:identifiant, :nom, :gere, :motDePasse)',
      membre,
    ).lastInsertRowid,
  );

export function updateMembre(
  database: Database,
  membre: Pick<MembreRow, 'id' | 'nom' | 'gere' | 'exclu'>,
): void {
  database.run('UPDATE Membre SET nom = :nom, gere = :gere, exclu = :exclu WHERE id = :id', membre);
}

export function setMotDePasse(database: Database, id: number, motDePasse: string): void {
  database.run('UPDATE Membre SET motDePasse = ? WHERE id = ?', motDePasse, id);
}

export function setCode(database: Database, id: number, code: string | null): void {
  database.run('UPDATE Membre SET code = ? WHERE id = ?', code, id);
}

export function deleteMembre(database: Database, id: number): void {
  database.run('DELETE FROM Membre WHERE id = ?', id);
}

/** How many statuses and wishes a reader has. */
export const countListes = (
  database: Database,
  utilisateur: string,
): { readonly statuts: number; readonly souhaits: number } => ({
  statuts: countOf(database, 'SELECT count(*) FROM Statut WHERE utilisateur = ?', utilisateur),
  souhaits:
    countOf(database, 'SELECT count(*) FROM Souhait WHERE utilisateur = ?', utilisateur) +
    countOf(database, 'SELECT count(*) FROM RevueSouhaitee WHERE utilisateur = ?', utilisateur),
});

const countOf = (database: Database, sql: string, utilisateur: string): number =>
  database.value<number>(sql, utilisateur) ?? 0;

/** Every name that a status or a wish belongs to. */
export const readersWithLists = (database: Database): string[] =>
  database.values<string>(
    `SELECT utilisateur FROM Statut UNION SELECT utilisateur FROM Souhait
     UNION SELECT utilisateur FROM RevueSouhaitee`,
  );

export function setIdentifiant(database: Database, id: number, identifiant: string): void {
  database.run('UPDATE Membre SET identifiant = ? WHERE id = ?', identifiant, id);
}
