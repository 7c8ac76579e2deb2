import type { TSchema } from 'typebox';
import type { Row } from '#shared/change-reader';
import type { CollectionDocument, CollectionName } from '#shared/collections';
import type { Couverture } from '#shared/couvertures';
import type { Endpoint } from '#shared/endpoint';
import type { ExportKind, ExportRecord } from '#shared/export';
import type { DocumentSource } from '#server/plumbing/database/columns';
import type { Reader, Transaction, Snapshot } from '#server/plumbing/database/connection';

/**
 * A kind of record, defined by its subject as `kind`. What serves every kind (replication, undo,
 * export, the start-up pass) reads it here and knows no subject by name.
 */
export interface RecordKind<N extends CollectionName = CollectionName> {
  /** Its documents as devices hold them; `source.table` is the table of its rows. */
  readonly source: DocumentSource<CollectionDocument<N>>;
  /** The column that is a document's id; `id` where left out. */
  readonly key?: string;
  /** The column of a row's owner, '' for everyone's; left out where all rows are everyone's. */
  readonly owner?: string;
  /** A record as one caller sees it, where that is more than its document (docs/rules.md § 29). */
  readonly read?: (database: Reader, id: number, utilisateur: string | null) => object | undefined;
  /** What outside catalogues are asked about a record by, for « Autres couvertures ». */
  readonly findOeuvre?: (
    database: Reader,
    id: number,
    utilisateur: string | null,
  ) => Oeuvre | undefined;
  /** How a person is told of one; left out where it is only told as a part of another kind. */
  readonly naming?: Naming;
  /** The tables of its rows and of their parts, as undo needs them. */
  readonly tables?: Readonly<Record<string, TableRules>>;
  /** Its files in the export of a household, by their names. */
  readonly exports?: { readonly [K in ExportKind]?: ExportRules<ExportRecord<K>> };
  /** Texts of all its records for other programs, in the export and each by itself. */
  readonly texts?: readonly ExportedText[];
  /** Brings rows of older rules up to the present ones, and tells whether all now are (docs/rules.md § 30). */
  readonly renormaliser?: (database: Transaction) => boolean;
}

/** The kinds by their collections, in the order in which they are told and renewed. */
export type RecordKinds = { readonly [N in CollectionName]: RecordKind<N> };

export interface Oeuvre {
  readonly titre: string;
  readonly auteur: string | null;
  readonly isbn: string | null;
}

interface Naming {
  readonly column: string;
  /** « Le livre », with the ending of a participle that agrees with it. */
  readonly subject: string;
  readonly ending: '' | 'e';
}

/** What undo has to know of a table that its schema does not say (docs/rules.md § 38). */
export interface TableRules {
  /** The record that a row is a part of: the column that leads to it, and its table. */
  readonly partOf?: readonly [column: string, table: string];
  /** The list field of the record whose entries these rows are. */
  readonly list?: ListRules;
  /** The columns that are told as fields of the record. */
  readonly fields?: readonly string[];
  /** Rows that exist only while something refers to them. */
  readonly vocabulary?: Vocabulary;
  /** True where its rows go with what they belong to, and come back with it. */
  readonly goesAlong?: true;
  /** Whether a row is over, as a loan given back: when an import is undone it goes with its record, and keeps nothing. */
  readonly isOver?: (row: Row) => boolean;
  /** The columns that a person enters, where the others follow: an import's undoing looks at these. */
  readonly entered?: readonly string[];
  /** Where its rows stand in a list, which is never an obstacle to an undoing. */
  readonly order?: OrderRules;
  /** Why a row may not be as it is, for a rule that no constraint guards; `null` where it may. */
  readonly findBreach?: (database: Reader, row: Row) => Breach | null;
  /** What stands in the way of an undoing, a sentence each. */
  readonly reasons?: Reasons;
}

export interface ListRules {
  readonly champ: string;
  readonly column: string;
  /** The table that `column` refers to; left out where the entry's own row has the name. */
  readonly table?: string;
  readonly name: string;
}

/** A list whose elements are rows, of one table or of several. */
export interface OrderRules {
  /** What the list is of: the same in all tables of its elements. */
  readonly list: string;
  /** The column that says whose list it is, and whether there is one for NULL. */
  readonly parent: string;
  readonly hasTop?: true;
  /** The columns that it is sorted by; the second of two is a rank, from 1 without holes. */
  readonly columns: readonly string[];
}

/** A state that the rules forbid, and the rows of which any change may have brought it about. */
export interface Breach {
  readonly raison: string;
  readonly rows: readonly (readonly [table: string, id: number])[];
}

interface Vocabulary {
  /** The column by which a word made again is the same. */
  readonly unique: string;
  /** Said where a name that is to go names other records since. */
  readonly named: string;
  readonly deleteUnused: (database: Transaction, ids: readonly number[]) => void;
}

interface Reasons {
  /** The row was rewritten or deleted since. */
  readonly changed?: (database: Reader, image: Row) => string;
  /** A constraint does not allow the row beside what was added since; `null` where that is not why. */
  readonly taken?: (database: Reader, image: Row) => string | null;
  /** The row was added since, and would go or change too. */
  readonly added?: (database: Reader, row: Row) => string;
  /** The row that another one refers to was deleted: « Ce livre a été supprimé ». */
  readonly gone?: string;
}

interface ExportRules<D extends object> {
  readonly source: DocumentSource<D>;
  /** What it holds, for the page that explains the archive. */
  readonly label: string;
  /** True where its rows have no id to be read in pages by. */
  readonly isWhole?: true;
  /** How they come back; left out for those that are rows of the import, or that these bring along. */
  readonly restoring?: Restoring<D>;
}

/** How the records of a file come back (docs/rules.md § 41). */
export interface Restoring<D> {
  /** Adds the records that the household lacks, and tells what was done. */
  readonly add: (
    database: Transaction,
    records: readonly D[],
    into: RestoredInto,
  ) => RestoredRecord[];
}

interface RestoredInto {
  /** Whose personal records come back; `null` for nobody's. */
  readonly utilisateur: string | null;
  /** Ids of a kind: in the export → in this household. A kind notes its own, for those behind it. */
  readonly idsOf: (kind: ExportKind) => Map<number, number>;
}

/** A record that was made, with the cover that it had; or one that was there and was given fields. */
export type RestoredRecord =
  | { readonly id: number; readonly couverture?: Couverture | null | undefined }
  | { readonly id: number; readonly given: readonly FilledField[] };

/** A field of a record that was given a value, and what it had. */
interface FilledField {
  readonly field: string;
  readonly value: string;
  readonly former?: string | null;
}

/** An endpoint that answers with a file in place of JSON. */
export type FileEndpoint = Endpoint & { readonly response: TSchema; readonly type: string };

export interface ExportedText {
  readonly endpoint: FileEndpoint;
  readonly name: string;
  readonly label: string;
  /** The text in pieces; a caller's own fields are in it, none for `null`. */
  readonly format: (snapshot: Snapshot, utilisateur: string | null) => Iterable<string>;
}

/** A file of the export and its kind's owner: with one, only the caller's own rows are in it. */
export type ExportedFile<D extends object = object> = Omit<
  ExportRules<D>,
  'label' | 'restoring'
> & {
  readonly label?: string;
  readonly owner?: string | undefined;
};
