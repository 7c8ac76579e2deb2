import type { RowOutcome } from '#shared/importations';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { parseKept } from '#server/plumbing/database/kept-json';
import type { Made } from './importations.ts';

/** A row of a file as it is kept; `content` is the domain's, as JSON. */
export interface LigneRecord {
  readonly ligne: number;
  readonly sort: RowOutcome;
  readonly livreId: number | null;
  readonly raison: string | null;
  /** 1 while the catalogues are to be asked, 2 once none has answered. */
  readonly pending: 0 | 1 | 2;
  readonly content: string;
  /** The cells of a refused row as they stood in the file, as a JSON list. */
  readonly cells: string | null;
}

/** Inserts a row, or replaces it. */
export function writeLigne(database: Transaction, importationId: number, ligne: LigneRecord): void {
  database.run(
    `INSERT OR REPLACE INTO ImportationLigne
         (importationId, ligne, sort, livreId, raison, pending, content, cells)
       VALUES (@importationId, @ligne, @sort, @livreId, @raison, @pending, @content, @cells)`,
    { ...ligne, importationId },
  );
}

/** Writes the outcome of a row; its content stays. */
export function updateOutcome(
  database: Transaction,
  importationId: number,
  { ligne, sort, livreId, raison }: Pick<LigneRecord, 'ligne' | 'sort' | 'livreId' | 'raison'>,
): void {
  database.run(
    `UPDATE ImportationLigne SET sort = @sort, livreId = @livreId, raison = @raison
       WHERE importationId = @importationId AND ligne = @ligne`,
    { sort, livreId, raison, importationId, ligne },
  );
}

/** Keeps what a row has made since its import was. */
export function writeMade(
  database: Transaction,
  importationId: number,
  ligne: number,
  made: Made,
): void {
  const sql = 'UPDATE ImportationLigne SET made = ? WHERE importationId = ? AND ligne = ?';
  database.run(sql, JSON.stringify(made), importationId, ligne);
}

/** What the rows of an import have made since it was, in the order of the file. */
export const listMade = (database: Reader, importationId: number): Made[] =>
  database
    .values<string>(
      'SELECT made FROM ImportationLigne WHERE importationId = ? AND made IS NOT NULL ORDER BY ligne',
      importationId,
    )
    .map((made) => parseKept<Made>(made));

/** Forgets that; the rows are made again with the import. */
export function forgetMade(database: Transaction, importationId: number): void {
  const sql = 'UPDATE ImportationLigne SET made = NULL WHERE importationId = ?';
  database.run(sql, importationId);
}

/** How rows are chosen for a page; all of them where nothing is said. */
export interface LignePage {
  readonly sort?: RowOutcome | undefined;
  readonly limite?: number | undefined;
  readonly decalage?: number | undefined;
}

const SELECT = `SELECT ligne, sort, livreId, raison, pending, content, cells FROM ImportationLigne
  WHERE importationId = @importationId`;

/** Rows of an import in the order of the file. */
export const listLignes = (
  database: Reader,
  importationId: number,
  { sort, limite = -1, decalage = 0 }: LignePage,
): LigneRecord[] =>
  database.all<LigneRecord>(
    `${SELECT} AND (@sort IS NULL OR sort = @sort)
       ORDER BY ligne LIMIT @limite OFFSET @decalage`,
    { importationId, sort: sort ?? null, limite, decalage },
  );

/** Rows read from the database at a time. */
const BATCH = 2000;

/** All rows in the order of the file, so many at a time. */
export function* lignesInBatches(
  database: Reader,
  importationId: number,
  count = BATCH,
): Generator<LigneRecord[]> {
  type Page = { importationId: number; after: number; count: number };
  const read = database.prepare<[Page], LigneRecord>(
    `${SELECT} AND ligne > @after ORDER BY ligne LIMIT @count`,
  );
  for (let after = 0; ;) {
    const lignes = read.all({ importationId, after, count });
    if (lignes.length > 0) yield lignes;
    if (lignes.length < count) return;
    after = lignes.at(-1)?.ligne ?? after;
  }
}

/** How many rows the catalogues are still to be asked about. */
export function countPending(database: Reader, importationId: number): number {
  return (
    database.value<number>(
      'SELECT count(*) AS count FROM ImportationLigne WHERE importationId = ? AND pending = 1',
      importationId,
    ) ?? 0
  );
}

/** Has the catalogues asked again about the rows that none has answered for. */
export function retryPending(database: Transaction, importationId: number): void {
  database.run(
    'UPDATE ImportationLigne SET pending = 1 WHERE importationId = ? AND pending = 2',
    importationId,
  );
}

/** The imports with rows that the catalogues are still to be asked about, and whose they are. */
export const listPending = (database: Reader): { id: number; utilisateur: string }[] =>
  database.all<{ id: number; utilisateur: string }>(`SELECT id, utilisateur FROM Importation
       WHERE etat IN ('essai', 'faite') AND EXISTS (
         SELECT 1 FROM ImportationLigne WHERE importationId = Importation.id AND pending = 1)
       ORDER BY id`);

/** The first row behind another that the catalogues are to be asked about. */
export const nextPending = (
  database: Reader,
  importationId: number,
  after = 0,
): LigneRecord | undefined =>
  database.get<LigneRecord>(`${SELECT} AND pending = 1 AND ligne > @after ORDER BY ligne LIMIT 1`, {
    importationId,
    after,
  });

export function countOutcomes(database: Reader, importationId: number): Record<RowOutcome, number> {
  const counts = { nouveau: 0, present: 0, souhait: 0, refuse: 0 };
  const rows = database.all<{ sort: RowOutcome; count: number }>(
    'SELECT sort, count(*) AS count FROM ImportationLigne WHERE importationId = ? GROUP BY sort',
    importationId,
  );
  for (const { sort, count } of rows) counts[sort] = count;
  return counts;
}

/** A book whose title has neither letter nor digit, and which no rule compares, by its title. */
export function livreIdByBareTitre(database: Reader, titre: string): number | null {
  return (
    database.value<number>(
      "SELECT id FROM Livre WHERE cleOeuvre = '' AND titre = ? ORDER BY id LIMIT 1",
      titre,
    ) ?? null
  );
}

/** What tells one book of an export, or of this household, from every other. */
export const originKey = (titreNormalise: string, dateAjout: string): string =>
  `${dateAjout} ${titreNormalise}`;

/** The same of a book of this household. */
export function originOfLivre(database: Reader, id: number): string {
  const livre = database.get<{ titreNormalise: string; dateAjout: string }>(
    'SELECT titreNormalise, dateAjout FROM Livre WHERE id = ?',
    id,
  );
  return livre === undefined ? '' : originKey(livre.titreNormalise, livre.dateAjout);
}

/** The very book that an export tells of: of several copies, the one entered at that instant. */
export const livreIdByOrigin = (
  database: Reader,
  { titre, dateAjout }: { readonly titre: string; readonly dateAjout: string },
): number | undefined =>
  database.value<number>(
    'SELECT id FROM Livre WHERE titreNormalise = normaliser(?) AND dateAjout = ? ORDER BY id LIMIT 1',
    titre,
    dateAjout,
  );
