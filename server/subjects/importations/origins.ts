import type { ExportLivre } from '#shared/export';
import { textKey } from '#shared/text';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

// Matches a book of an export with the household (docs/rules.md § 41).

/** A key that distinguishes the books of an export, or of this household. */
export const originKey = (titreNormalise: string, dateAjout: string): string =>
  `${dateAjout} ${titreNormalise}`;

/** Maps records of an export to books by the exporting household and its id there (docs/rules.md § 41). */
export class Origins {
  readonly #database: Reader;
  readonly #isOwn: boolean;
  readonly #noted: ReadonlyMap<number, number>;

  constructor(database: Reader, bibliotheque: string) {
    this.#database = database;
    this.#isOwn = bibliotheque === database.householdId;
    const noted = database.all<{ origineId: number; livreId: number }>(
      'SELECT origineId, livreId FROM ImportationOrigine WHERE bibliotheque = ?',
      bibliotheque,
    );
    this.#noted = new Map(noted.map(({ origineId, livreId }) => [origineId, livreId]));
  }

  find(exported: ExportLivre): number | undefined {
    return this.#noted.get(exported.id) ?? (this.#isOwn ? this.#findById(exported) : undefined);
  }

  /** Finds a book by its id alone: safe only if the archive was restored under its own ids. */
  findRestored(exported: ExportLivre): number | undefined {
    return this.#noted.size === 0 ? this.#findById(exported) : undefined;
  }

  #findById({ id, dateAjout }: ExportLivre): number | undefined {
    return dateAjoutOf(this.#database, id) === (dateAjout ?? '') ? id : undefined;
  }
}

export function noteOrigin(
  tx: Transaction,
  bibliotheque: string,
  { id }: ExportLivre,
  livreId: number,
): void {
  tx.run(
    'INSERT OR REPLACE INTO ImportationOrigine (bibliotheque, origineId, livreId) VALUES (?, ?, ?)',
    bibliotheque,
    id,
    livreId,
  );
}

const dateAjoutOf = (database: Reader, id: number): string | undefined =>
  database.value<string>('SELECT dateAjout FROM Livre WHERE id = ?', id);

export function originOfLivre(database: Reader, id: number): string {
  const livre = database.get<{ titreNormalise: string; dateAjout: string }>(
    'SELECT titreNormalise, dateAjout FROM Livre WHERE id = ?',
    id,
  );
  return livre === undefined ? '' : originKey(livre.titreNormalise, livre.dateAjout);
}

/** Pairs the copies of one title in an export and the household, entered at the same instant. */
export class Copies {
  /** Copies by borrower, the oldest last; '' for those at home. */
  readonly #free: ReadonlyMap<string, number[]>;

  constructor(database: Reader, titre: string, dateAjout: string) {
    const copies = database.all<{ id: number; emprunteur: string | null }>(
      `SELECT l.id, p.emprunteur FROM Livre l LEFT JOIN Pret p ON p.livreId = l.id AND p.dateRetour IS NULL
       WHERE l.titreNormalise = ? AND l.dateAjout = ? ORDER BY l.id DESC`,
      titre,
      dateAjout,
    );
    const byReader = Map.groupBy(copies, ({ emprunteur }) => textKey(emprunteur ?? ''));
    this.#free = new Map(Array.from(byReader, ([key, some]) => [key, some.map(({ id }) => id)]));
  }

  /**
   * Takes the copy with this borrower, else one at home, else any.
   *
   * @param others the ids that other rows have taken
   */
  take(emprunteur: string | null, others: ReadonlySet<number>): number | undefined {
    const own = textKey(emprunteur ?? '');
    for (const key of [own, '', ...this.#free.keys()]) {
      const free = this.#free.get(key) ?? [];
      while (others.has(free.at(-1) ?? 0)) free.pop();
      const id = free.pop();
      if (id !== undefined) return id;
    }
    return undefined;
  }
}
