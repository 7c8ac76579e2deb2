import type { Candidat } from '#shared/recherche';
import { cleRegroupement } from '#shared/text';
import type { Database } from '#server/plumbing/database/database';
import { isSilent, type BackgroundLookups } from '#server/subjects/recherche';
import { readImportation, updateImportation } from '../store/importations.ts';
import { BackgroundRuns } from './background-runs.ts';
import { unansweredNoms } from './inverted-names.ts';

/** The most books of one author that the catalogues are asked about. */
const MAX_BOOKS = 2;

/**
 * Asks the catalogues how the doubtful names of a dry run are written, by the ISBN of a book of each, one
 * question at a time and behind whatever people ask. A name that they do not tell stays a question.
 */
export class NameLookups {
  readonly #database: Database;
  readonly #catalogues: BackgroundLookups;
  readonly #runs = new BackgroundRuns();

  constructor(database: Database, catalogues: BackgroundLookups) {
    this.#database = database;
    this.#catalogues = catalogues;
  }

  /** Begins with the names of a dry run, unless it has begun; ends where no catalogue answers. */
  run(id: number, utilisateur: string): Promise<void> {
    return this.#runs.run(id, async () => {
      const record = readImportation(this.#database, id, utilisateur);
      if (record?.etat !== 'essai') return;
      for (const [nom, isbns] of unansweredNoms(this.#database, record)) {
        const written = await this.#ask(nom, isbns.slice(0, MAX_BOOKS));
        if (written === undefined) return;
        await this.#database.writeLock.whenFree(() =>
          this.#keep(id, utilisateur, { [nom]: written }),
        );
      }
    });
  }

  close(): void {
    this.#runs.close();
  }

  /** How the catalogues write a name; `null` where they do not say, `undefined` while they are silent. */
  async #ask(nom: string, isbns: readonly string[]): Promise<string | null | undefined> {
    for (const isbn of isbns) {
      const found = await this.#catalogues.ask(isbn, this.#runs.signal);
      const written = found.type === 'livre' ? writtenAs(nom, found.candidats) : null;
      if (written !== null) return written;
      if (isSilent(found)) return undefined;
    }
    return null;
  }

  #keep(id: number, utilisateur: string, noms: Readonly<Record<string, string | null>>): void {
    this.#database.write((tx) => {
      // Read again, as the dry run may be gone or made real meanwhile.
      const record = readImportation(tx, id, utilisateur);
      if (record?.etat !== 'essai') return;
      const nomsDesCatalogues = { ...record.counts.nomsDesCatalogues, ...noms };
      updateImportation(tx, id, { counts: { ...record.counts, nomsDesCatalogues } });
    });
  }
}

/** The author of a record whose name has the same words. */
function writtenAs(nom: string, candidats: readonly Candidat[]): string | null {
  const key = cleRegroupement(nom);
  const noms = candidats.flatMap(({ auteurs }) => auteurs);
  return noms.find((other) => cleRegroupement(other) === key) ?? null;
}
