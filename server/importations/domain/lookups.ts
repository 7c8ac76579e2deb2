import type { Candidat, RechercheIsbn } from '#shared/recherche';
import type { Database } from '#server/database/database';
import { updateImportation, readImportation, type Made } from '../store/importations.ts';
import { listPending, nextPending, writeLigne, type LigneRecord } from '../store/lignes.ts';
import { readContent, writeContent } from './content.ts';
import { executeLigne } from './execution.ts';
import { Planner } from './plan.ts';
import type { ReadRow } from './row.ts';

/** Asks the catalogues about an ISBN. */
export type AskCatalogues = (isbn: string, signal: AbortSignal) => Promise<RechercheIsbn>;

/**
 * Completes the rows of which only the ISBN is known, one question at a time and behind whatever
 * people ask themselves. A row that is found takes its part in the dry run, or becomes a book where
 * the import is real; one that is not stays refused (docs/rules.md § 36).
 */
export class Lookups {
  readonly #database: Database;
  readonly #ask: AskCatalogues;
  readonly #underWay = new Set<number>();
  readonly #closing = new AbortController();

  constructor(database: Database, ask: AskCatalogues) {
    this.#database = database;
    this.#ask = ask;
  }

  /** Begins with an import's rows, unless it has begun; settles when none is left to ask about. */
  async run(id: number, utilisateur: string): Promise<void> {
    if (this.#underWay.has(id)) return;
    this.#underWay.add(id);
    try {
      for (let next = this.#next(id); next !== undefined; next = this.#next(id))
        await this.#lookUp(id, utilisateur, next);
    } finally {
      this.#underWay.delete(id);
    }
  }

  /** Goes on where the last process ended. */
  async resume(): Promise<void> {
    for (const { id, utilisateur } of listPending(this.#database)) await this.run(id, utilisateur);
  }

  close(): void {
    this.#closing.abort();
  }

  #next(id: number): LigneRecord | undefined {
    return this.#closing.signal.aborted ? undefined : nextPending(this.#database, id);
  }

  async #lookUp(id: number, utilisateur: string, ligne: LigneRecord): Promise<void> {
    const { isbn } = readContent(ligne.content).row;
    const found = await this.#ask(isbn ?? '', this.#closing.signal);
    if (this.#closing.signal.aborted) return;
    const [candidat] = found.type === 'livre' ? found.candidats : [];
    const isSilent = found.sources.some(({ etat }) => etat === 'injoignable');
    const raison = isSilent ? 'un catalogue n’a pas répondu' : 'inconnu des catalogues';
    this.#database.write(() => {
      // Asked for again, as the row may have gone with its import meanwhile.
      const current = nextPending(this.#database, id);
      if (current?.ligne !== ligne.ligne) return;
      if (candidat === undefined)
        writeLigne(this.#database, id, { ...current, pending: 2, raison });
      else this.#complete(id, utilisateur, current, candidat);
    });
  }

  #complete(id: number, utilisateur: string, ligne: LigneRecord, candidat: Candidat): void {
    const record = readImportation(this.#database, id, utilisateur);
    if (record === undefined) return;
    const read = completed(readContent(ligne.content), candidat);
    const content = writeContent(read);
    const completedLigne = { ...ligne, content, pending: 0 as const, cells: null };
    if (record.etat === 'essai') {
      const planner = new Planner(this.#database, record.utilisateur || null);
      for (const { planned } of planner.planAll([{ ligne: ligne.ligne, read }])) {
        const { sort, livreId, raison } = planned;
        writeLigne(this.#database, id, { ...completedLigne, sort, livreId, raison });
      }
    } else {
      writeLigne(this.#database, id, completedLigne);
      const { made } = executeLigne(this.#database, record, completedLigne);
      if (record.made !== null)
        updateImportation(this.#database, id, { made: join(record.made, made) });
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
    nombrePages: read.row.nombrePages ?? candidat.nombrePages,
  },
});

const join = (a: Made, b: Made): Made => ({
  livres: [...a.livres, ...b.livres],
  statuts: [...a.statuts, ...b.statuts],
  souhaits: [...a.souhaits, ...b.souhaits],
  prets: [...a.prets, ...b.prets],
  series: [...a.series, ...b.series],
  places: [...a.places, ...b.places],
  filled: [...a.filled, ...b.filled],
});
