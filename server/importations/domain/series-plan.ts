import { normaliser } from '#shared/text';
import type { Database } from '#server/database/database';
import { listSerieTitres, placesOfLivre } from '#server/series/store/series';
import type { Row, SerieRef } from './row.ts';

/** The book that a place is for: the household's, or that of a row. */
interface PlaceTarget {
  readonly ligne: number;
  readonly livreId: number | null;
}

/** A volume that a series gets. */
export interface PlannedPlace extends PlaceTarget {
  readonly numero: string | null;
  /** What the place says of its volume. */
  readonly row: {
    readonly titre: string;
    readonly isbn: string | null;
    readonly auteur: string | null;
  };
}

/** A series that is made (`id` is `null`) or extended. */
export interface PlannedSerie {
  readonly id: number | null;
  readonly titre: string;
  readonly places: PlannedPlace[];
}

/** Gathers the series that the rows of a file name (docs/rules.md § 36). */
export class SeriePlan {
  readonly #database: Database;
  readonly #planned = new Map<string, PlannedSerie>();
  /** A book has one place in a series, however many rows say so. */
  readonly #placed = new Set<string>();
  readonly #ignored: ReadonlySet<string>;
  /** Ids of the household's series by normalised title, read at the first use. */
  #ids: Map<string, number> | undefined;

  /** @param ignored titles of series that are not to be made or extended */
  constructor(database: Database, ignored: readonly string[] = []) {
    this.#database = database;
    this.#ignored = new Set(ignored.map(keyOf));
  }

  /** The series that change. */
  get all(): readonly PlannedSerie[] {
    return [...this.#planned.values()];
  }

  add(row: Row, target: PlaceTarget): void {
    for (const serie of row.series) this.#add(serie, row, target);
  }

  #add({ titre, numero }: SerieRef, row: Row, { ligne, livreId }: PlaceTarget): void {
    const key = keyOf(titre);
    if (this.#ignored.has(key)) return;
    const id = this.#idOf(key);
    const place = `${key}\n${livreId === null ? `ligne ${ligne}` : `livre ${livreId}`}`;
    if (this.#placed.has(place)) return;
    this.#placed.add(place);
    if (id !== null && livreId !== null && this.#isPlaced(id, livreId)) return;
    const planned = this.#planned.get(key) ?? { id, titre, places: [] };
    const { isbn, auteurs } = row;
    const volume = { titre: row.titre, isbn, auteur: auteurs[0] ?? null };
    planned.places.push({ ligne, livreId, numero, row: volume });
    this.#planned.set(key, planned);
  }

  #isPlaced(serieId: number, livreId: number): boolean {
    return placesOfLivre(this.#database, livreId).some((place) => place.serieId === serieId);
  }

  #idOf(key: string): number | null {
    this.#ids ??= new Map(
      listSerieTitres(this.#database)
        .reverse()
        .map(({ id, titre }) => [keyOf(titre), id]),
    );
    return this.#ids.get(key) ?? null;
  }
}

const keyOf = (titre: string): string => normaliser(titre) || titre;
