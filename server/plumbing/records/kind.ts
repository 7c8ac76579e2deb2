import type { TSchema } from 'typebox';
import type { Locale } from '#shared/locale';
import type { Row } from '#shared/change-reader';
import type { CollectionName } from '#shared/collection-names';
import type { CollectionDocument } from '#shared/collections';
import type { Couverture } from '#shared/couvertures';
import type { Endpoint } from '#shared/endpoint';
import type { ExportKind, ExportRecord } from '#shared/export';
import type { DocumentProjection } from '#server/plumbing/database/columns';
import type { Reader, Transaction, Snapshot } from '#server/plumbing/database/connection';

/** Defined by its subject; read by replication, undo, export and the start-up pass. */
export interface RecordKind<N extends CollectionName = CollectionName> {
  /** The documents that devices replicate; `projection.table` has their rows. */
  readonly projection: DocumentProjection<CollectionDocument<N>>;
  /** The column of a document's id, unless it is `id`. */
  readonly key?: string;
  /** The column of a row's owner; left out where all rows are everyone's. */
  readonly owner?: string;
  /** A record for one caller, if that differs from its document (docs/rules.md § 29). */
  readonly read?: (database: Reader, id: number, utilisateur: string | null) => object | undefined;
  /** The question to outside catalogues about a record, for « Autres couvertures ». */
  readonly findOeuvre?: (
    database: Reader,
    id: number,
    utilisateur: string | null,
  ) => Oeuvre | undefined;
  readonly naming?: Naming;
  readonly tables?: Readonly<Record<string, TableRules>>;
  /** The files of the household's export, by name. */
  readonly exports?: { readonly [K in ExportKind]?: ExportRules<ExportRecord<K>> };
  /** Texts of all records for other programs, in the export and as downloads. */
  readonly texts?: readonly ExportedText[];
  /** Rewrites rows of older rules; returns whether all follow the present ones (docs/rules.md § 30). */
  readonly renormaliser?: (database: Transaction) => boolean;
  /** Updates rows derived from the modifications in force, after an undo or redo. */
  readonly suivreAnnulations?: (database: Transaction) => void;
}

export type RecordKinds = { readonly [N in CollectionName]: RecordKind<N> };

export interface Oeuvre {
  readonly titre: string;
  readonly auteur: string | null;
  readonly isbn: string | null;
}

interface Naming {
  readonly column: string;
  /** « Le livre »: the beginning of its sentences. */
  readonly subject: () => string;
  readonly changed: () => string;
  readonly deleted: () => string;
}

/** What undo has to know about a table besides its schema (docs/rules.md § 38). */
export interface TableRules {
  /** The record that a row is a part of: the column of its id, and its table. */
  readonly partOf?: readonly [column: string, table: string];
  /** A reference without a foreign key: the referenced record may be deleted without the row. */
  readonly of?: readonly [column: string, table: string];
  /** For rows that are entries of a list: the record's field. */
  readonly list?: ListRules;
  readonly fields?: readonly string[];
  /** For rows that exist only while something refers to them. */
  readonly lookupTable?: LookupTable;
  /** Whether a row is over, such as a returned loan: it does not keep its record when an import is undone. */
  readonly isOver?: (row: Row) => boolean;
  /** Columns computed from the others: no form edits them, and the start-up pass recomputes them. */
  readonly derived?: readonly string[];
  /** The further columns that the history leaves out, besides the id, the owner and the place in a list. */
  readonly notInHistory?: readonly string[];
  /** Columns that a person enters: the undo of an import compares these only. */
  readonly entered?: readonly string[];
  /** The place of its rows in a list, which is never an obstacle to an undoing. */
  readonly order?: OrderRules;
  /** Checks the rules that no SQL constraint enforces; `null` if the row satisfies them. */
  readonly findRuleViolation?: (database: Reader, row: Row) => RuleViolation | null;
  readonly reasons?: Reasons;
}

export interface ListRules {
  readonly champ: string;
  readonly column: string;
  /** The table that `column` refers to; left out where the entry's own row has the name. */
  readonly table?: string;
  readonly name: string;
}

/** A list whose elements are rows of one or several tables. */
export interface OrderRules {
  /** The same name in all tables of its elements. */
  readonly list: string;
  /** The column that names an element, unless it is `id`. */
  readonly element?: string;
  /** The column of the list's owner, and whether NULL has a list, too. */
  readonly parent: string;
  readonly hasTop?: true;
  /** The columns that it is sorted by; the second of two is a rank, from 1 without holes. */
  readonly columns: readonly string[];
}

/** A violated rule, and the rows whose change may have caused it. */
export interface RuleViolation {
  readonly raison: string;
  readonly rows: readonly (readonly [table: string, id: number])[];
}

interface LookupTable {
  /** The unique column by which a recreated row is recognised as the archived one. */
  readonly unique: string;
  /** The reason if other records use the name by now. */
  readonly named: () => string;
  readonly deleteUnused: (database: Transaction, ids: readonly number[]) => void;
}

interface Reasons {
  /** The row was changed or deleted since. */
  readonly changed?: (database: Reader, image: Row) => string;
  /** The reason if a constraint refuses the row beside later additions; `null` if these are not the cause. */
  readonly taken?: (database: Reader, image: Row) => string | null;
  /** The row was added since, and would go or change, too. */
  readonly added?: (database: Reader, row: Row) => string;
  /** The reason if a referenced row was deleted: « Ce livre a été supprimé depuis. » */
  readonly gone?: () => string;
}

interface ExportRules<D extends object> {
  readonly projection: DocumentProjection<D>;
  /** The kind's description on the page that explains the archive. */
  readonly label: () => string;
  /** Whether its rows have no id to be read in pages by. */
  readonly isWhole?: true;
  /** Restores the records; left out if the import or other records bring them. */
  readonly restore?: Restore<D>;
}

/** Adds the missing records of a file and returns the outcome (docs/rules.md § 41). */
export type Restore<D> = (
  database: Transaction,
  records: readonly D[],
  into: RestoredInto,
) => RestoredRecord[];

interface RestoredInto {
  /** The owner whose personal records are restored; `null` for none. */
  readonly utilisateur: string | null;
  /** Maps ids of the export to ids of this household. A kind registers its own for the kinds after it. */
  readonly idsOf: (kind: ExportKind) => Map<number, number>;
  /** The id for a new row if the export's id is to be preserved. */
  readonly ownId: PreservedId;
}

/** `null` where the row gets the next id. */
export type PreservedId = (table: string, exportedId: number) => number | null;

/** A new record with its cover, or an existing one that received fields (`isFilled`). */
export interface RestoredRecord {
  readonly id: number;
  readonly couverture?: Couverture | null | undefined;
  readonly isFilled?: true;
}

/** An endpoint that answers with a file in place of JSON. */
export type FileEndpoint = Endpoint & { readonly response: TSchema; readonly type: string };

export interface ExportedText {
  readonly endpoint: FileEndpoint;
  readonly name: string;
  readonly label: () => string;
  /**
   * The text in pieces, with the caller's own fields; without any for `null`.
   *
   * @param locale the household's, in which a table has its headers and its words
   */
  readonly format: (
    snapshot: Snapshot,
    utilisateur: string | null,
    locale: Locale,
  ) => Iterable<string>;
}

export type ExportedFile<D extends object = object> = Omit<ExportRules<D>, 'label' | 'restore'> & {
  readonly label?: () => string;
  readonly owner?: string | undefined;
};
