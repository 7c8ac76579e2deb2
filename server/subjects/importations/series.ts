import type { ExportSerie } from '#shared/export';
import { emptyToNull } from '#shared/fields';
import type { SerieProposee } from '#shared/importations';
import { parseIsbn } from '#shared/isbn';
import { MAX_PLACES } from '#shared/series';
import { arrangeVolumes, isSameNumero, type Volume } from '#shared/series-fit';
import { splitAuteurs } from '#shared/souhaits';
import { compareText, textKey } from '#shared/text';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import {
  placerVolumes,
  placesOfLivre,
  insertPlaceAt,
  insertSerie,
  insertSerieAt,
  countPlaces,
  isWithin,
  listSerieTitres,
  nestSerieAt,
  readSerie,
} from '#server/subjects/series';
import type { PreservedId } from '#server/plumbing/records/kind';
import type { SerieRef } from './record.ts';
import type { CleanRow } from './rows.ts';

export interface Target {
  readonly ligne: number;
  readonly livreId: number | null;
}

/** The key of a target: a row's number, or the negative id of an existing book. Numbers save memory for many rows. */
export const targetKey = ({ ligne, livreId }: Target): number =>
  livreId === null ? ligne : -livreId;

interface PlannedPlace extends Volume {
  readonly target: Target | null;
  readonly exported?: ExportSerie['places'][number];
}

/** A series to create (`id` is `null`) or to extend. */
interface PlannedSerie {
  readonly id: number | null;
  readonly titre: string;
  readonly places: PlannedPlace[];
  /** How many more places it may have. */
  readonly room: number;
  /** The exported series that is created as it is, place by place. */
  readonly exported?: ExportSerie;
}

/** Collects the series of a file while its rows are planned, then creates them (docs/rules.md § 36). */
export class SeriePlan {
  readonly #database: Reader;
  readonly #planned: PlannedSerie[] = [];
  readonly #byKey = new Map<string, PlannedSerie>();
  /** By series: a book has one place in each, however many rows name it. */
  readonly #placed = new Map<string, Set<number>>();
  /** Existing places: id in the export → id here. */
  readonly #placeIds = new Map<number, number>();
  readonly #ignored: ReadonlySet<string>;
  /** The household's series by normalised title, the oldest first, read at the first use. */
  #known: Map<string, { id: number }[]> | undefined;

  /** @param ignored titles of series that are not to be created or extended */
  constructor(database: Reader, ignored: readonly string[]) {
    this.#database = database;
    this.#ignored = new Set(ignored.map(textKey));
  }

  get all(): readonly PlannedSerie[] {
    return this.#planned.filter(({ id, places }) => id === null || places.length > 0);
  }

  /** The series as a dry run proposes them, the fullest first. */
  get proposals(): SerieProposee[] {
    return this.all
      .map(({ id, titre, places }) => ({ id, titre, volumes: places.length }))
      .sort((a, b) => b.volumes - a.volumes || compareText(a.titre, b.titre));
  }

  /** Returns the titles of the series that are full: the book stays out of them. */
  add(row: CleanRow, target: Target): string[] {
    const { livreId } = target;
    const full: string[] = [];
    for (const { titre, numero, tomes = null } of row.series) {
      const key = textKey(titre);
      const placed = this.#placed.get(key) ?? new Set();
      this.#placed.set(key, placed);
      if (this.#ignored.has(key) || placed.has(targetKey(target))) continue;
      placed.add(targetKey(target));
      const id = this.#knownIds(key)[0]?.id ?? null;
      if (id !== null && livreId !== null && this.#placeIn(id, livreId) !== undefined) continue;
      let planned = this.#byKey.get(key);
      if (planned === undefined) {
        planned = { id, titre, places: [], room: MAX_PLACES - this.#placeCount(id) };
        this.#byKey.set(key, planned);
        this.#planned.push(planned);
      }
      if (planned.places.length >= planned.room) {
        full.push(planned.titre);
        continue;
      }
      const auteurs = row.auteurs.map((nom) => ({ nom }));
      const volume = {
        titre: row.titre,
        isbn: row.isbn,
        auteurs,
        numero: emptyToNull(numero),
        tomes,
      };
      planned.places.push({ target, ...volume });
    }
    return full;
  }

  /** Includes missing volumes that the file may fill, which count as separate places. */
  #placeCount(id: number | null): number {
    return id === null ? 0 : countPlaces(this.#database, id);
  }

  /**
   * Plans the series of an export: those with the same title are paired with the household's, and their missing
   * places are added; others are created as they are (docs/rules.md § 41).
   *
   * @param targetOf the book of an id in the export
   * @returns the full series, each with the first rejected book; `null` for missing volumes
   */
  addExported(
    series: readonly ExportSerie[],
    targetOf: (livreId: number) => Target | null,
  ): { readonly titre: string; readonly target: Target | null }[] {
    const full = [];
    for (const exported of series) {
      const { titre } = exported;
      if (this.#ignored.has(textKey(titre))) continue;
      const places = exported.places.map((place): PlannedPlace => {
        const { numero, tomes, auteur, isbn, livreId } = place;
        const auteurs = splitAuteurs(auteur).map((nom) => ({ nom }));
        const volume = {
          titre: place.titre,
          numero,
          tomes,
          auteurs,
          isbn: isbn && parseIsbn(isbn),
        };
        return { exported: place, target: livreId === null ? null : targetOf(livreId), ...volume };
      });
      const id = this.#knownIds(textKey(titre)).shift()?.id;
      if (id === undefined) {
        this.#planned.push({ id: null, titre, places, exported, room: MAX_PLACES });
        continue;
      }
      const room = MAX_PLACES - this.#placeCount(id);
      const { lacking, left } = this.#lacking(id, places, room);
      this.#planned.push({ id, titre, places: lacking, room });
      const out = left.find(({ target }) => target !== null) ?? left[0];
      if (out !== undefined) full.push({ titre, target: out.target });
    }
    return full;
  }

  /**
   * The exported places that a known series lacks or has as missing, and those beyond its limit. A book already in
   * the series gets no second place.
   */
  #lacking(id: number, places: readonly PlannedPlace[], room: number) {
    const known = readSerie(this.#database, id)?.places ?? [];
    const placeIds = new Map(known.map((place) => [place.livreId, place.id]));
    const lacking: PlannedPlace[] = [];
    const left: PlannedPlace[] = [];
    let made = 0;
    for (const one of arrangeVolumes(known, places, () => true)) {
      if (one.kind === 'kept') continue;
      const { volume } = one;
      const livreId = volume.target?.livreId ?? null;
      const placeId = livreId === null ? undefined : placeIds.get(livreId);
      if (placeId !== undefined) {
        if (volume.exported) this.#placeIds.set(volume.exported.id, placeId);
      } else if (one.kind === 'new') (made++ < room ? lacking : left).push(volume);
      else {
        if (volume.exported) this.#placeIds.set(volume.exported.id, one.place.id);
        if (one.place.livreId === null && volume.target !== null) lacking.push(volume);
      }
    }
    return { lacking, left };
  }

  hasOtherNumero(serie: SerieRef, livreId: number): boolean {
    const known = this.numeroIn(serie, livreId);
    return known !== null && !isSameNumero(known, serie.numero);
  }

  /** The number that a book of the household has in a series. */
  numeroIn({ titre }: SerieRef, livreId: number): string | null {
    const id = this.#knownIds(textKey(titre))[0]?.id;
    return (id === undefined ? undefined : this.#placeIn(id, livreId)?.numero) ?? null;
  }

  #placeIn(serieId: number, livreId: number) {
    return placesOfLivre(this.#database, livreId).find((place) => place.serieId === serieId);
  }

  #knownIds(key: string): { id: number }[] {
    this.#known ??= Map.groupBy(listSerieTitres(this.#database), ({ titre }) => textKey(titre));
    return this.#known.get(key) ?? [];
  }

  /**
   * Creates the series; returns the ids of places: in the export → here.
   *
   * @param livreIdOf the book created from a row
   * @param ownId preserves the ids of series that are created as they are
   */
  make(
    tx: Transaction,
    livreIdOf: (target: Target) => number | null,
    ownId: PreservedId,
  ): ReadonlyMap<number, number> {
    const withLivre = (place: PlannedPlace) => ({
      ...place,
      livreId: place.target && livreIdOf(place.target),
    });
    const all = this.all;
    for (const { id, titre, places, exported } of all) {
      if (exported !== undefined) continue;
      const serieId = id ?? insertSerie(tx, { titre, parentId: null, nombreTomes: null });
      for (const [index, { placeId }] of placerVolumes(
        tx,
        serieId,
        places.map(withLivre),
      ).entries()) {
        const known = places[index]?.exported;
        if (known) this.#placeIds.set(known.id, placeId);
      }
    }
    const ids = new Map<number, number>();
    for (const { titre, places, exported } of all) {
      if (exported === undefined) continue;
      const { nombreTomes, position } = exported;
      const own = ownId('Serie', exported.id);
      const serieId = insertSerieAt(tx, { id: own, titre, nombreTomes, position });
      ids.set(exported.id, serieId);
      for (const { titre: volume, numero, isbn, livreId, exported: known } of places.map(withLivre))
        if (known !== undefined) {
          const { auteur, tomes, position: at } = known;
          const fields = { titre: volume, numero, tomes, isbn, auteur, livreId, position: at };
          const id = ownId('Place', known.id);
          this.#placeIds.set(known.id, insertPlaceAt(tx, serieId, { id, ...fields }));
        }
    }
    for (const { exported } of all) {
      const [serieId, into] = [ids.get(exported?.id ?? 0), ids.get(exported?.parentId ?? 0)];
      if (exported && serieId !== undefined && into !== undefined && !isWithin(tx, into, serieId))
        nestSerieAt(tx, serieId, { parentId: into, position: exported.position });
    }
    return this.#placeIds;
  }
}
