import { Auteur, AuteurDocument } from '#shared/auteurs';
import { ExportAuteur, ExportRefus } from '#shared/export';
import { textOf } from '#shared/change-reader';
import { parseNom } from '#shared/nom-form';
import { cleRegroupement, normaliser } from '#shared/text';
import {
  documentSource,
  insertRow,
  readDocument,
  readDocuments,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { renewRows } from '#server/plumbing/database/renewal';
import { dormantByKey, wake, wakeByKey } from '#server/plumbing/records/dormant';

export const auteurSource = documentSource('Auteur', AuteurDocument);

export const exportAuteurSource = documentSource('Auteur', ExportAuteur);
export const exportRefusSource = documentSource('FusionRefusee', ExportRefus);

const counted = documentSource('Auteur', Auteur, {
  nombreLivres: '(SELECT count(*) FROM LivreAuteur la WHERE la.auteurId = d.id)',
});

/** Every author, by normalised name, then id. */
export function listAuteurs(database: Reader): Auteur[] {
  return readDocuments(database, counted, 'ORDER BY d.nomNormalise, d.id');
}

export function readAuteur(database: Reader, id: number): Auteur | undefined {
  return readDocument(database, counted, 'WHERE d.id = ?', id);
}

/** The authors of some ids, in no order. */
export const readAuteurs = (database: Reader, ids: readonly number[]): Auteur[] =>
  readDocuments(
    database,
    counted,
    'WHERE d.id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  );

/** An author as the rules of merging need it. */
export interface AuteurRecord {
  readonly id: number;
  readonly nom: string;
  /**
   * The full form, where a more presentable shown name abbreviates it: « JEAN MARTIN » behind
   * « J. Martin ». Without it, the next « Jacques Martin » would be taken for the same person.
   */
  readonly fullForm: string | null;
  /** 1 where a person gave the shown name. */
  readonly nomChoisi?: 0 | 1;
}

const SELECT_RECORD = 'SELECT id, nom, formePleine AS fullForm, nomChoisi FROM Auteur';

/** Every author, by id. */
export function listAuteurRecords(database: Reader): AuteurRecord[] {
  return database.all<AuteurRecord>(`${SELECT_RECORD} ORDER BY id`);
}

export function readAuteurRecord(database: Reader, id: number): AuteurRecord | undefined {
  return database.get<AuteurRecord>(`${SELECT_RECORD} WHERE id = ?`, id);
}

/** The books of an author, by id. */
export const livresOfAuteur = (database: Reader, id: number): number[] =>
  database.values<number>(
    'SELECT livreId FROM LivreAuteur WHERE auteurId = ? ORDER BY livreId',
    id,
  );

/** The authors of some books who have no others. */
export const auteursOnlyOf = (database: Reader, livres: readonly number[]): number[] =>
  database.values<number>(
    `SELECT auteurId FROM LivreAuteur GROUP BY auteurId
       HAVING max(livreId NOT IN (SELECT value FROM json_each(?))) = 0`,
    JSON.stringify(livres),
  );

/** The author with a grouping key. */
export function auteurRecordByKey(database: Reader, key: string): AuteurRecord | undefined {
  return database.get<AuteurRecord>(`${SELECT_RECORD} WHERE cleRegroupement = ?`, key);
}

/** Signature of the fullest form of a name: names that share it may be one person. */
interface NomKeys {
  readonly cle: string;
  readonly signature: string;
}

const nomKeys = (nom: string): NomKeys => ({
  cle: cleRegroupement(nom),
  signature: parseNom(nom).signature,
});

/** Every author under the fullest name known, by id; its keys are `null` where it is not filed yet. */
export function listNamedAuteurs(
  database: Reader,
): ({ id: number; nom: string } & { [K in keyof NomKeys]: NomKeys[K] | null })[] {
  return database.all(`SELECT id, coalesce(formePleine, nom) AS nom, cle, signature
       FROM Auteur JOIN AuteurForme ON auteurId = id ORDER BY id`);
}

/**
 * The authors whom the rules of merging may join to one of these names, or to one of these authors
 * among each other, by id: those with its signature or its grouping key, with all who share the
 * signature of the latter. Names that are not filed yet are among them, whatever they are.
 */
export function relatedAuteurRecords(database: Reader, noms: readonly string[]): AuteurRecord[] {
  return database.all<AuteurRecord>(
    `WITH asked AS (
         SELECT value ->> 'cle' AS cle, value ->> 'signature' AS signature FROM json_each(?)),
       sameKey AS (
         SELECT auteurId, signature FROM AuteurForme WHERE cle IN (SELECT cle FROM asked))
       ${SELECT_RECORD} WHERE id IN (
         SELECT auteurId FROM sameKey
         UNION SELECT auteurId FROM AuteurForme
           WHERE signature IN (SELECT signature FROM asked UNION SELECT signature FROM sameKey)
         UNION SELECT auteurId FROM AuteurForme WHERE signature IS NULL)
       ORDER BY id`,
    JSON.stringify(noms.map(nomKeys)),
  );
}

/** Files the names that are new or have changed under their keys. */
export function fileNoms(database: Transaction): void {
  const changed = database.all<{
    id: number;
    nom: string;
  }>(`SELECT id, coalesce(formePleine, nom) AS nom FROM Auteur
       WHERE id IN (SELECT auteurId FROM AuteurForme WHERE signature IS NULL)`);
  const sql = 'UPDATE AuteurForme SET cle = @cle, signature = @signature WHERE auteurId = @id';
  for (const { id, nom } of changed) database.run(sql, { id, ...nomKeys(nom) });
}

/** Writes the search keys of all names again where the rules have changed. */
function renewNomKeys(database: Transaction): void {
  fileNoms(database);
  type Filed = NomKeys & { readonly id: number; readonly nom: string };
  const filed = database.all<Filed>(`SELECT id, coalesce(formePleine, nom) AS nom, cle, signature
       FROM Auteur JOIN AuteurForme ON auteurId = id`);
  const forget = 'UPDATE AuteurForme SET cle = NULL, signature = NULL WHERE auteurId = ?';
  for (const { id, nom, ...kept } of filed) {
    const { cle, signature: wanted } = nomKeys(nom);
    if (kept.cle !== cle || kept.signature !== wanted) database.run(forget, id);
  }
  fileNoms(database);
}

/** Each book of each author, with its work key. */
export function listOeuvres(
  database: Reader,
): { auteurId: number; livreId: number; cleOeuvre: string }[] {
  return database.all<{
    auteurId: number;
    livreId: number;
    cleOeuvre: string;
  }>(`SELECT auteurId, livreId, cleOeuvre
       FROM LivreAuteur JOIN Livre ON Livre.id = livreId ORDER BY livreId, position`);
}

/** Inserts an author and returns its id; violates `Auteur_cle_unique` where its key is taken. */
export const insertAuteur = (database: Transaction, nom: string): number =>
  insertRow(database, 'Auteur', { nom, ...keysOf(nom) });

/** The author who had the key of a name, and has no book any more. */
export function dormantAuteur(database: Reader, nom: string): AuteurRecord | undefined {
  const row = dormantByKey(database, 'Auteur', cleRegroupement(nom));
  if (row === undefined) return undefined;
  const { id, nom: own, formePleine, nomChoisi } = row;
  return {
    id: Number(id),
    nom: textOf(own),
    fullForm: textOf(formePleine) || null,
    nomChoisi: nomChoisi === 1 ? 1 : 0,
  };
}

/**
 * Wakes the author who had the key of a name, under this spelling unless a person gave another; gives the
 * id, if there is one.
 */
export function wakeAuteur(database: Transaction, nom: string): number | undefined {
  const id = wakeByKey(database, 'Auteur', cleRegroupement(nom));
  if (id !== undefined && readAuteurRecord(database, id)?.nomChoisi !== 1)
    updateNoms(database, { id, nom, fullForm: null });
  return id;
}

/** Has an author without books be there for a while, unless another one has the name. */
export function whileAwake(
  database: Transaction,
  { id, nom }: AuteurRecord,
  work: () => void,
): void {
  const isAway = readAuteurRecord(database, id) === undefined;
  if (isAway && auteurRecordByKey(database, cleRegroupement(nom)) !== undefined) return;
  if (isAway && !wake(database, 'Auteur', id)) return;
  work();
  if (isAway) deleteUnused(database, [id]);
}

/**
 * Writes an author's names and the keys made from them where they differ; violates
 * `Auteur_cle_unique` where the key is taken.
 */
export function updateNoms(
  database: Transaction,
  { id, nom, fullForm, nomChoisi = 0 }: AuteurRecord,
): void {
  database.run(
    `UPDATE Auteur SET nom = @nom, formePleine = @fullForm, nomChoisi = @nomChoisi,
         nomNormalise = @nomNormalise, cleRegroupement = @cleRegroupement
       WHERE id = @id AND (nom <> @nom OR formePleine IS NOT @fullForm OR nomChoisi <> @nomChoisi)`,
    { id, nom, fullForm, nomChoisi, ...keysOf(nom) },
  );
}

const keysOf = (nom: string) => ({
  nomNormalise: normaliser(nom),
  cleRegroupement: cleRegroupement(nom),
});

/**
 * Renews what the rules make of the names. A taken key is left to its owner: two people with one
 * key, kept apart by a refused merge, must not stop the start. Tells whether all keys could be renewed.
 */
export function renewKeys(database: Transaction): boolean {
  type Keyed = AuteurRecord & ReturnType<typeof keysOf>;
  renewRows<Keyed>(database, 'Auteur', ({ nom }) => ({ nomNormalise: normaliser(nom) }));
  const areRenewed = renewRows<Keyed>(database, 'Auteur', ({ nom }) => ({
    cleRegroupement: cleRegroupement(nom),
  }));
  renewNomKeys(database);
  return areRenewed;
}

const UNUSED = `
  NOT EXISTS (SELECT 1 FROM LivreAuteur WHERE auteurId = Auteur.id)
  AND NOT EXISTS (SELECT 1 FROM FusionRefusee WHERE premierId = Auteur.id)
  AND NOT EXISTS (SELECT 1 FROM FusionRefusee WHERE secondId = Auteur.id)`;

/** Deletes those of these authors whom no book names and no refused merge mentions. */
export function deleteUnused(database: Transaction, ids: readonly number[]): void {
  for (const id of ids) database.run(`DELETE FROM Auteur WHERE id = ? AND ${UNUSED}`, id);
}

/** Deletes every author whom no book names and no refused merge mentions. */
export function deleteAllUnused(database: Transaction): void {
  database.run(`DELETE FROM Auteur WHERE ${UNUSED}`);
}
