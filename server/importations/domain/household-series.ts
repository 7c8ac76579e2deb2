import type { ExportSerie } from '#shared/export';
import type { Place } from '#shared/series';
import { textKey } from '#shared/text';
import type { Database } from '#server/database/database';
import { readSerie } from '#server/series/store/document';
import {
  insertPlace,
  insertSerie,
  listSerieTitres,
  updateSerie,
  writeLivreOfPlace,
  writeOrder,
} from '#server/series/store/series';

type ExportPlace = ExportSerie['places'][number];

/**
 * The series of a household's export, made real: a series of the same title is extended, any other one
 * is made (docs/rules.md § 41).
 */
export class HouseholdSeries {
  readonly #database: Database;
  readonly #livres: ReadonlyMap<number, number>;
  /** Ids of places in the file → ids of this household. */
  readonly places = new Map<number, number>();
  /** Ids of the series that were made. */
  readonly made: number[] = [];
  /** Ids of the places that were made. */
  readonly placesMade: number[] = [];
  /** Ids of the missing volumes that got their book. */
  readonly placesFilled: number[] = [];

  /** @param livres ids of books in the file → ids of this household */
  constructor(database: Database, livres: ReadonlyMap<number, number>) {
    this.#database = database;
    this.#livres = livres;
  }

  add(series: readonly ExportSerie[]): void {
    const known = Map.groupBy(listSerieTitres(this.#database), ({ titre }) => textKey(titre));
    const ids = new Map<number, number>();
    const made: ExportSerie[] = [];
    for (const serie of series) {
      // Several series may have one title: each of the household is paired with one of the file.
      const id = known.get(textKey(serie.titre))?.shift()?.id;
      if (id === undefined) made.push(serie);
      ids.set(serie.id, id ?? insertSerie(this.#database, { titre: serie.titre, parentId: null }));
      if (id !== undefined) this.#extendSerie(id, serie);
    }
    for (const serie of made) this.#fillSerie(serie, ids, made);
  }

  #fillSerie(
    serie: ExportSerie,
    ids: ReadonlyMap<number, number>,
    made: readonly ExportSerie[],
  ): void {
    const id = ids.get(serie.id) ?? 0;
    this.made.push(id);
    const elements = [
      ...serie.places.map((place) => ({ at: place.position, place: this.#addPlace(id, place) })),
      ...made
        .filter(({ parentId }) => parentId === serie.id)
        .map((child) => ({ at: child.position, serie: ids.get(child.id) ?? 0 })),
    ].sort((a, b) => a.at - b.at);
    for (const element of elements) if ('serie' in element) this.#moveUnder(element.serie, id);
    writeOrder(
      this.#database,
      id,
      elements.map((element) =>
        'place' in element ? { place: element.place } : { serie: element.serie },
      ),
    );
  }

  #moveUnder(id: number, parentId: number): void {
    const serie = readSerie(this.#database, id);
    if (serie !== undefined) updateSerie(this.#database, id, { titre: serie.titre, parentId });
  }

  /** Adds the volumes that a known series lacks at its end, and books to its missing volumes. */
  #extendSerie(id: number, serie: ExportSerie): void {
    const pairs = pairPlaces(serie.places, readSerie(this.#database, id)?.places ?? []);
    for (const place of serie.places) {
      const same = pairs.get(place);
      if (same === undefined) this.#addPlace(id, place);
      else this.#fillPlace(same, place);
    }
  }

  #fillPlace({ id, livreId }: Place, place: ExportPlace): void {
    this.places.set(place.id, id);
    const livre = this.#livreOf(place.livreId);
    if (livreId !== null || livre === null) return;
    writeLivreOfPlace(this.#database, id, livre);
    this.placesFilled.push(id);
  }

  #addPlace(serieId: number, place: ExportPlace): number {
    const { titre, numero, auteur, isbn } = place;
    const livreId = this.#livreOf(place.livreId);
    const id = insertPlace(this.#database, serieId, { titre, numero, auteur, isbn, livreId });
    this.places.set(place.id, id);
    this.placesMade.push(id);
    return id;
  }

  #livreOf(livreId: number | null): number | null {
    return livreId === null ? null : (this.#livres.get(livreId) ?? null);
  }
}

/**
 * Pairs the places of a file with those of a known series, one with one: by number and title, then by
 * number alone.
 */
function pairPlaces(
  added: readonly ExportPlace[],
  known: readonly Place[],
): ReadonlyMap<ExportPlace, Place> {
  const free = [...known];
  const pairs = new Map<ExportPlace, Place>();
  const pair = (isSame: (place: Place, one: ExportPlace) => boolean) => {
    for (const one of added) {
      const at = pairs.has(one) ? -1 : free.findIndex((place) => isSame(place, one));
      const [place] = at < 0 ? [] : free.splice(at, 1);
      if (place !== undefined) pairs.set(one, place);
    }
  };
  pair((a, b) => a.numero === b.numero && textKey(a.titre) === textKey(b.titre));
  pair((a, b) => a.numero === b.numero && a.numero !== null);
  return pairs;
}
