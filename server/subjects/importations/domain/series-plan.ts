import type { ExportSerie } from '#shared/export';
import { emptyToNull } from '#shared/fields';
import { parseIsbn } from '#shared/isbn';
import { arrangeVolumes, type Volume } from '#shared/series-fit';
import { splitAuteurs } from '#shared/souhaits';
import { textKey } from '#shared/text';
import type { Reader } from '#server/plumbing/database/reader';
import { placesOfLivre } from '#server/subjects/series/placement';
import { listSerieTitres, readSerie } from '#server/subjects/series/series';
import type { Row, SerieRef } from './row.ts';

/** The book that a place is for: the household's, or that of a row. */
export interface PlaceTarget {
  readonly ligne: number;
  readonly livreId: number | null;
}

/** A volume that a series gets. */
export interface PlannedPlace extends Volume {
  /** `null` for a volume that is missing. */
  readonly target: PlaceTarget | null;
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
  readonly #database: Reader;
  readonly #planned: PlannedSerie[] = [];
  readonly #byKey = new Map<string, PlannedSerie>();
  /** A book has one place in a series, however many rows say so. */
  readonly #placed = new Set<string>();
  readonly #ignored: ReadonlySet<string>;
  /** The household's series by normalised title, the oldest first, read at the first use. */
  #known: Map<string, { id: number }[]> | undefined;

  /** @param ignored titles of series that are not to be made or extended */
  constructor(database: Reader, ignored: readonly string[] = []) {
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
    const auteurs = row.auteurs.map((nom) => ({ nom }));
    const volume = { titre: row.titre, isbn: row.isbn, auteurs, numero: emptyToNull(numero) };
    planned.places.push({ target, ...volume });
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
        const auteurs = splitAuteurs(auteur).map((nom) => ({ nom }));
        const volume = { titre: place.titre, numero, auteurs, isbn: isbn && parseIsbn(isbn) };
        return { exported: place, target: livreId === null ? null : targetOf(livreId), ...volume };
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
    const known = readSerie(this.#database, id)?.places ?? [];
    return arrangeVolumes(known, places, () => true).flatMap((one) => {
      if (one.kind !== 'filled') return one.kind === 'new' ? one.volume : [];
      const { place, volume } = one;
      if (volume.exported) this.placeIds.set(volume.exported.id, place.id);
      return place.livreId === null && volume.target !== null ? volume : [];
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
