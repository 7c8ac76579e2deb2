import type { Candidat } from '#shared/recherche';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { isSilent, type BackgroundLookups } from '#server/subjects/recherche';
import type { Records } from '#server/plumbing/records/records';
import { traced } from '#server/plumbing/writes/acts';
import { importLignes, keepImportation, toldOf, withLater } from './apply.ts';
import { planAll } from './plan.ts';
import type { ReadRow } from './rows.ts';
import {
  nextPending,
  readImportation,
  updateImportation,
  writeLigne,
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

  /** Goes on where the last process ended. */
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

  /** @param silences how often no catalogue has answered, by row */
  async #lookUp(
    id: number,
    utilisateur: string,
    ligne: LigneRecord,
    silences: Map<number, number>,
  ): Promise<void> {
    const { isbn } = ligne.read.row;
    const found = await this.#catalogues.ask(isbn ?? '', this.#closing.signal);
    const [candidat] = found.type === 'livre' ? found.candidats : [];
    const raison = isSilent(found) ? 'un catalogue n’a pas répondu' : 'inconnu des catalogues';
    if (candidat === undefined && isSilent(found)) {
      const count = (silences.get(ligne.ligne) ?? 0) + 1;
      silences.set(ligne.ligne, count);
      if (count < (this.#catalogues.areSilent() ? MAX_SILENT_TRIES : MAX_TRIES)) return;
    }
    const write = (tx: Transaction) => {
      // Asked for again, as the row may have gone with its import meanwhile.
      const current = nextPending(tx, id, ligne.ligne - 1);
      if (current?.ligne !== ligne.ligne) return;
      if (candidat === undefined) writeLigne(tx, id, { ...current, pending: 2, raison });
      else this.#complete(tx, id, utilisateur, current, candidat);
    };
    await this.#database.writeLock.whenFree(() => this.#database.write(write));
  }

  #complete(
    tx: Transaction,
    id: number,
    utilisateur: string,
    ligne: LigneRecord,
    candidat: Candidat,
  ): void {
    const record = readImportation(tx, id, utilisateur);
    if (record === undefined) return;
    const read = completed(ligne.read, candidat);
    const known = { ...ligne, read, pending: 0 as const, cells: null };
    if (record.etat === 'essai') {
      const { format, utilisateur: owner } = record;
      const file = { rows: [known], format, utilisateur: owner || null, themes: [] };
      for (const { sort, target, raison } of planAll(tx, file).rows)
        writeLigne(tx, id, { ...known, sort, livreId: target.livreId, raison });
    } else {
      const records = this.#records.within(tx);
      writeLigne(tx, id, known);
      const open = traced(records, () => importLignes(records, record, [known], record.counts));
      const counts = withLater(record.counts, open);
      updateImportation(tx, id, { counts });
      keepImportation(records, open, toldOf(tx, { ...record, counts }), record.utilisateur || null);
    }
  }
}

const completed = (read: ReadRow, candidat: Candidat): ReadRow => ({
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
