import type { ExportSerie } from '#shared/export';
import { parseIsbn } from '#shared/isbn';
import type { Place } from '#shared/series';
import { textKey } from '#shared/text';
import type { Database } from '#server/database/database';
import { readSerie } from '#server/series/store/document';
import { listSerieTitres, placesOfLivre } from '#server/series/store/series';
import type { Row, SerieRef } from './row.ts';

/** The book that a place is for: the household's, or that of a row. */
export interface PlaceTarget {
  readonly ligne: number;
  readonly livreId: number | null;
}

/** A volume that a series gets. */
export interface PlannedPlace {
  /** `null` for a volume that is missing. */
  readonly target: PlaceTarget | null;
  /** What the place says of its volume. */
  readonly volume: Pick<Place, 'titre' | 'numero' | 'auteur' | 'isbn'>;
  /** The missing place that it fills, where that is known. */
  readonly placeId?: number | undefined;
  /** The place of a household's export. */
  readonly exported?: ExportPlace;
}

type ExportPlace = ExportSerie['places'][number];

/** A series that is made (`id` is `null`) or extended. */
export interface PlannedSerie {
  readonly id: number | null;
  readonly titre: string;
  readonly places: PlannedPlace[];
  /** The series of a household's export that is made as it is, place by place. */
  readonly exported?: ExportSerie;
}

/** Gathers the series that a file names (docs/rules.md § 36). */
export class SeriePlan {
  /** Places that are there already: id in a household's export → id here. */
  readonly placeIds = new Map<number, number>();
  readonly #database: Database;
  readonly #planned: PlannedSerie[] = [];
  readonly #byKey = new Map<string, PlannedSerie>();
  /** A book has one place in a series, however many rows say so. */
  readonly #placed = new Set<string>();
  readonly #ignored: ReadonlySet<string>;
  /** The household's series by normalised title, the oldest first, read at the first use. */
  #known: Map<string, { id: number }[]> | undefined;

  /** @param ignored titles of series that are not to be made or extended */
  constructor(database: Database, ignored: readonly string[] = []) {
    this.#database = database;
    this.#ignored = new Set(ignored.map(textKey));
  }

  /** The series that change. */
  get all(): readonly PlannedSerie[] {
    return this.#planned.filter(({ id, places }) => id === null || places.length > 0);
  }

  /** Plans the places that a row names. */
  add(row: Row, target: PlaceTarget): void {
    for (const serie of row.series) this.#add(serie, row, target);
  }

  #add({ titre, numero }: SerieRef, row: Row, target: PlaceTarget): void {
    const key = textKey(titre);
    if (this.#ignored.has(key)) return;
    const { ligne, livreId } = target;
    const place = `${key}\n${livreId === null ? `ligne ${ligne}` : `livre ${livreId}`}`;
    if (this.#placed.has(place)) return;
    this.#placed.add(place);
    const id = this.#knownIds(key)[0]?.id ?? null;
    if (id !== null && livreId !== null && this.#isPlaced(id, livreId)) return;
    let planned = this.#byKey.get(key);
    if (planned === undefined) {
      planned = { id, titre, places: [] };
      this.#byKey.set(key, planned);
      this.#planned.push(planned);
    }
    const { isbn, auteurs } = row;
    const volume = { titre: row.titre, numero, isbn, auteur: auteurs[0] ?? null };
    planned.places.push({ target, volume });
  }

  /**
   * Plans the series of a household's export: of several with one title each is paired with one of the
   * household's, and what these lack is added; any other is made as it is (docs/rules.md § 41).
   *
   * @param targetOf the book that an id of the export stands for
   */
  addExported(
    series: readonly ExportSerie[],
    targetOf: (livreId: number) => PlaceTarget | null,
  ): void {
    for (const exported of series) {
      const { titre } = exported;
      if (this.#ignored.has(textKey(titre))) continue;
      const places = exported.places.map((place): PlannedPlace => {
        const { numero, auteur, isbn, livreId } = place;
        const volume = { titre: place.titre, numero, auteur, isbn: isbn && parseIsbn(isbn) };
        return { exported: place, target: livreId === null ? null : targetOf(livreId), volume };
      });
      const id = this.#knownIds(textKey(titre)).shift()?.id;
      this.#planned.push(
        id === undefined
          ? { id: null, titre, places, exported }
          : { id, titre, places: this.#lacking(id, places) },
      );
    }
  }

  /** The places of an export that a known series lacks, or has as missing ones. */
  #lacking(id: number, places: readonly PlannedPlace[]): PlannedPlace[] {
    const pairs = pairPlaces(places, readSerie(this.#database, id)?.places ?? []);
    return places.flatMap((place) => {
      const same = pairs.get(place);
      if (same === undefined) return place;
      if (place.exported) this.placeIds.set(place.exported.id, same.id);
      return same.livreId === null && place.target !== null ? { ...place, placeId: same.id } : [];
    });
  }

  #isPlaced(serieId: number, livreId: number): boolean {
    return placesOfLivre(this.#database, livreId).some((place) => place.serieId === serieId);
  }

  #knownIds(key: string): { id: number }[] {
    this.#known ??= Map.groupBy(listSerieTitres(this.#database), ({ titre }) => textKey(titre));
    return this.#known.get(key) ?? [];
  }
}

/** Pairs planned places with those of a known series, one for one: by number and title, then by number. */
function pairPlaces(
  added: readonly PlannedPlace[],
  known: readonly Place[],
): ReadonlyMap<PlannedPlace, Place> {
  const free = [...known];
  const pairs = new Map<PlannedPlace, Place>();
  const pair = (isSame: (place: Place, volume: PlannedPlace['volume']) => boolean) => {
    for (const one of added) {
      const at = pairs.has(one) ? -1 : free.findIndex((place) => isSame(place, one.volume));
      const [place] = at < 0 ? [] : free.splice(at, 1);
      if (place !== undefined) pairs.set(one, place);
    }
  };
  pair((a, b) => a.numero === b.numero && textKey(a.titre) === textKey(b.titre));
  pair((a, b) => a.numero === b.numero && a.numero !== null);
  return pairs;
}
