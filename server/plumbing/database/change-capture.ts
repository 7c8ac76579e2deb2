import type Sqlite from 'better-sqlite3';

/**
 * The tables that hold what a person writes, each with the columns that follow from its others, or from other rows: a
 * change of these alone is none.
 */
export type HouseholdTables = Readonly<Record<string, readonly string[]>>;

interface Table {
  readonly columns: readonly string[];
  readonly following: readonly string[];
  readonly key: readonly string[];
  readonly links: readonly Link[];
  readonly uniques: readonly Unique[];
  /** Of rows without an id, such as the authors of a book: the link to the record with which they go and come. */
  readonly along: Link | undefined;
}

/** A unique index: its terms and its WHERE as SQL, and the columns that these name. */
interface Unique {
  readonly terms: string;
  readonly where: string;
  readonly columns: readonly string[];
}

export interface Link {
  readonly column: string;
  readonly target: string;
  /** NO ACTION where whoever deletes the row empties the column first; RESTRICT where the row is a word. */
  readonly onDelete: 'SET NULL' | 'NO ACTION' | 'CASCADE' | 'RESTRICT';
}

interface Column {
  readonly name: string;
  /** From 1 in the primary key, else 0. */
  readonly pk: number;
}

/**
 * Writes each change of the household's rows into `Trace` while an act is open, cascades included. The triggers are
 * temporary and made from the tables as they are when the database is opened: the file holds none of them, and none can
 * be out of date (docs/decisions/0010-undoing-by-triggers.md).
 */
export class ChangeCapture {
  readonly #tables: ReadonlyMap<string, Table>;

  constructor(db: Sqlite.Database, tables: HouseholdTables) {
    this.#tables = readTables(db, tables);
    db.pragma('temp_store = MEMORY');
    db.exec('CREATE TEMP TABLE OpenAct (id INTEGER NOT NULL); INSERT INTO OpenAct VALUES (0)');
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

  linksOf(table: string): readonly Link[] {
    return this.#tables.get(table)?.links ?? [];
  }

  alongOf(table: string): Link | undefined {
    return this.#tables.get(table)?.along;
  }

  uniquesOf(table: string): readonly Unique[] {
    return this.#tables.get(table)?.uniques ?? [];
  }

  linksTo(target: string): (Link & { readonly table: string })[] {
    return [...this.#tables].flatMap(([table, { links }]) =>
      links.filter((link) => link.target === target).map((link) => ({ table, ...link })),
    );
  }
}

/** Whether a link may be emptied when what it leads to goes. */
export const mayBeEmpty = ({ onDelete }: Pick<Link, 'onDelete'>): boolean =>
  onDelete === 'SET NULL' || onDelete === 'NO ACTION';

function readTables(db: Sqlite.Database, tables: HouseholdTables): ReadonlyMap<string, Table> {
  const columnsOf = db.prepare<[string], Column>('SELECT name, pk FROM pragma_table_info(?)');
  const linksOf = db.prepare<[string], Link>(
    `SELECT "from" AS column, "table" AS target, on_delete AS onDelete
     FROM pragma_foreign_key_list(?) ORDER BY id DESC`,
  );
  return new Map(
    Object.entries(tables)
      .map(([name, following]) => {
        const columns = columnsOf.all(name);
        const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
        const links = linksOf.all(name);
        const table: Table = {
          columns: columns.map((column) => column.name),
          following,
          key: key.map((column) => column.name),
          links,
          uniques: uniquesOf(db, name, columns),
          along: key.length > 1 ? links.find(({ onDelete }) => onDelete === 'CASCADE') : undefined,
        };
        return [name, table] as const;
      })
      // A table of a later migration than those that the database was opened with.
      .filter(([, { key }]) => key.length > 0),
  );
}

function uniquesOf(db: Sqlite.Database, table: string, columns: readonly Column[]): Unique[] {
  const indexes = db
    .prepare<[string], { columns: string; sql: string | null }>(
      `SELECT (SELECT group_concat(name, ', ') FROM pragma_index_info(l.name)) AS columns, s.sql
       FROM pragma_index_list(?) l LEFT JOIN sqlite_schema s ON s.name = l.name
       WHERE l."unique" = 1`,
    )
    .all(table);
  return indexes.map(({ columns: named, sql }) => {
    const [, terms = named, where = 'TRUE'] =
      /\((.*?)\)(?:\s+WHERE\s+(.*))?$/s.exec(sql?.replace(/^.*?\sON\s+\w+\s*/s, '') ?? '') ?? [];
    const words = new Set(`${terms} ${where}`.split(/\W+/));
    return {
      terms,
      where,
      columns: columns.map(({ name }) => name).filter((name) => words.has(name)),
    };
  });
}

/**
 * An inserted or deleted row is written whole; of an updated row its key, its owner and what changed. A row whose key
 * changes is deleted and inserted. One that goes or comes while its record is not there goes or comes along with it.
 */
function triggersOf(table: string, { columns, following, key, along }: Table): string {
  const image = (of: 'old' | 'new') =>
    `json_object(${columns.map((name) => `'${name}', ${of}."${name}"`).join(', ')})`;
  const cle = (of: 'old' | 'new') =>
    key.length === 1
      ? `CAST(${of}."${key.join('')}" AS TEXT)`
      : `json_array(${key.map((name) => `${of}."${name}"`).join(', ')})`;
  const isOther = (name: string) => `old."${name}" IS NOT new."${name}"`;
  const isMoved = `(${key.map(isOther).join(' OR ')})`;
  const isChanged = `(${columns
    .filter((name) => !following.includes(name))
    .map(isOther)
    .join(' OR ')})`;
  const each = columns.map((name) => {
    const isTold = key.includes(name) || name === 'utilisateur' ? '1' : isOther(name);
    return `SELECT '${name}' AS name, old."${name}" AS avant, new."${name}" AS apres, ${isTold} AS isTold`;
  });
  const isAlong = (of: 'old' | 'new') =>
    along === undefined
      ? '0'
      : `NOT EXISTS (SELECT 1 FROM main."${along.target}" WHERE id = ${of}."${along.column}")`;
  const gone = `VALUES ((SELECT id FROM OpenAct), '${table}', ${cle('old')}, ${image('old')}, NULL, ${isAlong('old')});`;
  const come = `VALUES ((SELECT id FROM OpenAct), '${table}', ${cle('new')}, NULL, ${image('new')}, ${isAlong('new')});`;
  const changed = `SELECT (SELECT id FROM OpenAct), '${table}', ${cle('old')},
    json_group_object(name, avant), json_group_object(name, apres), 0
    FROM (${each.join(' UNION ALL ')}) WHERE isTold;`;
  const into = 'INSERT INTO Trace (acte, nom, cle, avant, apres, entraine)';
  return [
    ['INSERT', 'TRUE', `${into} ${come}`],
    ['UPDATE', `NOT ${isMoved} AND ${isChanged}`, `${into} ${changed}`],
    ['UPDATE', isMoved, `${into} ${gone} ${into} ${come}`],
    ['DELETE', 'TRUE', `${into} ${gone}`],
  ]
    .map(
      ([event = '', condition = '', statements = ''], n) => `
        CREATE TEMP TRIGGER "Trace_${table}_${String(n)}" AFTER ${event} ON main."${table}"
        WHEN (SELECT id FROM OpenAct) AND ${condition} BEGIN ${statements} END;`,
    )
    .join('');
}

/** How the readings of a deleted book describe it is part of the act that deleted the book. */
const DORMANT = ['INSERT', 'DELETE']
  .map((event) => {
    const of = event === 'INSERT' ? 'new' : 'old';
    const image = `json_object('kind', ${of}.kind, 'id', ${of}.id, 'cle', ${of}.cle, 'image', ${of}.image, 'depuis', ${of}.depuis)`;
    return `
      CREATE TEMP TRIGGER "Trace_Dormant_${event}" AFTER ${event} ON main.Dormant
      WHEN (SELECT id FROM OpenAct) AND ${of}.kind = 'Livre' BEGIN
        INSERT INTO Trace (acte, nom, cle, avant, apres)
        VALUES ((SELECT id FROM OpenAct), 'Dormant', CAST(${of}.id AS TEXT),
          ${event === 'INSERT' ? `NULL, ${image}` : `${image}, NULL`});
      END;`;
  })
  .join('');
