import type { Transaction } from '#server/plumbing/database/transaction';
import { placerVolumes } from '#server/subjects/series/placement';
import {
  insertPlaceAt,
  insertSerie,
  insertSerieAt,
  isWithin,
  nestSerieAt,
} from '#server/subjects/series/series';
import type { PlannedPlace, PlannedSerie, PlaceTarget, SeriePlan } from './series-plan.ts';

/** The ids of what was made of planned series. */
interface MadeSeries {
  readonly series: number[];
  readonly places: number[];
  /** Missing volumes that got their book. */
  readonly filled: number[];
}

interface Making {
  readonly plan: SeriePlan;
  readonly made: MadeSeries;
  /** The book of a planned place; `null` for a volume that is missing. */
  readonly livreIdOf: (place: PlannedPlace) => number | null;
}

/**
 * Makes and extends the planned series, and notes the ids of their places in the plan.
 *
 * @param livreIdOf the book that has been made of a row
 */
export function makeSeries(
  database: Transaction,
  plan: SeriePlan,
  livreIdOf: (target: PlaceTarget) => number | null,
): MadeSeries {
  const made: MadeSeries = { series: [], places: [], filled: [] };
  const making: Making = { plan, made, livreIdOf: ({ target }) => target && livreIdOf(target) };
  for (const planned of plan.all)
    if (planned.exported === undefined) extendSerie(database, planned, making);
  restoreSeries(database, making);
  return made;
}

/** Puts new volumes into a series, or into a new one. */
function extendSerie(
  database: Transaction,
  { id, titre, places }: PlannedSerie,
  { plan, made, livreIdOf }: Making,
): void {
  const serieId = id ?? insertSerie(database, { titre, parentId: null, nombreTomes: null });
  if (id === null) made.series.push(serieId);
  const volumes = places.map((place) => ({ ...place, livreId: livreIdOf(place) }));
  for (const [index, { placeId, outcome }] of placerVolumes(database, serieId, volumes).entries()) {
    if (outcome === 'made') made.places.push(placeId);
    if (outcome === 'filled') made.filled.push(placeId);
    const exported = places[index]?.exported;
    if (exported) plan.placeIds.set(exported.id, placeId);
  }
}

/** Makes the new series of a household's export as they were. */
function restoreSeries(database: Transaction, { plan, made, livreIdOf }: Making): void {
  const exported = plan.all.flatMap((planned) =>
    planned.exported === undefined ? [] : { ...planned.exported, planned: planned.places },
  );
  const ids = new Map<number, number>();
  for (const { id, titre, nombreTomes, position, planned } of exported) {
    const serieId = insertSerieAt(database, { titre, nombreTomes, position });
    ids.set(id, serieId);
    made.series.push(serieId);
    for (const place of planned) {
      if (place.exported === undefined) continue;
      const { titre: volume, numero, isbn, exported } = place;
      const { auteur, position: at } = exported;
      const livreId = livreIdOf(place);
      const fields = { titre: volume, numero, isbn, auteur, livreId, position: at };
      const placeId = insertPlaceAt(database, serieId, fields);
      made.places.push(placeId);
      plan.placeIds.set(exported.id, placeId);
    }
  }
  for (const { id, parentId, position } of exported) {
    const [serieId, into] = [ids.get(id), ids.get(parentId ?? 0)];
    if (serieId === undefined || into === undefined || isWithin(database, into, serieId)) continue;
    nestSerieAt(database, serieId, { parentId: into, position });
  }
}
