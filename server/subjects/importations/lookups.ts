import { objectKeys } from '#shared/object-keys';
import type { Candidat } from '#shared/recherche';
import type { Database } from '#server/plumbing/database/database';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { isSilent, type BackgroundLookups } from '#server/subjects/recherche';
import type { Records } from '#server/plumbing/records/records';
import { answer, internalOperation } from '#server/plumbing/writes/operations';
import type { Writes } from '#server/plumbing/writes/writes';
import { captureChangeset } from '#server/subjects/modifications/changesets';
import { raison } from '#server/plumbing/common/raisons';
import { choicesOf, importLignes, keepImportation, planLignes } from './apply.ts';
import type { Plan } from './plan.ts';
import type { ReadRow } from './rows.ts';
import {
  addAvertissements,
  countLignes,
  keepOutcome,
  allLignes,
  nextPending,
  readImportation,
  updateImportation,
  writeAvertissements,
  writeLigne,
  type Counts,
  type ImportationRecord,
  type LigneRecord,
} from './store.ts';

/** Attempts for a row while no catalogue answers for it. */
const MAX_TRIES = 2;
/** Attempts while no catalogue answers for any row: some hours, with the pauses. */
const MAX_SILENT_TRIES = 12;

/**
 * Looks up rows that only have an ISBN, one at a time and after all lookups of people. A found row joins the dry run,
 * or becomes a book if the import is executed; others stay refused. A row without a response is tried again after the
 * others (docs/rules.md § 36).
 */
export class MetadataLookups {
  readonly #writes: Writes;
  readonly #records: Records<Database>;
  readonly #database: Database;
  readonly #catalogues: BackgroundLookups;
  readonly #underWay = new Set<number>();
  readonly #closing = new AbortController();

  constructor(writes: Writes, catalogues: BackgroundLookups) {
    this.#writes = writes;
    this.#records = writes.records;
    this.#database = writes.records.database;
    this.#catalogues = catalogues;
  }

  /** Starts an import's lookups unless they run; resolves when no row is left. */
  async run(id: number, utilisateur: string): Promise<void> {
    if (this.#underWay.has(id)) return;
    this.#underWay.add(id);
    const silences = new Map<number, number>();
    try {
      for (let next = this.#next(id); next !== undefined; next = this.#next(id, next.ligne))
        await this.#lookUp(id, utilisateur, next, silences);
    } catch (error) {
      // Failures caused by the service closing are ignored.
      if (!this.#closing.signal.aborted) throw error;
    } finally {
      this.#underWay.delete(id);
    }
  }

  async resume(): Promise<void> {
    const pending = this.#database.all<{ id: number; utilisateur: string }>(
      `SELECT id, utilisateur FROM Importation
         WHERE etat IN ('essai', 'faite') AND EXISTS (
           SELECT 1 FROM ImportationLigne WHERE importationId = Importation.id AND pending = 1)
         ORDER BY id`,
    );
    for (const { id, utilisateur } of pending) await this.run(id, utilisateur);
  }

  close(): void {
    this.#closing.abort();
  }

  /** The next row to look up, starting over after the last one. */
  #next(id: number, after = 0): LigneRecord | undefined {
    if (this.#closing.signal.aborted) return undefined;
    return nextPending(this.#database, id, after) ?? nextPending(this.#database, id);
  }

  async #lookUp(
    id: number,
    utilisateur: string,
    { ligne, read }: LigneRecord,
    silences: Map<number, number>,
  ): Promise<void> {
    const found = await this.#catalogues.ask(read.row.isbn ?? '', this.#closing.signal);
    const [candidat] = found.type === 'livre' ? found.candidats : [];
    if (candidat === undefined && isSilent(found)) {
      const count = (silences.get(ligne) ?? 0) + 1;
      silences.set(ligne, count);
      if (count < (this.#catalogues.areSilent() ? MAX_SILENT_TRIES : MAX_TRIES)) return;
    }
    const why = raison(isSilent(found) ? 'catalogueMuet' : 'inconnuDesCatalogues');
    const keep = (tx: Transaction) => {
      const record = readImportation(tx, id, utilisateur);
      const current = pendingLigne(tx, id, ligne);
      if (record === undefined || current === undefined) return null;
      const known: LigneRecord =
        candidat === undefined
          ? { ...current, pending: 2, raison: why }
          : { ...current, pending: 0, read: withCandidat(current.read, candidat) };
      // The last answer of a dry run replans all rows, in a thread if they are many.
      if (record.etat === 'essai' && isLast(tx, id)) return known;
      keepAnswer(this.#records.within(tx), record, known);
      return null;
    };
    const last = await this.#database.writeLock.inBackground(() => this.#database.write(keep));
    if (last !== null)
      await this.#writes.runInternal(
        lastAnswer,
        { id, utilisateur, known: last },
        this.#closing.signal,
      );
  }
}

/** The row as it is now; `undefined` if it is deleted or answered meanwhile. */
function pendingLigne(database: Reader, id: number, ligne: number): LigneRecord | undefined {
  const current = nextPending(database, id, ligne - 1);
  return current?.ligne === ligne ? current : undefined;
}

/** Whether one row is left to look up. */
const isLast = (database: Reader, id: number): boolean => {
  const first = nextPending(database, id);
  return first !== undefined && nextPending(database, id, first.ligne) === undefined;
};

interface LastAnswer {
  /** The import, its owner, and its last row with the answer. */
  readonly id: number;
  readonly utilisateur: string;
  readonly known: LigneRecord;
}

/** Stores the last answer of a dry run and replans all of its rows. */
const lastAnswer = internalOperation('the last answer for a dry run', {
  holder: 'import',
  size: (database, { id }: LastAnswer) => countLignes(database, id),
  async readAhead(database, { id, utilisateur, known }: LastAnswer) {
    const record = readImportation(database, id, utilisateur);
    if (record?.etat !== 'essai') return null;
    return database.read(() => planLignes(database, record, lignesWith(database, id, known), {}));
  },
  run(tx, { id, utilisateur, known, ahead: plan, records }) {
    const record = readImportation(tx, id, utilisateur);
    if (record === undefined || pendingLigne(tx, id, known.ligne) === undefined) return answer();
    if (record.etat === 'essai' && plan !== null) keepPlan(tx, record, known, plan);
    else keepAnswer(records, record, known);
    return answer();
  },
});

/** All rows, one of them with its answer. */
const lignesWith = (database: Reader, id: number, known: LigneRecord): Iterable<LigneRecord> => ({
  *[Symbol.iterator]() {
    for (const each of allLignes(database, id)) yield each.ligne === known.ligne ? known : each;
  },
});

/** Stores the answer for a row, planned alone: in the dry run, or in the executed import. */
function keepAnswer(
  records: Records<Transaction>,
  record: ImportationRecord,
  known: LigneRecord,
): void {
  writeLigne(records.database, record.id, known);
  if (record.etat === 'essai') planFound(records.database, record, known);
  else if (known.pending === 0) importFound(records, record, known);
}

/** Stores the plan of all rows once no lookup is left. */
function keepPlan(
  database: Transaction,
  { id, counts: before }: ImportationRecord,
  known: LigneRecord,
  plan: Plan,
): void {
  writeLigne(database, id, known);
  keepOutcomes(database, id, plan);
  const counts = { ...before, ...plan.counts, seriesProposees: plan.series.proposals };
  updateImportation(database, id, { counts });
  writeAvertissements(database, id, plan.avertissements);
}

function keepOutcomes(database: Transaction, id: number, { rows }: Plan): void {
  for (const row of rows) keepOutcome(database, id, { ...row, livreId: row.target.livreId });
}

/** Plans a row of a dry run by itself. */
function planFound(
  database: Transaction,
  importation: ImportationRecord,
  ligne: LigneRecord,
): void {
  const { id, counts } = importation;
  const plan = planLignes(database, importation, [ligne], {});
  keepOutcomes(database, id, plan);
  updateImportation(database, id, { counts: withFound(counts, plan, 0) });
  addAvertissements(database, id, plan.avertissements);
}

/** Imports a row found after the import, as a part of its modification. */
function importFound(
  records: Records<Transaction>,
  importation: ImportationRecord,
  ligne: LigneRecord,
): void {
  const { id, utilisateur, counts: before } = importation;
  const choices = choicesOf(before);
  const open = captureChangeset(records, () =>
    importLignes(records, importation, [ligne], choices),
  );
  const { plan, rest } = open.result;
  // A series that an earlier row created is counted already.
  const series = open.changes.filter(({ table, avant }) => table === 'Serie' && avant === null);
  const counts = { ...withFound(before, plan, series.length), rest: sum(before.rest, rest) };
  updateImportation(records.database, id, { counts });
  addAvertissements(records.database, id, plan.avertissements);
  keepImportation(records, open, { id, counts }, utilisateur || null);
}

/** The counts of a file with one more row and its new series. */
const withFound = (before: Counts, { counts }: Plan, series: number): Counts => ({
  ...before,
  ofRows: sum(before.ofRows, { ...counts.ofRows, series }),
});

function sum<K extends string>(
  some: Readonly<Record<K, number>>,
  others: Readonly<Record<K, number>>,
): Record<K, number> {
  const all: Record<K, number> = { ...some };
  for (const name of objectKeys(others)) all[name] += others[name];
  return all;
}

const withCandidat = (read: ReadRow, candidat: Candidat): ReadRow => ({
  ...read,
  refus: null,
  isPending: false,
  row: {
    ...read.row,
    titre: candidat.titre,
    auteurs: candidat.auteurs,
    editeur: read.row.editeur ?? candidat.editeur,
    annee: read.row.annee ?? candidat.annee,
    // An ebook takes no page count from a printed edition's record.
    nombrePages:
      read.row.nombrePages ?? (read.row.format === 'Physique' ? candidat.nombrePages : null),
  },
});
