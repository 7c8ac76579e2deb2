import type Sqlite from 'better-sqlite3';

/** The tables that people edit, each with its derived columns: a change of derived columns alone does not count. */
export type HouseholdTables = Readonly<Record<string, readonly string[]>>;

interface Table {
  readonly columns: readonly string[];
  readonly following: readonly string[];
  readonly key: readonly string[];
  readonly links: readonly ForeignKey[];
  readonly uniques: readonly Unique[];
  /**
   * For rows without an id, such as the authors of a book: the foreign key to the record that they are cascaded with.
   */
  readonly along: ForeignKey | undefined;
  /** The column of the id that identifies a new row: the row's own id, or its record's. */
  readonly newBy: { readonly column: string; readonly of: string } | undefined;
}

/** A unique index: its terms and its WHERE as SQL, and the columns that these name. */
interface Unique {
  readonly terms: string;
  readonly where: string;
  readonly columns: readonly string[];
}

export interface ForeignKey {
  readonly column: string;
  readonly target: string;
  /** NO ACTION: the column is emptied before the row is deleted. RESTRICT: the target is a lookup table. */
  readonly onDelete: 'SET NULL' | 'NO ACTION' | 'CASCADE' | 'RESTRICT';
}

interface Column {
  readonly name: string;
  /** The position in the primary key from 1, else 0. */
  readonly pk: number;
}

/**
 * Writes every change of the household's rows, cascades included, to `Trace` while a changeset is open. The triggers
 * are temporary and generated from the schema at each start, so that the file has none and none is outdated
 * (docs/decisions/0010-undoing-by-triggers.md).
 */
export class ChangeCapture {
  readonly #tables: ReadonlyMap<string, Table>;

  constructor(db: Sqlite.Database, tables: HouseholdTables) {
    this.#tables = readTables(db, tables);
    db.pragma('temp_store = MEMORY');
    const lasts = [...this.#tables].filter(([name, { newBy }]) => newBy?.of === name);
    const columns = lasts.map(([name]) => `, "${name}" INTEGER NOT NULL DEFAULT ${NO_BOUND}`);
    db.exec(
      `CREATE TEMP TABLE PendingChangeset (id INTEGER NOT NULL${columns.join('')}); INSERT INTO PendingChangeset (id) VALUES (0)`,
    );
    const hasTrace = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'Trace'").get();
    // A database opened at an earlier migration has no such table.
    if (hasTrace !== undefined)
      db.exec([...this.#tables].map(([name, table]) => triggersOf(name, table)).join('') + DORMANT);
  }

  get tables(): readonly string[] {
    return [...this.#tables.keys()];
  }

  columnsOf(table: string): readonly string[] {
    return this.#tables.get(table)?.columns ?? [];
  }

  keyColumnsOf(table: string): readonly string[] {
    return this.#tables.get(table)?.key ?? [];
  }

  foreignKeysOf(table: string): readonly ForeignKey[] {
    return this.#tables.get(table)?.links ?? [];
  }

  cascadeOf(table: string): ForeignKey | undefined {
    return this.#tables.get(table)?.along;
  }

  /** The SQL that opens and closes a bulk changeset, whose new rows are captured at its end by `linesOfNewRows`. */
  largeChangeset(): { readonly open: string; readonly close: string } {
    const set = (valueOf: (table: string) => string) =>
      [
        'id = @modificationId',
        ...this.#newByThemselves().map((name) => `"${name}" = ${valueOf(name)}`),
      ].join();
    const last = (table: string) =>
      `coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)`;
    return {
      open: `UPDATE temp.PendingChangeset SET ${set(last)}`,
      close: `UPDATE temp.PendingChangeset SET ${set(() => NO_BOUND)}`,
    };
  }

  /**
   * The statements that capture all new rows of an open bulk changeset, records before the rows that reference them.
   */
  linesOfNewRows(): string[] {
    return this.#newTables().map(
      ([name, table]) => `${INTO_TRACE}
        SELECT (SELECT id FROM PendingChangeset), '${name}', ${keyText('t', table)}, NULL, ${imageText('t', table)}, 0
        FROM main."${name}" t WHERE ${isNew('t', table)} ORDER BY ${orderOf(table)}`,
    );
  }

  /** Selects the distinct values of some columns in the new rows of an open bulk changeset. */
  selectNewRows(table: string, columns: readonly string[]): string | undefined {
    const known = this.#tables.get(table);
    if (known?.newBy === undefined) return undefined;
    const values = columns.length === 0 ? 'NULL' : columns.map((name) => `"${name}"`).join();
    return `SELECT DISTINCT ${values} FROM main."${table}" t WHERE ${isNew('t', known)}`;
  }

  #newByThemselves(): string[] {
    return this.#newTables().flatMap(([name, { newBy }]) => (newBy?.of === name ? [name] : []));
  }

  /** Records before the rows that reference them: an undo takes the last entry first. */
  #newTables(): (readonly [string, Table])[] {
    const ordered = new Map<string, Table>();
    const add = (name: string): void => {
      const table = this.#tables.get(name);
      if (table === undefined || seen.has(name)) return;
      seen.add(name);
      for (const { target } of table.links) add(target);
      if (table.newBy !== undefined) ordered.set(name, table);
    };
    const seen = new Set<string>();
    for (const name of this.#tables.keys()) add(name);
    return [...ordered];
  }

  uniquesOf(table: string): readonly Unique[] {
    return this.#tables.get(table)?.uniques ?? [];
  }

  foreignKeysTo(target: string): (ForeignKey & { readonly table: string })[] {
    return [...this.#tables].flatMap(([table, { links }]) =>
      links.filter((link) => link.target === target).map((link) => ({ table, ...link })),
    );
  }
}

/** Whether a foreign key may be set to NULL when the referenced row is deleted. */
export const isClearedOnDelete = ({ onDelete }: Pick<ForeignKey, 'onDelete'>): boolean =>
  onDelete === 'SET NULL' || onDelete === 'NO ACTION';

function readTables(db: Sqlite.Database, tables: HouseholdTables): ReadonlyMap<string, Table> {
  const columnsOf = db.prepare<[string], Column>('SELECT name, pk FROM pragma_table_info(?)');
  const grows = new Set(
    db
      .prepare<[], { name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'",
      )
      .all()
      .map(({ name }) => name),
  );
  const linksOf = db.prepare<[string], ForeignKey>(
    `SELECT "from" AS column, "table" AS target, on_delete AS onDelete
     FROM pragma_foreign_key_list(?) ORDER BY id DESC`,
  );
  const indexes = Map.groupBy(
    db.prepare<[], UniqueIndex>(UNIQUE_INDEXES).all(),
    ({ table }) => table,
  );
  return new Map(
    Object.entries(tables)
      .map(([name, following]) => {
        const columns = columnsOf.all(name);
        const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
        const links = linksOf.all(name);
        const along =
          key.length > 1 ? links.find(({ onDelete }) => onDelete === 'CASCADE') : undefined;
        const newBy = along
          ? { column: along.column, of: along.target }
          : { column: 'id', of: name };
        const table: Table = {
          columns: columns.map((column) => column.name),
          following,
          key: key.map((column) => column.name),
          links,
          uniques: (indexes.get(name) ?? []).map((index) => uniqueOf(index, columns)),
          along,
          newBy: grows.has(newBy.of) && newBy.of in tables ? newBy : undefined,
        };
        return [name, table] as const;
      })
      // A table without a key belongs to a later migration than the database had when it was
      // opened.
      .filter(([, { key }]) => key.length > 0),
  );
}

interface UniqueIndex {
  readonly table: string;
  readonly columns: string;
  /** `null` where a constraint of the table makes the index. */
  readonly sql: string | null;
}

/** Queried for all tables at once: a query per table would take ten times as long. */
const UNIQUE_INDEXES = `SELECT t.name AS "table", s.sql,
    (SELECT group_concat(name, ', ') FROM pragma_index_info(l.name)) AS columns
  FROM sqlite_schema t, pragma_index_list(t.name) l LEFT JOIN sqlite_schema s ON s.name = l.name
  WHERE t.type = 'table' AND l."unique" = 1`;

function uniqueOf({ columns: named, sql }: UniqueIndex, columns: readonly Column[]): Unique {
  const [list = '', where = 'TRUE'] = (sql ?? `(${named})`).split(/\sWHERE\s+/);
  const terms = list.slice(list.indexOf('(') + 1, list.lastIndexOf(')'));
  const words = new Set(`${terms} ${where}`.split(/\W+/));
  return {
    terms,
    where,
    columns: columns.map(({ name }) => name).filter((name) => words.has(name)),
  };
}

/** The largest id. */
const NO_BOUND = '9223372036854775807';

const INTO_TRACE = 'INSERT INTO Trace (acte, nom, cle, avant, apres, entraine)';

const imageText = (of: string, { columns }: Pick<Table, 'columns'>): string =>
  `json_object(${columns.map((name) => `'${name}', ${of}."${name}"`).join(', ')})`;

const keyText = (of: string, { key }: Pick<Table, 'key'>): string =>
  key.length === 1
    ? `CAST(${of}."${key.join('')}" AS TEXT)`
    : `json_array(${key.map((name) => `${of}."${name}"`).join(', ')})`;

const orderOf = ({ key }: Pick<Table, 'key'>): string => key.map((name) => `t."${name}"`).join();

const isNew = (of: string, { newBy }: Pick<Table, 'newBy'>): string =>
  newBy === undefined
    ? 'FALSE'
    : `${of}."${newBy.column}" > (SELECT "${newBy.of}" FROM temp.PendingChangeset)`;

/**
 * Captures all columns of inserted and deleted rows; of updated rows the key, the owner and the changed columns. A
 * changed key counts as delete and insert. A row written while its record does not exist is marked as cascaded. The
 * new rows of a bulk changeset are captured at its end.
 */
function triggersOf(name: string, table: Table): string {
  const { columns, following, key, along } = table;
  const isOther = (column: string) => `old."${column}" IS NOT new."${column}"`;
  const isMoved = `(${key.map(isOther).join(' OR ')})`;
  const isChanged = `(${columns
    .filter((column) => !following.includes(column))
    .map(isOther)
    .join(' OR ')})`;
  const each = columns.map((column) => {
    const isCaptured = key.includes(column) || column === 'utilisateur' ? '1' : isOther(column);
    return `SELECT '${column}' AS name, old."${column}" AS avant, new."${column}" AS apres, ${isCaptured} AS isCaptured`;
  });
  const isAlong = (of: 'old' | 'new') =>
    along === undefined
      ? '0'
      : `NOT EXISTS (SELECT 1 FROM main."${along.target}" WHERE id = ${of}."${along.column}")`;
  const line = (of: 'old' | 'new', images: string, condition = '') =>
    `${INTO_TRACE} SELECT id, '${name}', ${keyText(of, table)}, ${images}, ${isAlong(of)}
     FROM PendingChangeset ${condition};`;
  const goneImages = `${imageText('old', table)}, NULL`;
  const comeImages = `NULL, ${imageText('new', table)}`;
  const gone = line('old', goneImages);
  const come = line('new', comeImages);
  const moved =
    line('old', goneImages, `WHERE NOT ${isNew('old', table)}`) +
    line('new', comeImages, `WHERE NOT ${isNew('new', table)}`);
  const changed = `${INTO_TRACE} SELECT (SELECT id FROM PendingChangeset), '${name}', ${keyText('old', table)},
    json_group_object(name, avant), json_group_object(name, apres), 0
    FROM (${each.join(' UNION ALL ')}) WHERE isCaptured;`;
  return [
    ['INSERT', `NOT ${isNew('new', table)}`, come],
    ['UPDATE', `NOT ${isMoved} AND NOT ${isNew('old', table)} AND ${isChanged}`, changed],
    ['UPDATE', isMoved, moved],
    ['DELETE', `NOT ${isNew('old', table)}`, gone],
  ]
    .map(
      ([event = '', condition = '', statements = ''], n) => `
        CREATE TEMP TRIGGER "Trace_${name}_${String(n)}" AFTER ${event} ON main."${name}"
        WHEN (SELECT id FROM PendingChangeset) AND ${condition} BEGIN ${statements} END;`,
    )
    .join('');
}

/** How readings describe a deleted book belongs to the changeset that deleted the book. */
const DORMANT = ['INSERT', 'DELETE']
  .map((event) => {
    const of = event === 'INSERT' ? 'new' : 'old';
    const image = `json_object('kind', ${of}.kind, 'id', ${of}.id, 'cle', ${of}.cle, 'image', ${of}.image, 'depuis', ${of}.depuis)`;
    return `
      CREATE TEMP TRIGGER "Trace_Dormant_${event}" AFTER ${event} ON main.Dormant
      WHEN (SELECT id FROM PendingChangeset) AND ${of}.kind = 'Livre' BEGIN
        INSERT INTO Trace (acte, nom, cle, avant, apres)
        VALUES ((SELECT id FROM PendingChangeset), 'Dormant', CAST(${of}.id AS TEXT),
          ${event === 'INSERT' ? `NULL, ${image}` : `${image}, NULL`});
      END;`;
  })
  .join('');
