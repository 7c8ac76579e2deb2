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
  /** The books that have a detail, by their ids. */
  readonly detailed: (critere: string) => readonly boolean[];
}

/** The open loans by book; openings and closings may arrive in any order. */
export class OpenPrets {
  readonly #prets = new Map<number, Pret>();
  /** `null` after a change. */
  #byLivre: ReadonlyMap<number, OpenPret> | null = null;

  ofLivre(livreId: number): OpenPret | null {
    return this.#latest.get(livreId) ?? null;
  }

  some(test: (livreId: number) => boolean): boolean {
    return [...this.#latest.keys()].some(test);
  }

  open(pret: Pret): void {
    this.#prets.set(pret.id, pret);
    this.#byLivre = null;
  }

  close(id: number): void {
    if (this.#prets.delete(id)) this.#byLivre = null;
  }

  /** With two open loans of a book, the return of the earlier one has not been replicated yet. */
  get #latest(): ReadonlyMap<number, OpenPret> {
    if (this.#byLivre !== null) return this.#byLivre;
    const inOrder = [...this.#prets.values()].sort((a, b) => a.id - b.id);
    return (this.#byLivre = new Map(
      inOrder.map(({ id, livreId, emprunteur, datePret }) => [
        livreId,
        { id, emprunteur, datePret },
      ]),
    ));
  }
}

interface SeriePosition {
  readonly serie: Serie;
  /** The title of the series, then the place in reading order. */
  readonly key: string;
}

/** The place of each book among the series: of several series, that in the first by title. */
export class SeriePositions {
  readonly #series = new Map<number, Serie>();
  /** `null` after a change. */
  #byLivre: ReadonlyMap<number, SeriePosition> | null = null;

  ofLivre(livreId: number): SeriePosition | undefined {
    this.#byLivre ??= positionsIn(this.#series.values());
    return this.#byLivre.get(livreId);
  }

  apply(changes: Iterable<MaybeDeleted<Serie>>): void {
    for (const change of changes)
      if (change._deleted) this.#series.delete(change.id);
      else this.#series.set(change.id, change);
    this.#byLivre = null;
  }
}

function positionsIn(series: Iterable<Serie>): Map<number, SeriePosition> {
  const positions = new Map<number, SeriePosition>();
  for (const serie of series) {
    const ofSerie = `${titreSortKey(serie.titre)}\n${String(serie.id).padStart(16, '0')}`;
    for (const [index, { livreId }] of serie.places.entries()) {
      if (livreId === null) continue;
      const key = `${ofSerie}\n${String(index).padStart(5, '0')}`;
      const known = positions.get(livreId);
      if (known === undefined || key < known.key) positions.set(livreId, { serie, key });
    }
  }
  return positions;
}
