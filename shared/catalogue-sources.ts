import type { MaybeDeleted } from './catalogue-entries.ts';
import type { EmplacementTree } from './emplacement-tree.ts';
import type { OpenPret } from './livres.ts';
import type { Pret } from './prets.ts';
import type { Serie } from './series.ts';
import { titreSortKey } from './sort.ts';

export interface Sources {
  readonly prets: OpenPrets;
  readonly series: SeriePositions;
  readonly emplacements: EmplacementTree;
  readonly themes: Iterable<string>;
}

/** The open loans by book; openings and closings may arrive in any order. */
export class OpenPrets {
  readonly #prets = new Map<number, Pret>();
  readonly #byLivre = new Map<number, OpenPret>();

  ofLivre(livreId: number): OpenPret | null {
    return this.#byLivre.get(livreId) ?? null;
  }

  some(test: (livreId: number) => boolean): boolean {
    for (const livreId of this.#byLivre.keys()) if (test(livreId)) return true;
    return false;
  }

  open(pret: Pret): void {
    this.close(pret.id);
    this.#prets.set(pret.id, pret);
    this.#show(pret);
  }

  close(id: number): void {
    const pret = this.#prets.get(id);
    if (pret === undefined) return;
    this.#prets.delete(id);
    if (this.#byLivre.get(pret.livreId)?.id !== id) return;
    this.#byLivre.delete(pret.livreId);
    for (const other of this.#prets.values()) if (other.livreId === pret.livreId) this.#show(other);
  }

  /** Of two open loans of a book, the earlier one's return has not arrived yet. */
  #show({ id, livreId, emprunteur, datePret }: Pret): void {
    const shown = this.#byLivre.get(livreId);
    if (shown === undefined || shown.id < id)
      this.#byLivre.set(livreId, { id, emprunteur, datePret });
  }
}

/** The place of each book among the series; changes of series may arrive in any order. */
export class SeriePositions {
  readonly #series = new Map<number, Serie>();
  readonly #keys = new Map<number, Map<number, string>>();

  /** The title of the series, then the place in reading order; `null` for a book in none. */
  keyOf(livreId: number): string | null {
    return this.#firstOf(livreId)?.[1] ?? null;
  }

  /** The series under which a book is listed: of several the first by title. */
  serieOf(livreId: number): Serie | null {
    const [id] = this.#firstOf(livreId) ?? [];
    return (id !== undefined && this.#series.get(id)) || null;
  }

  #firstOf(livreId: number): readonly [serieId: number, key: string] | null {
    let first: readonly [number, string] | null = null;
    for (const entry of this.#keys.get(livreId) ?? [])
      if (first === null || entry[1] < first[1]) first = entry;
    return first;
  }

  /** Returns the books whose key may have changed. */
  apply(changes: Iterable<MaybeDeleted<Serie>>): Set<number> {
    const touched = new Set<number>();
    for (const change of changes) {
      for (const { livreId } of this.#series.get(change.id)?.places ?? []) {
        if (livreId === null) continue;
        touched.add(livreId);
        this.#keys.get(livreId)?.delete(change.id);
      }
      this.#series.delete(change.id);
      if (!change._deleted) this.#add(change, touched);
    }
    return touched;
  }

  #add(serie: Serie, touched: Set<number>): void {
    this.#series.set(serie.id, serie);
    const titre = titreSortKey(serie.titre);
    for (const [index, { livreId }] of serie.places.entries()) {
      if (livreId === null) continue;
      touched.add(livreId);
      const keys = this.#keys.get(livreId) ?? new Map<number, string>();
      this.#keys.set(livreId, keys);
      const position = String(index).padStart(5, '0');
      if (!keys.has(serie.id))
        keys.set(serie.id, `${titre}\n${String(serie.id).padStart(16, '0')}\n${position}`);
    }
  }
}
