import { Clean } from 'typebox/value';
import { withAbsentFields } from '#shared/absent-fields';
import { DAY_MS } from '#shared/days';
import { exportKinds, type ExportKind, type ExportRecord } from '#shared/export';
import {
  IMPORTATION_DAYS,
  ImportationCounts,
  type ALire,
  type Colonnes,
  type DecodageLu,
  type Decision,
  type Encodage,
  type EtatImportation,
  type OrdreDesNoms,
  type OrdreNoms,
  type ColonnePerdue,
  type PremiereLigne,
  type Questions,
  type RaisonGroupee,
  type RowOutcome,
  type SerieProposee,
  type ThemePropose,
} from '#shared/importations';
import { objectKeys } from '#shared/object-keys';
import { Refusal } from '#shared/refusals';
import { parseStored } from '#server/plumbing/common/stored-json';
import { insertRow, updateRow } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { Raison, RaisonMessage } from '#server/plumbing/common/raisons';
import { BYTES_A_RECORD } from '#server/plumbing/writes/orders';
import type { RememberedMapping } from './columns.ts';
import type { ForAll } from './questions.ts';
import { NO_FIELDS, type ReadRow } from './rows.ts';

export interface Counts {
  readonly ofRows: ImportationCounts;
  readonly rest: RestCounts;
  readonly deFichier: readonly Raison[];
  /** Missing in older dry runs. */
  readonly decodage?: DecodageLu;
  readonly perdus: readonly ColonnePerdue[];
  /** The columns with words that become no themes. */
  readonly perdusThemes: readonly ColonnePerdue[];
  /** Example values of each column of a table with a mapping. */
  readonly exemples: readonly (readonly string[])[];
  /** The series that a dry run proposes, the fullest first. */
  readonly seriesProposees: readonly SerieProposee[];
  /** The words of the file, and which of them become themes. */
  readonly themesProposes: readonly ThemePropose[];
  /** Missing in older dry runs. */
  readonly ordreDesNoms?: OrdreDesNoms;
  /** The person's decision, for a repeated import. */
  readonly seriesIgnorees: string[];
  readonly ordreNoms?: OrdreNoms;
  /** Left out of dry runs of earlier versions. */
  readonly questions?: Questions;
  readonly premiereLigne?: PremiereLigne | null;
  readonly forAll?: ForAll;
  /** True if new books get the entry date of the file. */
  readonly datesEntree?: boolean;
  /** Rows that become books despite an existing one, once the catalogues have answered. */
  readonly decisions: Decision[];
  /** The household of an export, if known. */
  readonly bibliotheque?: string;
  /** True if an export is restored into an empty household, or its own. */
  readonly isRestored?: boolean;
}

/** Records besides rows; filled and refused ones count for everyone. */
export interface RestCounts {
  readonly shared: number;
  readonly personal: number;
  readonly filled: number;
  readonly refused: number;
  readonly returned: number;
}

export interface ImportationRecord {
  readonly id: number;
  /** '' for an unknown caller. */
  readonly utilisateur: string;
  /** In milliseconds since 1970. */
  readonly date: number;
  readonly etat: EtatImportation;
  readonly nom: string | null;
  readonly format: string;
  readonly programme: string | null;
  readonly encodage: Encodage;
  readonly aLire: ALire;
  readonly headers: readonly string[];
  readonly colonnes: Colonnes | null;
  readonly counts: Counts;
}

/** A warning about an accepted row, or about the whole file. */
export interface Avertissement {
  readonly ligne: number | null;
  readonly raison: Raison;
}

/** Column values: lists and objects as JSON. */
const toColumns = (values: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  );

interface ImportationRow extends Omit<ImportationRecord, 'headers' | 'colonnes' | 'counts'> {
  readonly headers: string;
  readonly colonnes: string | null;
  readonly counts: string;
}

/** While its rows are being written it has a state that nobody sees. */
const BEING_WRITTEN = 'lecture';

export function insertImportation(
  database: Transaction,
  { counts, ...values }: Omit<ImportationRecord, 'id'>,
): number {
  const { ofRows, ...rest } = counts;
  const columns = toColumns({ ...values, etat: BEING_WRITTEN, counts: rest });
  const id = insertRow(database, 'Importation', columns);
  insertRow(database, 'ImportationNombres', { importationId: id, ...ofRows });
  return id;
}

export const openEssai = (database: Transaction, id: number): void =>
  updateImportation(database, id, { etat: 'essai', date: Date.now() });

export function updateImportation(
  database: Transaction,
  id: number,
  { counts, ...values }: Partial<ImportationRecord>,
): void {
  if (counts === undefined) {
    updateRow(database, 'Importation', id, toColumns(values));
    return;
  }
  const { ofRows, ...rest } = counts;
  updateRow(database, 'Importation', id, toColumns({ ...values, counts: rest }));
  const names = objectKeys(ofRows);
  database.run(
    `UPDATE ImportationNombres SET ${names.map((name) => `${name} = @${name}`).join(', ')}
       WHERE importationId = @id`,
    { ...ofRows, id },
  );
}

/** An import as shown in a list, without columns as long as its file. */
export interface ImportationSummary
  extends
    Pick<ImportationRecord, 'id' | 'date' | 'etat' | 'nom' | 'format' | 'programme' | 'encodage'>,
    ImportationCounts {
  /** Including rows that wait for the catalogues. */
  readonly nombreRefuses: number;
  readonly enRecherche: number;
}

const SELECT_SUMMARY = `SELECT i.id, i.date, i.etat, i.nom, i.format, i.programme, i.encodage,
    ${objectKeys(ImportationCounts.properties).join(', ')}, nombreRefuses, enRecherche
  FROM Importation i JOIN ImportationNombres n ON n.importationId = i.id`;

export const readSummary = (database: Reader, id: number): ImportationSummary | undefined =>
  database.get<ImportationSummary>(`${SELECT_SUMMARY} WHERE i.id = ?`, id);

const readOfRows = (database: Reader, id: number): ImportationCounts | undefined =>
  database.get<ImportationCounts>(
    `SELECT ${objectKeys(ImportationCounts.properties).join(', ')}
     FROM ImportationNombres WHERE importationId = ?`,
    id,
  );

/** An import of the caller's own, or everyone's. */
export function readImportation(
  database: Reader,
  id: number,
  utilisateur: string,
): ImportationRecord | undefined {
  const row = database.get<ImportationRow>(
    "SELECT * FROM Importation WHERE id = ? AND utilisateur IN (?, '') AND etat <> ?",
    id,
    utilisateur,
    BEING_WRITTEN,
  );
  const ofRows = readOfRows(database, id);
  if (row === undefined || ofRows === undefined) return undefined;
  const { headers, colonnes, counts, ...rest } = row;
  return {
    ...rest,
    headers: parseStored<ImportationRecord['headers']>(headers),
    colonnes: colonnes === null ? null : parseStored<Colonnes>(colonnes),
    counts: { ...parseStored<Omit<Counts, 'ofRows'>>(counts), ofRows },
  };
}

/** Like `readImportation`, but throws `INTROUVABLE`, also for an expired dry run. */
export function requireRecord(
  database: Reader,
  id: number,
  utilisateur: string | null,
): ImportationRecord {
  const record = readImportation(database, id, utilisateur ?? '');
  if (record === undefined || isExpired(record)) throw new Refusal('INTROUVABLE');
  return record;
}

export const listSummaries = (database: Reader, utilisateur: string | null): ImportationSummary[] =>
  database
    .all<ImportationSummary>(
      `${SELECT_SUMMARY} WHERE i.utilisateur IN (?, '') AND i.etat <> ? ORDER BY i.id DESC LIMIT 100`,
      utilisateur ?? '',
      BEING_WRITTEN,
    )
    .filter((summary) => !isExpired(summary));

/** How long an import can be undone, in milliseconds. */
export const UNDO_MS = IMPORTATION_DAYS * DAY_MS;

/** Whether a dry run has lived its day (docs/rules.md § 36). */
const isExpired = ({ etat, date }: Pick<ImportationRecord, 'etat' | 'date'>): boolean =>
  etat === 'essai' && date < Date.now() - DAY_MS;

/** How many rows one batch deletes. */
const DELETED_A_TURN = 500;

const GONE = `(etat = 'essai' AND date < @yesterday) OR (etat = '${BEING_WRITTEN}' AND @isIdle)`;

/** Whether dry runs have expired, or were broken off. */
export const holdsExpired = (database: Reader, isIdle: boolean): boolean =>
  database.value(`SELECT 1 FROM Importation WHERE ${GONE} LIMIT 1`, {
    yesterday: Date.now() - DAY_MS,
    isIdle: Number(isIdle),
  }) !== undefined;

/** The large tables of an import; the others are deleted with it. */
const PARTS = ['ImportationLigne', 'ImportationReste', 'ImportationAvertissement'] as const;

/**
 * Deletes a batch of expired or abandoned dry runs, and of rows of imports that can no longer be undone; true if more
 * may be left.
 *
 * @param isIdle whether no file is being read into a dry run
 */
export function deleteExpired(database: Transaction, isIdle = false): boolean {
  const now = Date.now();
  const dates = { yesterday: now - DAY_MS, isIdle: Number(isIdle), lastMonth: now - UNDO_MS };
  let left = DELETED_A_TURN;
  const deleteSome = (part: string, which: string): void => {
    left -= database.run(
      `DELETE FROM ${part} WHERE rowid IN (SELECT rowid FROM ${part} WHERE ${which} LIMIT @left)`,
      { ...dates, left },
    ).changes;
  };
  for (const part of PARTS)
    deleteSome(part, `importationId IN (SELECT id FROM Importation WHERE ${GONE})`);
  deleteSome(
    'ImportationLigne',
    "sort <> 'refuse' AND importationId IN (SELECT id FROM Importation WHERE date < @lastMonth)",
  );
  if (left === 0) return true;
  database.run(`DELETE FROM Importation WHERE ${GONE}`, dates);
  return false;
}

/** Stores the pictures of a dry run until it is executed or expires. */
export function writeCouvertures(
  database: Transaction,
  importationId: number,
  cles: Iterable<string>,
): void {
  for (const cle of cles)
    database.run(
      'INSERT OR IGNORE INTO ImportationCouverture (importationId, cle) VALUES (?, ?)',
      importationId,
      cle,
    );
}

/** Empty for another person's dry run. */
export const readCouvertures = (
  database: Reader,
  importationId: number,
  utilisateur: string | null,
): string[] =>
  database.values<string>(
    `SELECT cle FROM ImportationCouverture c JOIN Importation i ON i.id = c.importationId
     WHERE i.id = ? AND i.utilisateur = ?`,
    importationId,
    utilisateur ?? '',
  );

/** How many pictures the caller's dry runs have. */
export const countCouvertures = (database: Reader, utilisateur: string | null): number =>
  database.value<number>(
    `SELECT count(*) FROM ImportationCouverture c JOIN Importation i ON i.id = c.importationId
     WHERE i.utilisateur = ?`,
    utilisateur ?? '',
  ) ?? 0;

export const deleteCouvertures = (database: Transaction, importationId: number): void =>
  void database.run('DELETE FROM ImportationCouverture WHERE importationId = ?', importationId);

/** Whether an export is of this household, or of one that was restored into it (docs/rules.md § 41). */
export const isOwnExport = (database: Reader, bibliotheque: string | undefined): boolean =>
  bibliotheque !== undefined &&
  (bibliotheque === database.householdId ||
    database.value(
      `SELECT 1 FROM Importation WHERE etat = 'faite' AND counts ->> 'bibliotheque' = ?
         AND counts ->> 'isRestored' = 1 LIMIT 1`,
      bibliotheque,
    ) !== undefined);

export function readColonnesOf(database: Reader, signature: string): RememberedMapping | null {
  const known = database.get<{ colonnes: string; premiereLigne: PremiereLigne | null }>(
    'SELECT colonnes, premiereLigne FROM ImportationColonnes WHERE signature = ?',
    signature,
  );
  return known === undefined ? null : { ...known, colonnes: parseStored<Colonnes>(known.colonnes) };
}

export function writeColonnes(
  database: Transaction,
  signature: string,
  { colonnes, premiereLigne }: RememberedMapping,
): void {
  database.run(
    'INSERT OR REPLACE INTO ImportationColonnes (signature, colonnes, premiereLigne) VALUES (?, ?, ?)',
    signature,
    JSON.stringify(colonnes),
    premiereLigne,
  );
}

export interface LigneRecord {
  readonly ligne: number;
  readonly sort: RowOutcome;
  readonly livreId: number | null;
  readonly raison: Raison | null;
  /** 1 until the catalogues are asked, 2 once none has answered. */
  readonly pending: 0 | 1 | 2;
  /** The row as read, before the person's decisions. */
  readonly read: ReadRow;
  /** The original cells of a refused row. */
  readonly cells: readonly string[] | null;
}

interface LigneRow extends Omit<LigneRecord, 'read' | 'cells'> {
  readonly content: string;
  readonly cells: string | null;
}

function toLigne({ content, cells, ...ligne }: LigneRow): LigneRecord {
  const read = parseStored<ReadRow>(content);
  const { livre, souhait } = read.row.kept ?? {};
  if (livre !== undefined) completeRecord('livres', livre);
  if (souhait !== undefined) completeRecord('souhaits', souhait);
  return {
    ...ligne,
    read: { ...read, row: { ...NO_FIELDS, ...read.row } },
    cells: cells === null ? null : parseStored<string[]>(cells),
  };
}

/** Adds fields that a record stored by an earlier version lacks. */
function completeRecord<K extends ExportKind>(kind: K, record: ExportRecord<K>): ExportRecord<K> {
  return Object.assign(record, withAbsentFields(exportKinds[kind], record));
}

export function writeLigne(
  database: Transaction,
  importationId: number,
  { read, cells, ...ligne }: LigneRecord,
): void {
  database.run(
    `INSERT OR REPLACE INTO ImportationLigne
         (importationId, ligne, sort, livreId, raison, pending, content, cells)
       VALUES (@importationId, @ligne, @sort, @livreId, @raison, @pending, @content, @cells)`,
    {
      ...ligne,
      importationId,
      content: JSON.stringify(read),
      cells: cells && JSON.stringify(cells),
    },
  );
}

/** Stores the outcome of a row; an unsuccessful lookup stays recorded. */
export function keepOutcome(
  database: Transaction,
  importationId: number,
  {
    ligne,
    sort,
    livreId,
    raison,
    pending,
  }: Pick<LigneRecord, 'ligne' | 'sort' | 'livreId' | 'raison' | 'pending'>,
): void {
  database.run(
    `UPDATE ImportationLigne SET sort = @sort, livreId = @livreId, raison = @raison, pending = @pending
       WHERE importationId = @importationId AND ligne = @ligne AND NOT (pending = 2 AND sort = @sort)
         AND (sort, livreId, raison, pending) IS NOT (@sort, @livreId, @raison, @pending)`,
    { importationId, ligne, sort, livreId, raison, pending },
  );
}

/** Selects the rows of a page; all by default. */
export interface LignePage {
  readonly sort?: RowOutcome | undefined;
  readonly limite?: number | undefined;
  readonly decalage?: number | undefined;
  /** Only rows after this one. */
  readonly after?: number;
}

const SELECT = `SELECT ligne, sort, livreId, raison, pending, content, cells FROM ImportationLigne
  WHERE importationId = @importationId`;

export const listLignes = (
  database: Reader,
  importationId: number,
  { sort, limite = -1, decalage = 0, after = -1 }: LignePage,
): LigneRecord[] =>
  database
    .all<LigneRow>(
      `${SELECT} AND ligne > @after ${sort === undefined ? '' : 'AND sort = @sort'}
       ORDER BY ligne LIMIT @limite OFFSET @decalage`,
      { importationId, sort, limite, decalage, after },
    )
    .map(toLigne);

/** The rows of one outcome, and of one reason if given. */
export const listLignesOf = (
  database: Reader,
  importationId: number,
  { sort, raison = null }: { readonly sort: RowOutcome; readonly raison?: Raison | null },
): Pick<LigneRecord, 'ligne' | 'livreId'>[] =>
  database.all(
    `SELECT ligne, livreId FROM ImportationLigne
     WHERE importationId = ? AND sort = ? AND raison IS coalesce(?, raison) ORDER BY ligne`,
    importationId,
    sort,
    raison,
  );

/** Yields the rows of a page, one per read: a row may have a million characters, and other requests run in between. */
export function* walkLignes(
  database: Reader,
  importationId: number,
  { limite = Infinity, ...page }: LignePage,
): Generator<LigneRecord, undefined> {
  for (let [left, next] = [limite, page]; left > 0; left--) {
    const [row] = listLignes(database, importationId, { ...next, limite: 1 });
    if (row === undefined) return;
    yield row;
    next = { sort: page.sort, after: row.ligne };
  }
}

/** How many rows one read returns. */
const PAGE = 500;

/** All rows in the order of the file, a page at a time whenever they are walked through. */
export const allLignes = (database: Reader, importationId: number): Iterable<LigneRecord> => ({
  *[Symbol.iterator]() {
    const sql = `${SELECT} AND ligne > @after ORDER BY ligne LIMIT ${PAGE}`;
    for (let after = 0; ;) {
      const page = database.all<LigneRow>(sql, { importationId, after });
      yield* page.map(toLigne);
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.ligne;
    }
  },
});

/** The value of `ligne` for the whole file. */
const WHOLE_FILE = 0;

/** Adds warnings, without repeating those of a row. */
export function addAvertissements(
  database: Transaction,
  importationId: number,
  avertissements: Iterable<Avertissement>,
): void {
  const sql =
    'INSERT OR IGNORE INTO ImportationAvertissement (importationId, ligne, raison) VALUES (?, ?, ?)';
  for (const { ligne, raison } of avertissements)
    database.run(sql, importationId, ligne ?? WHOLE_FILE, raison);
}

/** Replaces the warnings of an import. */
export function writeAvertissements(
  database: Transaction,
  importationId: number,
  avertissements: Iterable<Avertissement>,
): void {
  database.run('DELETE FROM ImportationAvertissement WHERE importationId = ?', importationId);
  addAvertissements(database, importationId, avertissements);
}

/** The first ones, in the order of the file. */
export const listAvertissements = (
  database: Reader,
  importationId: number,
  limit: number,
): Avertissement[] =>
  database.all<Avertissement>(
    `SELECT nullif(ligne, ${WHOLE_FILE}) AS ligne, raison FROM ImportationAvertissement
     WHERE importationId = ? ORDER BY ImportationAvertissement.ligne, id LIMIT ?`,
    importationId,
    limit,
  );

export const raisonsOfLigne = (database: Reader, importationId: number, ligne: number): Raison[] =>
  database.values<Raison>(
    'SELECT raison FROM ImportationAvertissement WHERE importationId = ? AND ligne = ? ORDER BY id',
    importationId,
    ligne,
  );

export const countAvertissements = (database: Reader, importationId: number): number =>
  database.value<number>(
    'SELECT count(*) FROM ImportationAvertissement WHERE importationId = ?',
    importationId,
  ) ?? 0;

interface GroupedRaison extends Omit<RaisonGroupee, keyof RaisonMessage | 'raison'> {
  readonly raison: Raison;
}

/** The number of rows for each message, with the first one, in the order of the file. */
export const groupRaisons = (
  database: Reader,
  importationId: number,
  { raisons, lignes }: { readonly raisons: number; readonly lignes: number },
): GroupedRaison[] =>
  database
    .all<{ raison: Raison; nombre: number }>(
      `SELECT raison, count(*) AS nombre FROM ImportationAvertissement
       WHERE importationId = ? AND ligne <> ${WHOLE_FILE} GROUP BY raison ORDER BY min(ligne), min(id) LIMIT ?`,
      importationId,
      raisons,
    )
    .map(({ raison, nombre }) => {
      const sql = `SELECT ligne FROM ImportationAvertissement
        WHERE importationId = ? AND raison = ? AND ligne <> ${WHOLE_FILE} ORDER BY ligne LIMIT ?`;
      const first = database.values<number>(sql, importationId, raison, lignes);
      return { raison, nombre, lignes: first };
    });

/** The next row after another one to look up. */
export function nextPending(
  database: Reader,
  importationId: number,
  after = 0,
): LigneRecord | undefined {
  const sql = `${SELECT} AND pending = 1 AND ligne > @after ORDER BY ligne LIMIT 1`;
  const row = database.get<LigneRow>(sql, { importationId, after });
  return row && toLigne(row);
}

/** How many rows an import has, of one outcome or in all; an old one only has refused ones. */
export const countLignes = (database: Reader, importationId: number, sort?: RowOutcome): number =>
  database.value<number>(
    'SELECT count(*) FROM ImportationLigne WHERE importationId = @importationId AND (@sort IS NULL OR sort = @sort)',
    { importationId, sort: sort ?? null },
  ) ?? 0;

/** The size of an import in records, by number and bytes of its rows: few rows may have megabytes. */
export const workOf = (database: Reader, importationId: number): number =>
  database.value<number>(
    `SELECT count(*) + total((octet_length(content) + coalesce(octet_length(cells), 0)) / ${BYTES_A_RECORD})
     FROM ImportationLigne WHERE importationId = ?`,
    importationId,
  ) ?? 0;

/** Returns only fields of the kind's schema, since they become columns and an export may have any. */
export const readReste = <K extends ExportKind>(
  database: Reader,
  importationId: number,
  kind: K,
): ExportRecord<K>[] =>
  database
    .values<string>(
      `SELECT content FROM ImportationReste WHERE importationId = ? AND kind = ? ORDER BY position`,
      importationId,
      kind,
    )
    .map((content) => {
      const record = parseStored<ExportRecord<K>>(content);
      Clean(exportKinds[kind], record);
      return completeRecord(kind, record);
    });
