import type Sqlite from 'better-sqlite3';
import type { Row, RowChange } from '#shared/change-reader';
import { parseKept } from './kept-json.ts';

/**
 * The tables of the migrations that are the household's: what a person does is in them. The others are plumbing, or
 * made from these; a table that is not of the migrations at all is another program's.
 */
const HOUSEHOLD = [
  'Livre',
  'Pret',
  'Statut',
  'Lecture',
  'Auteur',
  'LivreAuteur',
  'FusionRefusee',
  'Souhait',
  'RevueSouhaitee',
  'Serie',
  'Place',
  'Revue',
  'Numero',
  'Theme',
  'NumeroTheme',
  'Article',
  'Bibliotheque',
  'Emplacement',
];

/** The columns of a captured table, as undo needs them to write a row back. */
interface Table {
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Columns of bytes: an image has them as hexadecimal text. */
  readonly bytes: readonly string[];
  readonly links: readonly Link[];
  readonly uniques: readonly Unique[];
}

/** What only one row of a table has: the terms of an index and the rows that it is of, as SQL; the columns in both. */
interface Unique {
  readonly terms: string;
  readonly where: string;
  readonly columns: readonly string[];
}

/** A column that leads to a row of another table, by its id. */
interface Link {
  readonly column: string;
  readonly target: string;
  /** 1 where the schema empties it when that row goes. */
  readonly isLoose: 0 | 1;
}

interface CapturedRow {
  readonly name: string;
  readonly avant: string | null;
  readonly apres: string | null;
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** From 1 in the primary key, 0 outside of it. */
  readonly pk: number;
}

/** The household's tables, as their schema has them. */
export interface HouseholdTables {
  readonly tables: readonly string[];
  columnsOf(table: string): readonly string[];
  keyOf(table: string): readonly string[];
  bytesOf(table: string): readonly string[];
  linksOf(table: string): readonly Link[];
  uniquesOf(table: string): readonly Unique[];
  linksTo(
    target: string,
  ): readonly { readonly table: string; readonly column: string; readonly isLoose: 0 | 1 }[];
}

/**
 * Captures what happens to every row of the household between `start` and `stop`, cascades included. The
 * triggers are temporary, made from the tables as they are when the database is opened: the file
 * holds none of them, and none can be out of date (docs/decisions/0010-taking-back-by-triggers.md).
 */
export class ChangeCapture implements HouseholdTables {
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #setOpen: Sqlite.Statement<[0 | 1]>;
  readonly #read: Sqlite.Statement<[], CapturedRow>;
  readonly #clear: Sqlite.Statement<[]>;

  constructor(db: Sqlite.Database) {
    this.#tables = readTables(db);
    db.pragma('temp_store = MEMORY');
    db.exec(`
      CREATE TEMP TABLE CaptureState (isOpen INTEGER NOT NULL);
      INSERT INTO CaptureState VALUES (0);
      CREATE TEMP TABLE CapturedChange (
        seq INTEGER PRIMARY KEY, name TEXT NOT NULL, avant TEXT, apres TEXT)`);
    db.exec([...this.#tables].map(([name, table]) => triggersOf(name, table)).join(''));
    // Compiled once: every write of a person runs them.
    this.#setOpen = db.prepare('UPDATE temp.CaptureState SET isOpen = ?');
    this.#read = db.prepare('SELECT name, avant, apres FROM temp.CapturedChange ORDER BY seq');
    this.#clear = db.prepare('DELETE FROM temp.CapturedChange');
  }

  get tables(): readonly string[] {
    return [...this.#tables.keys()];
  }

  columnsOf(table: string): readonly string[] {
    return this.#tables.get(table)?.columns ?? [];
  }

  /** The columns of a captured table's primary key. */
  keyOf(table: string): readonly string[] {
    return this.#tables.get(table)?.key ?? [];
  }

  /** The columns of a captured table that hold bytes: an image has them as hexadecimal text. */
  bytesOf(table: string): readonly string[] {
    return this.#tables.get(table)?.bytes ?? [];
  }

  /** The columns of a captured table that lead to other tables, in their order. */
  linksOf(table: string): readonly Link[] {
    return this.#tables.get(table)?.links ?? [];
  }

  /** What is unique in a captured table. */
  uniquesOf(table: string): readonly Unique[] {
    return this.#tables.get(table)?.uniques ?? [];
  }

  /** The tables and columns that lead to a captured table. */
  linksTo(
    target: string,
  ): { readonly table: string; readonly column: string; readonly isLoose: 0 | 1 }[] {
    return [...this.#tables].flatMap(([table, { links }]) =>
      links.filter((link) => link.target === target).map((link) => ({ table, ...link })),
    );
  }

  /** Begins to capture; in a transaction, which takes it back when work in between fails. */
  start(): void {
    this.#setOpen.run(1);
  }

  /**
   * Ends, and gives what each statement did to each row, in its order; what changed no more than derived columns is
   * left out, and all where nothing was begun.
   */
  stop(): RowChange[] {
    const changes = this.#read
      .all()
      .map(({ name, avant, apres }) => ({ table: name, avant: parse(avant), apres: parse(apres) }));
    this.#setOpen.run(0);
    this.#clear.run();
    return changes;
  }
}

/** Whether a column follows from the others by a rule: nobody changes it, and the start-up pass renews it. */
export const isDerived = (column: string): boolean => /Normalise$|^cle[A-Z]/.test(column);

const parse = (text: string | null): Row | null => (text === null ? null : parseKept<Row>(text));

function readTables(db: Sqlite.Database): ReadonlyMap<string, Table> {
  const columnsOf = db.prepare<[string], Column>('SELECT name, type, pk FROM pragma_table_info(?)');
  const linksOf = db.prepare<[string], Link>(
    `SELECT "from" AS column, "table" AS target, on_delete = 'SET NULL' AS isLoose
     FROM pragma_foreign_key_list(?) ORDER BY id DESC`,
  );
  return new Map(
    HOUSEHOLD.map((name) => {
      const columns = columnsOf.all(name);
      return [name, tableOf(columns, linksOf.all(name), uniquesOf(db, name, columns))] as const;
    })
      // Not yet made by the migrations that it was opened with.
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

function tableOf(
  columns: readonly Column[],
  links: readonly Link[],
  uniques: readonly Unique[],
): Table {
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const bytes = columns.filter(({ type }) => type === 'BLOB');
  const [names, keyNames, byteNames] = [columns, key, bytes].map((some) =>
    some.map((each) => each.name),
  );
  return { columns: names ?? [], key: keyNames ?? [], bytes: byteNames ?? [], links, uniques };
}

/** JSON has no bytes: they become hexadecimal text. */
const asText = (value: string): string => `iif(${value} IS NULL, NULL, hex(${value}))`;

function triggersOf(table: string, { columns, bytes }: Table): string {
  const expression = (name: string, value: string) =>
    bytes.includes(name) ? asText(value) : value;
  const row = (alias: string) =>
    `json_object(${columns.map((name) => `'${name}', ${expression(name, `${alias}."${name}"`)}`).join(', ')})`;
  const isChanged = columns
    .filter((name) => !isDerived(name))
    .map((name) => `old."${name}" IS NOT new."${name}"`)
    .join(' OR ');
  const events = [
    ['INSERT', 'TRUE', `NULL, ${row('new')}`],
    ['UPDATE', `(${isChanged})`, `${row('old')}, ${row('new')}`],
    ['DELETE', 'TRUE', `${row('old')}, NULL`],
  ] as const;
  return events
    .map(
      ([event, condition, image]) => `
        CREATE TEMP TRIGGER "Capture_${table}_${event}" AFTER ${event} ON main."${table}"
        WHEN (SELECT isOpen FROM CaptureState) AND ${condition} BEGIN
          INSERT INTO CapturedChange (name, avant, apres) VALUES ('${table}', ${image});
        END;`,
    )
    .join('');
}
