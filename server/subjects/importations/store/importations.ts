import type { ExportKind } from '#shared/export';
import type {
  Colonnes,
  Encodage,
  EtatImportation,
  ImportFormat,
  OrdreNoms,
} from '#shared/importations';
import type { AuteurRecord } from '#server/subjects/auteurs/store/auteurs';
import { insertRow, updateRow } from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { parseKept } from '#server/plumbing/database/kept-json';

/** The counts of a dry run or an import, and what is to be said of single rows. */
export interface Counts {
  readonly statuts: number;
  readonly prets: number;
  readonly series: number;
  /** Left out where it was made before there were readings. */
  readonly notes?: number;
  readonly datesDeLecture?: number;
  readonly avertissements: readonly { readonly ligne: number; readonly raison: string }[];
  /** Some values of each column of a table that is read by a mapping. */
  readonly exemples?: readonly string[][];
  /** True where a household's export came into an empty one, which it restores. */
  readonly isRestored?: boolean;
  /** What its person decided, for an import that is made again. */
  readonly seriesIgnorees?: readonly string[];
  readonly nomsInverses?: readonly string[];
  readonly ordreNoms?: OrdreNoms | undefined;
  /** How the catalogues write its doubtful names, in reading order; `null` where they do not say. */
  readonly nomsDesCatalogues?: Readonly<Record<string, string | null>>;
}

/** What an import has made, by ids, so that it can be undone. */
export interface Made {
  readonly livres: readonly number[];
  readonly statuts: readonly (readonly [livreId: number, statut: number])[];
  readonly souhaits: readonly number[];
  readonly prets: readonly number[];
  readonly series: readonly number[];
  readonly places: readonly number[];
  /** Missing volumes that got their book. */
  readonly filled: readonly number[];
  /** Of a household's export, and locations of any file. */
  readonly rest?: MadeRest;
  /** Every loan, returned ones too, with a digest of each as it was made; earlier versions kept none. */
  readonly pretDigests?: readonly (readonly [id: number, digest: string])[];
  /** Left out where no author has got another name. */
  readonly noms?: readonly RenamedAuteur[];
  /** Where books were put; left out where none was. */
  readonly ranges?: readonly (readonly [livreId: number, emplacementId: number])[];
}

/** An author of other books whom an import gave another name. */
export interface RenamedAuteur {
  readonly former: AuteurRecord;
  readonly given: AuteurRecord;
  /** The author's books that were there before. */
  readonly livres: readonly number[];
}

/** What the export of a household has made besides the records of its rows. */
export interface MadeRest {
  readonly auteurs: readonly number[];
  readonly refus: readonly (readonly [number, number])[];
  /** Records of any kind, in the order of making, with a digest of each as it was then. */
  readonly records: readonly (readonly [ExportKind, id: number, digest: string])[];
  /** Fields that records were given, and what these had where it was not nothing. */
  readonly given: readonly (readonly [
    ExportKind,
    id: number,
    field: string,
    value: string,
    former?: string | null,
  ])[];
}

/** A dry run or an import as it is kept. */
export interface ImportationRecord {
  readonly id: number;
  /** '' for an unknown caller. */
  readonly utilisateur: string;
  /** In milliseconds since 1970. */
  readonly date: number;
  readonly etat: EtatImportation;
  readonly nom: string | null;
  readonly format: ImportFormat;
  readonly encodage: Encodage;
  readonly aLire: 'statut' | 'souhait';
  readonly headers: readonly string[];
  readonly colonnes: Colonnes | null;
  readonly counts: Counts;
  readonly made: Made | null;
}

const JSON_COLUMNS = ['headers', 'colonnes', 'counts', 'made'] as const;

type Values = Partial<Omit<ImportationRecord, 'id'>>;

const toRow = (values: Values): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      JSON_COLUMNS.some((column) => column === name) && value !== null
        ? JSON.stringify(value)
        : value,
    ]),
  );

/** A row as it stands in the table: what is JSON is a text. */
interface ImportationRow extends Omit<ImportationRecord, (typeof JSON_COLUMNS)[number]> {
  readonly headers: string;
  readonly colonnes: string | null;
  readonly counts: string;
  readonly made: string | null;
}

const toRecord = ({
  headers,
  colonnes,
  counts,
  made,
  ...row
}: ImportationRow): ImportationRecord => ({
  ...row,
  headers: parseKept<ImportationRecord['headers']>(headers),
  colonnes: colonnes === null ? null : parseKept<Colonnes>(colonnes),
  counts: parseKept<Counts>(counts),
  made: made === null ? null : parseKept<Made>(made),
});

export const insertImportation = (
  database: Transaction,
  values: Omit<ImportationRecord, 'id'>,
): number => insertRow(database, 'Importation', toRow(values));

export const updateImportation = (database: Transaction, id: number, values: Values): void =>
  updateRow(database, 'Importation', id, toRow(values));

/** One of a caller's own, or everyone's; another's is not found. */
export function readImportation(
  database: Reader,
  id: number,
  utilisateur: string,
): ImportationRecord | undefined {
  const row = database.get<ImportationRow>(
    "SELECT * FROM Importation WHERE id = ? AND utilisateur IN (?, '')",
    id,
    utilisateur,
  );
  return row === undefined ? undefined : toRecord(row);
}

/** A caller's own and everyone's, newest first. */
export const listImportations = (database: Reader, utilisateur: string): ImportationRecord[] =>
  database
    .all<ImportationRow>(
      "SELECT * FROM Importation WHERE utilisateur IN (?, '') ORDER BY id DESC LIMIT 100",
      utilisateur,
    )
    .map(toRecord);

/** Deletes one with its rows. */
export function deleteImportation(database: Transaction, id: number): void {
  database.run('DELETE FROM Importation WHERE id = ?', id);
}

/** Deletes the dry runs, and those cut off while they were read, that are older than a moment. */
export function deleteOldEssais(database: Transaction, before: number): void {
  database.run("DELETE FROM Importation WHERE etat IN ('essai', 'lecture') AND date < ?", before);
}

/** Deletes the rows of imports that can no longer be undone. */
export function deleteOldLignes(database: Transaction, before: number): void {
  database.run(
    `DELETE FROM ImportationLigne
       WHERE sort <> 'refuse' AND importationId IN (SELECT id FROM Importation WHERE date < ?)`,
    before,
  );
}

/** Deletes what is left of readings that ended with the process. */
export function deleteUnfinished(database: Transaction): void {
  database.run("DELETE FROM Importation WHERE etat = 'lecture'");
}

/** The mapping that a table with this header was read by. */
export function readColonnes(database: Reader, signature: string): Colonnes | null {
  const sql = 'SELECT colonnes FROM ImportationColonnes WHERE signature = ?';
  const colonnes = database.value<string>(sql, signature);
  return colonnes === undefined ? null : parseKept<Colonnes>(colonnes);
}

export function writeColonnes(database: Transaction, signature: string, colonnes: Colonnes): void {
  database.run(
    'INSERT OR REPLACE INTO ImportationColonnes (signature, colonnes) VALUES (?, ?)',
    signature,
    JSON.stringify(colonnes),
  );
}
