import type { Row } from '#shared/change-reader';
import { collectionNames, type CollectionName } from '#shared/collection-names';
import { collections, type CollectionDocument } from '#shared/collections';
import type { ExportKind, ExportRecord } from '#shared/export';
import type { Reader, Transaction, Snapshot } from '#server/plumbing/database/connection';
import type { JournalLine } from './journal.ts';
import type {
  ExportedFile,
  ExportedText,
  ListRules,
  OrderRules,
  RecordKind,
  RecordKinds,
  Restore,
  TableRules,
} from './kind.ts';

export interface RecordOfRow {
  readonly collection: CollectionName;
  readonly kind: RecordKind & Required<Pick<RecordKind, 'naming'>>;
  readonly id: number;
}

/** The records of all kinds of a household; in a write, within its transaction. */
export class Records<D extends Reader = Reader> {
  readonly database: D;
  readonly lists: readonly (readonly [table: string, list: ListRules])[];
  readonly orders: readonly (readonly [table: string, order: OrderRules])[];
  readonly #kinds: RecordKinds;
  readonly #tables: Readonly<Record<string, TableRules>>;
  /** By table. */
  readonly #collections: ReadonlyMap<string, CollectionName>;

  constructor(database: D, kinds: RecordKinds) {
    this.database = database;
    this.#kinds = kinds;
    this.#tables = Object.fromEntries(
      collectionNames.flatMap((name) => Object.entries(kinds[name].tables ?? {})),
    );
    this.#collections = new Map(
      collectionNames.map((name) => [kinds[name].projection.table, name]),
    );
    const tables = Object.entries(this.#tables);
    this.lists = tables.flatMap(([table, { list }]) => (list ? [[table, list]] : []));
    this.orders = tables.flatMap(([table, { order }]) => (order ? [[table, order]] : []));
  }

  within(tx: Transaction): Records<Transaction> {
    return new Records(tx, this.#kinds);
  }

  kind<N extends CollectionName>(collection: N): RecordKinds[N] {
    return this.#kinds[collection];
  }

  get exportedFiles(): ReadonlyMap<string, ExportedFile> {
    const files = new Map<string, ExportedFile>();
    for (const { exports = {}, owner } of Object.values<RecordKind>(this.#kinds))
      for (const [name, rules] of Object.entries(exports)) files.set(name, { ...rules, owner });
    return files;
  }

  /** The collection of an export file. */
  collectionOf(file: ExportKind): CollectionName {
    const collection = collectionNames.find((name) => {
      const { exports }: RecordKind = this.#kinds[name];
      return exports?.[file] !== undefined;
    });
    if (collection === undefined) throw new Error(`No kind has the file ${file}`);
    return collection;
  }

  /** `undefined` if the import or other records bring them. */
  restoreOf<K extends ExportKind>(file: K): Restore<ExportRecord<K>> | undefined {
    const { exports }: RecordKind = this.#kinds[this.collectionOf(file)];
    return exports?.[file]?.restore;
  }

  get exportedTexts(): readonly ExportedText[] {
    return Object.values<RecordKind>(this.#kinds).flatMap(({ texts = [] }) => texts);
  }

  /** Whether the rows of a table exist only while something names them, such as authors. */
  isLookupTable(table: string): boolean {
    return this.rulesOf(table).lookupTable !== undefined;
  }

  isEmpty(): boolean {
    return Object.keys(this.#tables).every(
      (table) => this.database.value(`SELECT 1 FROM "${table}" LIMIT 1`) === undefined,
    );
  }

  /** All ids that a table's rows have or had as far as devices and modifications know. */
  idsEver(table: string): Set<number> {
    return new Set(
      this.database.values<number>(
        `SELECT id FROM "${table}" UNION SELECT id FROM Journal WHERE collection = ?
         UNION SELECT CAST(cle AS INTEGER) FROM Trace WHERE nom = ?`,
        this.#collections.get(table) ?? '',
        table,
      ),
    );
  }

  /** Whether a column is computed from the others. */
  isDerived(table: string, column: string): boolean {
    return this.rulesOf(table).derived?.includes(column) === true;
  }

  rulesOf(table: string): TableRules {
    return this.#tables[table] ?? {};
  }

  /**
   * Without deleted documents and other people's.
   *
   * @param utilisateur '' for a shared collection
   */
  documents<N extends CollectionName>(
    collection: N,
    utilisateur: string,
    ids: readonly number[],
  ): Map<number, CollectionDocument<N>> {
    const { projection }: RecordKind<N> = this.#kinds[collection];
    const rows = this.#rows(projection.select, collection, utilisateur, ids);
    return new Map(rows.map((row) => [Number(row['id']), projection.toDocument(row)]));
  }

  #rows(
    select: string,
    collection: CollectionName,
    utilisateur: string,
    ids: readonly number[],
  ): Row[] {
    const { key = 'id', owner }: RecordKind = this.#kinds[collection];
    const isOwned = owner === undefined ? "'' = @utilisateur" : `d.${owner} = @utilisateur`;
    return this.database.all<Row>(
      `${select} WHERE d.${key} IN (SELECT value FROM json_each(@ids)) AND ${isOwned}`,
      { ids: JSON.stringify(ids), utilisateur },
    );
  }

  documentsOf<N extends CollectionName>(
    collection: N,
    lines: readonly JournalLine[],
  ): Map<JournalLine, CollectionDocument<N>> {
    return ofLines(lines, (utilisateur, ids) => this.documents(collection, utilisateur, ids));
  }

  /** The documents of `documentsOf` as JSON. */
  textsOf(collection: CollectionName, lines: readonly JournalLine[]): Map<JournalLine, string> {
    const { selectJson } = this.#kinds[collection].projection;
    return ofLines(lines, (utilisateur, ids) => {
      const rows = this.#rows(selectJson, collection, utilisateur, ids);
      return new Map(rows.map(({ id, json }) => [Number(id), String(json)]));
    });
  }

  /** A record for one caller; `undefined` if it is deleted or another's. */
  read(collection: CollectionName, id: number, utilisateur: string | null): object | undefined {
    const { read }: RecordKind = this.#kinds[collection];
    if (read !== undefined) return read(this.database, id, utilisateur);
    for (const owner of ownersRead(collection, utilisateur)) {
      const document = this.documents(collection, owner, [id]).get(id);
      if (document !== undefined) return document;
    }
    return undefined;
  }

  followUndoings(this: Records<Transaction>): void {
    for (const { suivreAnnulations } of Object.values<RecordKind>(this.#kinds))
      suivreAnnulations?.(this.database);
  }

  /** The owners of any record. */
  owners(): unknown[] {
    const owned = Object.values<RecordKind>(this.#kinds).flatMap(({ projection, owner, tables }) =>
      owner === undefined || tables === undefined
        ? []
        : [`SELECT "${owner}" FROM "${projection.table}"`],
    );
    return this.database.values<unknown>(owned.join(' UNION '));
  }

  deleteOwned(this: Records<Transaction>, utilisateur: string): void {
    for (const { projection, owner, tables } of Object.values<RecordKind>(this.#kinds))
      // Modifications are purged together, not by owner.
      if (owner !== undefined && tables !== undefined)
        this.database.run(`DELETE FROM "${projection.table}" WHERE "${owner}" = ?`, utilisateur);
  }

  /** Whether the history names the rows of a table by themselves. */
  isRecord(table: string): boolean {
    const collection = this.#collections.get(table);
    return collection !== undefined && hasNaming(this.#kinds[collection]);
  }

  /** `undefined` for a row that is part of no record. */
  recordOf(table: string, row: Row): RecordOfRow | undefined {
    const [column, owner] = this.rulesOf(table).partOf ?? ['id', table];
    const id = row[column];
    const collection = this.#collections.get(owner);
    if (collection === undefined || typeof id !== 'number') return undefined;
    const kind: RecordKind = this.#kinds[collection];
    return hasNaming(kind) ? { collection, kind, id } : undefined;
  }

  /** `null` if the record is deleted. */
  nameOf(collection: CollectionName, id: unknown): string | null {
    const { projection, naming }: RecordKind = this.#kinds[collection];
    return naming === undefined ? null : this.nameIn(projection.table, naming.column, id);
  }

  nameIn(table: string, column: string, id: unknown): string | null {
    const name = this.database.value<unknown>(
      `SELECT "${column}" FROM "${table}" WHERE id = ?`,
      id,
    );
    return typeof name === 'string' ? name : null;
  }
}

/** The owners whose records of a collection a caller reads, '' for shared ones; the caller's own first. */
export function ownersRead(
  collection: CollectionName,
  utilisateur: string | null,
): readonly string[] {
  const { personal } = collections[collection];
  if (personal === false || utilisateur === null) return [''];
  return personal === true ? [utilisateur] : [utilisateur, ''];
}

function ofLines<T>(
  lines: readonly JournalLine[],
  read: (utilisateur: string, ids: readonly number[]) => ReadonlyMap<number, T>,
): Map<JournalLine, T> {
  const found = new Map<JournalLine, T>();
  const present = lines.filter(({ supprime }) => !supprime);
  for (const [utilisateur, some] of Map.groupBy(present, (line) => line.utilisateur)) {
    const ids = some.map(({ id }) => id);
    const documents = read(utilisateur, ids);
    for (const line of some) {
      const document = documents.get(line.id);
      if (document !== undefined) found.set(line, document);
    }
  }
  return found;
}

const hasNaming = (kind: RecordKind): kind is RecordOfRow['kind'] => kind.naming !== undefined;

/** A book may have 300 kB of details: a page is of as many rows as the one before lets expect in so many bytes. */
const PAGE = { first: 1, rows: 500, bytes: 400_000 };

const charactersOf = (row: Row): number =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );

const ownOnly = ({ owner }: Pick<ExportedFile, 'owner'>): string =>
  owner === undefined ? 'TRUE' : `d.${owner} IN ('', @utilisateur)`;

export function countRecords(
  snapshot: Snapshot,
  file: ExportedFile,
  utilisateur: string | null,
): number {
  const [row] = snapshot.all<{ count: number }>(
    `SELECT count(*) AS count FROM ${file.projection.table} d WHERE ${ownOnly(file)}`,
    { utilisateur },
  );
  return row?.count ?? 0;
}

/** Reads in pages by id; records without an id at once. */
export function* readRecords<D extends object>(
  snapshot: Snapshot,
  { projection, owner, isWhole }: ExportedFile<D>,
  utilisateur: string | null,
): Generator<D[]> {
  const select = `${projection.select} WHERE ${ownOnly({ owner })}`;
  if (isWhole) {
    yield snapshot.all<Row>(`${select} ORDER BY 1, 2`, { utilisateur }).map(projection.toDocument);
    return;
  }
  const sql = `${select} AND d.id > @after ORDER BY d.id LIMIT @limit`;
  for (let [after, limit] = [0, PAGE.first]; ;) {
    const rows = snapshot.all<Row>(sql, { after, limit, utilisateur });
    if (rows.length > 0) yield rows.map(projection.toDocument);
    if (rows.length < limit) return;
    after = Number(rows.at(-1)?.['id']);
    const each = rows.reduce((sum, row) => sum + charactersOf(row), 0) / rows.length;
    limit = Math.max(1, Math.min(PAGE.rows, 5 * limit, Math.floor(PAGE.bytes / each)));
  }
}
