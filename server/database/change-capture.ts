import type Sqlite from 'better-sqlite3';
import type { Row, RowChange } from '#shared/change-reader';
import { parseKept } from './kept-json.ts';

/**
 * The tables that are plumbing and no part of the household: what a person does is not in them, or
 * is made from the others. Every other table is captured, so that a new one cannot be forgotten.
 */
const PLUMBING: ReadonlySet<string> = new Set([
  'Migration',
  'Installation',
  'Journal',
  'JournalDate',
  'KeptAnswer',
  'Modification',
  'WriteProbe',
  'Importation',
  'ImportationLigne',
  'ImportationColonnes',
  'ImportationReste',
  'AuteurForme',
  'Complement',
  'Couverture',
  'CouvertureAdresse',
  'CouvertureDemande',
  'ModificationCouverture',
]);

/** The columns of a captured table, as undo needs them to write a row back. */
interface Table {
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Columns of bytes: an image has them as hexadecimal text. */
  readonly bytes: readonly string[];
  readonly links: readonly Link[];
}

/** A column that leads to a row of another table, by its id. */
interface Link {
  readonly column: string;
  readonly target: string;
  /** 1 where the schema empties it when that row goes. */
  readonly isLoose: 0 | 1;
  /** 1 where the schema keeps that row from going. */
  readonly isHolding: 0 | 1;
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

/**
 * Captures what happens to every row of the household between `start` and `stop`, cascades included. The
 * triggers are temporary, made from the tables as they are when the database is opened: the file
 * holds none of them, and none can be out of date (docs/decisions/0010-taking-back-by-triggers.md).
 */
export class ChangeCapture {
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

  /** Whether a row of any captured table may keep one of this table from going. */
  isHeld(target: string): boolean {
    return [...this.#tables.values()].some(({ links }) =>
      links.some((link) => link.target === target && link.isHolding === 1),
    );
  }

  /** Begins to capture; in a transaction, which takes it back when it fails. */
  start(): void {
    this.#setOpen.run(1);
  }

  /**
   * Ends, and gives what each statement did to each row, in its order; what changed nothing is left out,
   * and all where nothing was begun.
   */
  stop(): RowChange[] {
    const changes = this.#read
      .all()
      .map(({ name, avant, apres }) => ({ table: name, avant: parse(avant), apres: parse(apres) }));
    this.#setOpen.run(0);
    this.#clear.run();
    return changes.filter(({ avant, apres }) => !isSame(avant, apres));
  }
}

const isSame = (a: Row | null, b: Row | null): boolean =>
  a !== null && b !== null && Object.keys(a).every((name) => a[name] === b[name]);

const parse = (text: string | null): Row | null => (text === null ? null : parseKept<Row>(text));

function capturedTables(db: Sqlite.Database): string[] {
  return db
    .prepare<[], { name: string }>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !PLUMBING.has(name));
}

function readTables(db: Sqlite.Database): ReadonlyMap<string, Table> {
  const columnsOf = db.prepare<[string], Column>('SELECT name, type, pk FROM pragma_table_info(?)');
  const linksOf = db.prepare<[string], Link>(
    `SELECT "from" AS column, "table" AS target, on_delete = 'SET NULL' AS isLoose,
       on_delete = 'NO ACTION' AS isHolding
     FROM pragma_foreign_key_list(?) ORDER BY id DESC`,
  );
  return new Map(
    capturedTables(db).map((name) => [name, tableOf(name, columnsOf.all(name), linksOf.all(name))]),
  );
}

function tableOf(name: string, columns: readonly Column[], links: readonly Link[]): Table {
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  if (key.length === 0) throw new Error(`${name} has no primary key to be taken back by`);
  const bytes = columns.filter(({ type }) => type === 'BLOB');
  const [names, keyNames, byteNames] = [columns, key, bytes].map((some) =>
    some.map((each) => each.name),
  );
  return { columns: names ?? [], key: keyNames ?? [], bytes: byteNames ?? [], links };
}

/** JSON has no bytes: they become hexadecimal text. */
const asText = (value: string): string => `iif(${value} IS NULL, NULL, hex(${value}))`;

function triggersOf(table: string, { columns, bytes }: Table): string {
  const expression = (name: string, value: string) =>
    bytes.includes(name) ? asText(value) : value;
  const row = (alias: string) =>
    `json_object(${columns.map((name) => `'${name}', ${expression(name, `${alias}."${name}"`)}`).join(', ')})`;
  const images = {
    INSERT: `NULL, ${row('new')}`,
    UPDATE: `${row('old')}, ${row('new')}`,
    DELETE: `${row('old')}, NULL`,
  };
  return Object.entries(images)
    .map(
      ([event, image]) => `
        CREATE TEMP TRIGGER "Capture_${table}_${event}" AFTER ${event} ON main."${table}"
        WHEN (SELECT isOpen FROM CaptureState) BEGIN
          INSERT INTO CapturedChange (name, avant, apres) VALUES ('${table}', ${image});
        END;`,
    )
    .join('');
}
