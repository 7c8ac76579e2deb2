import type { Couverture } from '#shared/couvertures';
import { updateRow } from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** What is known of a kept picture. */
export interface KeptPicture extends Omit<Couverture, 'source'> {
  /** Of the picture as it was kept. */
  readonly type: string;
  /** In bytes. */
  readonly taille: number;
}

const COLUMNS = 'c.cle, c.type, c.taille, c.largeur, c.hauteur, c.couleur';

/** Remembers a picture whose files are on the disk; one that is known already is lost no more. */
export const insertPicture = (database: Transaction, picture: KeptPicture): void => {
  database.run(
    `INSERT INTO Couverture (cle, type, taille, largeur, hauteur, couleur)
       VALUES (@cle, @type, @taille, @largeur, @hauteur, @couleur)
       ON CONFLICT (cle) DO UPDATE SET perdue = 0 WHERE perdue = 1`,
    picture,
  );
};

/** Whether the file of a known picture is lost. */
export const isLost = (database: Reader, cle: string): boolean =>
  database.get('SELECT 1 FROM Couverture WHERE cle = ? AND perdue = 1', cle) !== undefined;

export const readPicture = (database: Reader, cle: string): KeptPicture | undefined =>
  database.get<KeptPicture>(`SELECT ${COLUMNS} FROM Couverture c WHERE cle = ?`, cle);

/** Every kept picture, by key. */
export const listPictures = (database: Reader): KeptPicture[] =>
  database.all<KeptPicture>(`SELECT ${COLUMNS} FROM Couverture c ORDER BY cle`);

/** The picture that one of these addresses gave. */
export const pictureOfAdresse = (
  database: Reader,
  adresses: readonly string[],
): KeptPicture | undefined =>
  database.get<KeptPicture>(
    `SELECT ${COLUMNS} FROM CouvertureAdresse a JOIN Couverture c ON c.cle = a.cle
       WHERE a.adresse IN (SELECT value FROM json_each(?)) LIMIT 1`,
    JSON.stringify(adresses),
  );

/** Gives a record the picture that a person chose, or takes it away; one that it has is not written. */
export function writeChosen(
  database: Transaction,
  table: string,
  id: number,
  cle: string | null,
): void {
  updateRow(database, table, id, { couvertureCle: cle });
}

/** The pictures that an address, a record or an act names. */
const NAMED = `SELECT cle FROM CouvertureAdresse WHERE cle IS NOT NULL
  UNION SELECT couvertureCle FROM Couvert WHERE couvertureCle IS NOT NULL
  UNION SELECT cle FROM ModificationCouverture`;

/** Forgets those of these pictures that nothing names, and gives their keys. */
export const forgetUnnamed = (database: Reader, cles: readonly string[]): string[] =>
  database.values<string>(
    `DELETE FROM Couverture
       WHERE cle IN (SELECT value FROM json_each(?)) AND cle NOT IN (${NAMED}) RETURNING cle`,
    JSON.stringify(cles),
  );

/** Forgets what no record and no act names any more (docs/rules.md § 43); in one transaction. */
export function forgetUnwanted(database: Transaction): void {
  database.run(
    `DELETE FROM CouvertureAdresse WHERE adresse NOT IN
       (SELECT couvertureAdresse FROM Couvert WHERE couvertureAdresse IS NOT NULL)`,
  );
  database.run(`DELETE FROM Couverture WHERE cle NOT IN (${NAMED})`);
}

/**
 * Notes whose files are lost, of some pictures or of these alone, and has their addresses asked again; what a
 * person chose stays named.
 */
export function writeLost(database: Transaction, lost: readonly string[], among = lost): void {
  database.run(
    `UPDATE Couverture SET perdue = cle IN (SELECT value FROM json_each(@lost))
       WHERE cle IN (SELECT value FROM json_each(@among))
         AND perdue <> (cle IN (SELECT value FROM json_each(@lost)))`,
    { lost: JSON.stringify(lost), among: JSON.stringify(among) },
  );
  database.run(
    `UPDATE CouvertureAdresse SET etat = 'attente', cle = NULL, source = 0
       WHERE cle IN (SELECT value FROM json_each(?))`,
    JSON.stringify(lost),
  );
}
