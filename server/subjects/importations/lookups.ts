import { objectKeys } from '#shared/object-keys';
import type { Candidat } from '#shared/recherche';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { isSilent, type BackgroundLookups } from '#server/subjects/recherche';
import type { Records } from '#server/plumbing/records/records';
import { traced } from '#server/subjects/modifications/acts';
import { choicesOf, importLignes, keepImportation, planLignes } from './apply.ts';
import type { Plan } from './plan.ts';
import type { ReadRow } from './rows.ts';
import {
  addAvertissements,
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

/** How often a row is asked about that no catalogue answers for. */
const MAX_TRIES = 2;
/** The same while no catalogue answers for any row: some hours, with the rests between. */
const MAX_SILENT_TRIES = 12;

/**
 * Completes the rows of which only the ISBN is known, one question at a time and behind whatever
 * people ask themselves. A row that is found takes its part in the dry run, or becomes a book where
 * the import is real; one that is not stays refused. A row without an answer is asked about again behind
 * the others (docs/rules.md § 36).
 */
export class MetadataLookups {
  readonly #records: Records<Database>;
  readonly #database: Database;
  readonly #catalogues: BackgroundLookups;
  readonly #underWay = new Set<number>();
  readonly #closing = new AbortController();

  constructor(records: Records<Database>, catalogues: BackgroundLookups) {
    this.#records = records;
    this.#database = records.database;
    this.#catalogues = catalogues;
  }

  /** Begins with an import's rows, unless it has begun; settles when none is left to ask about. */
  async run(id: number, utilisateur: string): Promise<void> {
    if (this.#underWay.has(id)) return;
    this.#underWay.add(id);
    const silences = new Map<number, number>();
    try {
      for (let next = this.#next(id); next !== undefined; next = this.#next(id, next.ligne))
        await this.#lookUp(id, utilisateur, next, silences);
    } catch (error) {
      // What fails because the service closes is no failure.
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

  /** The next row to ask about, from the first again after the last. */
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
    const raison = isSilent(found) ? 'un catalogue n’a pas répondu' : 'inconnu des catalogues';
    const write = (tx: Transaction) => {
      const record = readImportation(tx, id, utilisateur);
      // Asked for again, as the row may have gone with its import meanwhile.
      const current = nextPending(tx, id, ligne - 1);
      if (record === undefined || current?.ligne !== ligne) return;
      const known: LigneRecord =
        candidat === undefined
          ? { ...current, pending: 2, raison }
          : { ...current, pending: 0, read: withCandidat(current.read, candidat) };
      writeLigne(tx, id, known);
      if (record.etat === 'essai') planFound(tx, record, known);
      else if (candidat !== undefined) importFound(this.#records.within(tx), record, known);
    };
    await this.#database.writeLock.inBackground(() => this.#database.write(write));
  }
}

/** Plans a row of a dry run by itself, and all of them anew once none is left to ask about. */
function planFound(
  database: Transaction,
  importation: ImportationRecord,
  ligne: LigneRecord,
): void {
  const { id, counts: before } = importation;
  const isLast = nextPending(database, id) === undefined;
  const lignes = isLast ? allLignes(database, id) : [ligne];
  const plan = planLignes(database, importation, lignes, {});
  for (const outcome of plan.outcomes)
    keepOutcome(database, id, { ...outcome, livreId: outcome.target.livreId });
  const counts = isLast
    ? { ...before, ...plan.counts, seriesProposees: plan.series.proposals }
    : withFound(before, plan, 0);
  updateImportation(database, id, { counts });
  const say = isLast ? writeAvertissements : addAvertissements;
  say(database, id, plan.avertissements);
}

/** Makes a row of an import real that the catalogues know by now: a part of the act that the import is. */
function importFound(
  records: Records<Transaction>,
  importation: ImportationRecord,
  ligne: LigneRecord,
): void {
  const { id, utilisateur, counts: before } = importation;
  const choices = choicesOf(before);
  const open = traced(records, () => importLignes(records, importation, [ligne], choices));
  const { plan, rest } = open.result;
  // One that an earlier row has made is counted already.
  const series = open.changes.filter(({ table, avant }) => table === 'Serie' && avant === null);
  const counts = { ...withFound(before, plan, series.length), rest: sum(before.rest, rest) };
  updateImportation(records.database, id, { counts });
  addAvertissements(records.database, id, plan.avertissements);
  keepImportation(records, open, { id, counts }, utilisateur || null);
}

/** The counts of a file with those of one more row, and of the series that it has made. */
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
