import {
  type ChangeReader,
  type RecordCollection,
  type Row,
  type RowChange,
  textOf,
} from '#shared/change-reader';
import { isPlainFait, resumeOf, type Operation, type Message } from '#shared/history';
import type { Locale } from '#shared/locale';
import { DAY_MS } from '#shared/days';
import type { ModificationRules, Endpoint } from '#shared/endpoint';
import {
  type Fiche,
  type Modification,
  MODIFICATION_COUNT,
  MODIFICATION_DAYS,
  ModificationDocument,
  type ModificationEntiere,
  ModificationGardee,
} from '#shared/modifications';
import { parseStored } from '#server/plumbing/common/stored-json';
import { CompressedList } from '#server/plumbing/common/compressed-list';
import {
  documentProjection,
  insertRow,
  readDocument,
  readDocuments,
  updateRow,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { assignRevision, reserveRevision } from '#server/plumbing/records/journal';
import type { RecordKind } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import type { SavedModification } from '#server/plumbing/writes/operations';
import { keepOrdres } from '#server/plumbing/writes/orders';
import {
  type Change,
  changesOf,
  forgetRow,
  forgetTrace,
  isChanged,
  moveTrace,
  ownerOf,
  ownerOfAll,
  pick,
  walkChanges,
  completeChange,
} from '#server/plumbing/writes/traces';
import { describeFiches } from './fiches.ts';

interface ModificationDetails {
  readonly operation: Operation;
  readonly message: Message | ((proprietaire: string) => Message);
  readonly utilisateur: string | null;
  /** The only person who may read the entry, '' for everyone. By default the owner of all changed rows, else ''. */
  readonly proprietaire?: string;
  /** The undone modification, and further ones. */
  readonly annuleId?: number;
  readonly avec?: readonly number[];
  /** The import that it is, or undoes. */
  readonly importationId?: number;
}

/** Work with its captured changes, before the history entry is saved. */
export interface PendingChangeset<T = unknown, C extends Iterable<Change> = readonly Change[]> {
  readonly id: number;
  readonly result: T;
  /** The rows that differ, with all columns, in the order in which they were first written. */
  readonly changes: C;
}

/** Changes of a modification that may be large. */
export type Changes = Iterable<Change> & { readonly length: number };

/**
 * Runs work and captures its changes in a new changeset. The caller then saves it (`saveModification`,
 * `addToModification`) or not (`forgetTrace`).
 *
 * @param isUndoing keeps the entries of rows that end unchanged, which may explain obstacles to another undo
 */
export function captureChangeset<T>(
  { database }: Records<Transaction>,
  work: (id: number) => T,
  isUndoing = false,
): PendingChangeset<T> {
  const id = nextModificationId(database);
  database.beginCapture(id);
  const result = work(id);
  database.endCapture();
  return { id, result, changes: capturedChanges(database, id, isUndoing) };
}

function capturedChanges(database: Transaction, id: number, isUndoing: boolean): Change[] {
  const all = changesOf(database, [id]);
  const changes = all.filter(isChanged);
  if (!isUndoing && changes.length < all.length)
    for (const change of all) if (!isChanged(change)) forgetRow(database, id, change);
  return changes.map((change) => completeChange(database, change));
}

/**
 * Like `captureChangeset`, for bulk work with hundreds of thousands of rows: the changes are compressed and
 * unordered. Each has only the columns that saving needs: key, owner, position in a list and picture.
 */
export function captureLargeChangeset<T>(
  records: Records<Transaction>,
  work: (id: number) => T,
  isUndoing = false,
): PendingChangeset<T, Changes> {
  const { database } = records;
  const id = nextModificationId(database);
  const [changes, unchanged] = [new CompressedList<Change>(), new CompressedList<Change>()];
  const result = database.captureInBulk(id, () => {
    const made = work(id);
    for (const change of walkChanges(database, id)) {
      const reduced = reducedForSaving(records, completeChange(database, change));
      if (isChanged(change)) changes.push(reduced);
      else if (!isUndoing) unchanged.push(reduced);
    }
    for (const change of newRows(records)) changes.push(change);
    return made;
  });
  for (const change of unchanged) forgetRow(database, id, change);
  return { id, result, changes };
}

function reducedForSaving(records: Records, change: Change): Change {
  const { table, avant, apres } = change;
  const names = savedNames(records, table);
  return { ...change, avant: avant && pick(avant, names), apres: apres && pick(apres, names) };
}

function savedNames(records: Records, table: string): readonly string[] {
  const { parent, columns = [] } = records.rulesOf(table).order ?? {};
  const key = records.database.capture.keyColumnsOf(table);
  return [...key, ...columns, ...(parent === undefined ? [] : [parent]), ...OWNER_AND_PICTURE];
}

/** The rows created by an open bulk changeset; equal rows outside of lists are returned once, without a key. */
function* newRows(records: Records): Generator<Change> {
  const { capture } = records.database;
  for (const table of capture.tables) {
    const isInList = records.rulesOf(table).order !== undefined;
    const there = new Set(capture.columnsOf(table));
    const names = isInList ? savedNames(records, table) : OWNER_AND_PICTURE;
    const sql = capture.selectNewRows(
      table,
      names.filter((name) => there.has(name)),
    );
    if (sql === undefined) continue;
    for (const apres of records.database.all<Row>(sql))
      yield { table, cle: '', seq: 0, avant: null, apres };
  }
}

/** The columns for a row's owner and picture. */
const OWNER_AND_PICTURE = ['utilisateur', 'couvertureCle'];

/** Adds changes to a saved modification, with its new message. */
export function addToModification(
  records: Records<Transaction>,
  open: PendingChangeset<unknown, Changes>,
  { id, message }: SavedModification,
): void {
  const { database } = records;
  updateRow(database, 'Modification', id, { arguments: JSON.stringify(message) });
  keepOrdres(records, id, open.changes);
  moveTrace(database, open.id, id);
  notePictures(database, id, open.changes);
}

export function saveModification(
  records: Records<Transaction>,
  { id, changes }: Pick<PendingChangeset<unknown, Changes>, 'id' | 'changes'>,
  details: ModificationDetails,
): SavedModification {
  const { database } = records;
  keepOrdres(records, id, changes);
  const proprietaire = details.proprietaire ?? ownerOfAll(changes);
  const message =
    typeof details.message === 'function' ? details.message(proprietaire) : details.message;
  const { operation, utilisateur, annuleId = null, avec = [], importationId = null } = details;
  // An import has a screen of its own.
  const fiches = importationId === null ? describeFiches(records, [...changes], proprietaire) : [];
  insertRow(database, 'Modification', {
    operation,
    utilisateur,
    annuleId,
    importationId,
    proprietaire,
    arguments: JSON.stringify(message),
    date: new Date().toISOString(),
    avec: JSON.stringify(avec),
    fiches: JSON.stringify(fiches),
  });
  notePictures(database, id, changes);
  return { id, message };
}

// The history entry of a request

/**
 * Starts capturing changes. The returned function, called with the response, saves them as one history entry, which
 * can be undone (docs/rules.md § 38). Without changes there is no entry; an operation whose endpoint has no
 * `modification` saves its entry itself.
 *
 * @param actor named by the history; nobody if the household itself acts
 */
export function beginModification(
  records: Records<Transaction>,
  {
    endpoint,
    actor,
  }: {
    readonly endpoint: Pick<Endpoint, 'modification' | 'record'> | null;
    readonly actor: string | null;
  },
): (answer: unknown) => SavedModification | undefined {
  const { modification, record } = endpoint ?? {};
  if (modification === undefined) return () => undefined;
  const { database } = records;
  const revision = reserveRevision(database);
  const id = nextModificationId(database);
  database.beginCapture(id);
  return (answer) => {
    database.endCapture();
    const changes = capturedChanges(database, id, false);
    const saved =
      changes.length === 0
        ? undefined
        : saveModification(
            records,
            { id, changes },
            {
              operation: modification.operation,
              message: messageOf(
                modification,
                record,
                new RecordedChanges(records, changes, answer),
              ),
              utilisateur: actor,
            },
          );
    if (saved === undefined) forgetTrace(database, id);
    assignRevision(database, revision, saved && { collection: 'modifications', id: saved.id });
    return saved;
  };
}

function messageOf(
  { message }: ModificationRules,
  record: Endpoint['record'],
  changes: RecordedChanges,
): Message {
  if (typeof message === 'function') return message(changes);
  if (isPlainFait(message)) return { fait: message };
  const nom = record && (changes.deleted(record.collection) || changes.name(record.collection));
  return { fait: message, nom: nom ?? '' };
}

class RecordedChanges implements ChangeReader {
  readonly answer: Row;
  readonly #records: Records;
  readonly #net: readonly RowChange[];

  constructor(records: Records, changes: readonly RowChange[], answer: unknown) {
    this.#records = records;
    const owner = ownerOfAll(changes);
    this.#net = changes.filter(({ avant, apres }) => ownerOf(apres ?? avant) === owner);
    this.answer = typeof answer === 'object' && answer !== null ? { ...answer } : {};
  }

  name(collection: RecordCollection): string {
    const { projection, naming }: RecordKind = this.#records.kind(collection);
    const [own] = this.rows(projection.table);
    const column = naming?.column ?? 'id';
    if (own !== undefined) return textOf((own.apres ?? own.avant)?.[column]);
    const part = this.#net
      .map(({ table, avant, apres }) => this.#records.recordOf(table, apres ?? avant ?? {}))
      .find((record) => record?.collection === collection);
    return this.nameOf(collection, part?.id) || textOf(this.answer[column]);
  }

  deleted(collection: RecordCollection): string {
    const { projection, naming }: RecordKind = this.#records.kind(collection);
    return this.rows(projection.table)
      .filter(({ apres }) => apres === null)
      .map(({ avant }) => textOf(avant?.[naming?.column ?? 'id']))
      .join(', ');
  }

  nameOf(collection: RecordCollection, id: unknown): string {
    return this.#records.nameOf(collection, id) ?? '';
  }

  rows(table: string): readonly RowChange[] {
    return this.#net.filter((step) => step.table === table);
  }

  value(table: string, column: string): unknown {
    const [first] = this.rows(table);
    return (first?.apres ?? first?.avant ?? this.answer)[column];
  }
}

// Stored entries

const expressions = {
  annulable: 'd.annuleeParId IS NULL AND d.importationId IS NULL',
  annulee: 'd.annuleeParId IS NOT NULL',
};

const listed = documentProjection('Modification', ModificationGardee, expressions);

export const modificationProjection = documentProjection(
  'Modification',
  ModificationDocument,
  expressions,
);

/** A stored history entry; its row changes are in `Trace`. */
export interface StoredModification {
  readonly id: number;
  readonly utilisateur: string | null;
  readonly operation: string;
  readonly message: Message;
  readonly proprietaire: string;
  readonly annuleId: number | null;
  readonly annuleeParId: number | null;
  readonly importationId: number | null;
  readonly fiches: readonly Fiche[];
}

export function listModifications(
  database: Reader,
  utilisateur: string | null,
  { avant = Number.MAX_SAFE_INTEGER, limite }: { avant?: number | undefined; limite: number },
  locale: Locale,
): Modification[] {
  return readDocuments(
    database,
    listed,
    "WHERE d.id < ? AND d.proprietaire IN ('', ?) ORDER BY d.id DESC LIMIT ?",
    avant,
    utilisateur ?? '',
    limite,
  ).map((saved) => withResume(saved, locale));
}

const withResume = <M extends { readonly arguments: Message }>(
  saved: M,
  locale: Locale,
): M & { resume: string } => ({ ...saved, resume: resumeOf(saved.arguments, locale) });

export function readListedModification(
  database: Reader,
  id: number,
  locale: Locale,
): Modification | undefined {
  const saved = readDocument(database, listed, 'WHERE d.id = ?', id);
  return saved && withResume(saved, locale);
}

/** `undefined` for an unknown, a purged and another person's entry. */
export function readModification(
  database: Reader,
  id: number,
  utilisateur: string | null,
  locale: Locale,
): ModificationEntiere | undefined {
  const where = "WHERE d.id = ? AND d.proprietaire IN ('', ?)";
  const saved = readDocument(database, modificationProjection, where, id, utilisateur ?? '');
  return saved && withResume(saved, locale);
}

/** `undefined` for an unknown, a purged and another person's entry. */
export function readStoredModification(
  database: Reader,
  id: number,
  utilisateur: string | null,
): StoredModification | undefined {
  const row = database.get<
    Record<'message' | 'fiches', string> & Omit<StoredModification, 'message' | 'fiches'>
  >(
    `SELECT id, utilisateur, proprietaire, operation, arguments AS message, annuleId, annuleeParId, importationId, fiches
       FROM Modification WHERE id = @id AND proprietaire IN ('', @utilisateur) AND NOT (${FORGOTTEN})`,
    { id, utilisateur: utilisateur ?? '', before: historySince() },
  );
  return (
    row && {
      ...row,
      message: parseStored<Message>(row.message),
      fiches: parseStored<Fiche[]>(row.fiches),
    }
  );
}

type ImportationModification = Pick<StoredModification, 'id' | 'proprietaire'>;

/** The modifications of an import that are in force, oldest first, whoever may read them. */
export const importationModifications = (
  database: Reader,
  importationId: number,
): ImportationModification[] =>
  database.all<ImportationModification>(
    `SELECT id, proprietaire FROM Modification
       WHERE importationId = ? AND operation = 'importer' AND annuleeParId IS NULL ORDER BY id`,
    importationId,
  );

function notePictures(database: Transaction, id: number, changes: Iterable<RowChange>): void {
  const keys = new Set<unknown>();
  for (const { avant, apres } of changes)
    for (const image of [avant, apres]) keys.add(image?.['couvertureCle'] ?? null);
  keys.delete(null);
  for (const key of keys)
    database.run(
      'INSERT OR IGNORE INTO ModificationCouverture (modificationId, cle) VALUES (?, ?)',
      id,
      key,
    );
}

export const nextModificationId = (database: Reader): number =>
  (database.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'Modification'") ?? 0) + 1;

/**
 * Marks a modification as undone. If it is an undo itself, its target is in force again, and so on. Returns the ids
 * of all modifications that changed.
 */
export function markAnnulee(database: Transaction, id: number, annuleeParId: number): number[] {
  const revived = database.values<number>('SELECT id FROM Modification WHERE annuleeParId = ?', id);
  database.run('UPDATE Modification SET annuleeParId = NULL WHERE annuleeParId = ?', id);
  database.run('UPDATE Modification SET annuleeParId = ? WHERE id = ?', annuleeParId, id);
  const again = revived.flatMap((each) =>
    database
      .values<number>(
        `SELECT id FROM Modification WHERE annuleeParId IS NULL AND id IN (
           SELECT annuleId FROM Modification WHERE id = @each
           UNION SELECT value FROM json_each((SELECT avec FROM Modification WHERE id = @each)))`,
        { each },
      )
      .flatMap((undone) => markAnnulee(database, undone, each)),
  );
  return [id, ...revived, ...again];
}

/** Sends devices the undone entries again, which name the undo. */
export function publishAnnulees(database: Transaction, id: number): void {
  database.run('UPDATE Modification SET annuleeParId = annuleeParId WHERE annuleeParId = ?', id);
}

/** Ids have no gaps: the newest entries are found without counting. */
const FORGOTTEN = `date < @before AND id <= (SELECT max(id) FROM Modification) - ${String(MODIFICATION_COUNT)}`;

/** How many rows one batch deletes. */
const FORGOTTEN_A_TURN = 500;

/** Deletes a batch of expired entries, oldest first; true if more may be left (docs/rules.md § 39). */
export function deleteOldModifications(database: Transaction): boolean {
  const before = historySince();
  for (let left = FORGOTTEN_A_TURN; left > 0; left--) {
    const id = database.value<number>(
      `SELECT id FROM Modification WHERE ${FORGOTTEN} ORDER BY id LIMIT 1`,
      { before },
    );
    if (id === undefined) return false;
    // An import has a hundred thousand trace entries. A partly deleted one cannot be undone.
    left -= forgetTrace(database, id, left);
    if (left > 0) database.run('DELETE FROM Modification WHERE id = ?', id);
  }
  return true;
}

/** Older entries are kept only among the newest. */
export const historySince = (): string =>
  new Date(Date.now() - MODIFICATION_DAYS * DAY_MS).toISOString();
