import type { Database } from '#server/database/database';
import { ajouterSerie, lireSerie, modifierSerie } from '#server/series/domain/series';
import { isWithin } from '#server/series/store/series';
import { insertPlaceAt, insertSerieAt, nestSerieAt } from '../store/series.ts';
import { mergePlaces } from './places.ts';
import type { PlannedPlace, PlannedSerie, PlaceTarget, SeriePlan } from './series-plan.ts';

/** The ids of what was made of planned series. */
interface MadeSeries {
  readonly series: number[];
  readonly places: number[];
  /** Missing volumes that got their book. */
  readonly filled: number[];
}

type ToPlace = (planned: PlannedPlace) => PlannedPlace['volume'] & { livreId: number | null };

/**
 * Makes and extends the planned series, and notes the ids of their places in the plan; in a transaction.
 *
 * @param livreIdOf the book that has been made of a row
 */
export function makeSeries(
  database: Database,
  plan: SeriePlan,
  livreIdOf: (target: PlaceTarget) => number | null,
): MadeSeries {
  const made: MadeSeries = { series: [], places: [], filled: [] };
  const toPlace: ToPlace = ({ volume, target }) => ({
    ...volume,
    livreId: target && livreIdOf(target),
  });
  for (const planned of plan.all)
    if (planned.exported === undefined) mergeSerie(database, planned, { plan, made, toPlace });
  restoreSeries(database, { plan, made, toPlace });
  return made;
}

interface Making {
  readonly plan: SeriePlan;
  readonly made: MadeSeries;
  readonly toPlace: ToPlace;
}

/** Puts new volumes into a series, or into a new one, each at its number. */
function mergeSerie(
  database: Database,
  { id, titre, places: added }: PlannedSerie,
  { plan, made, toPlace }: Making,
): void {
  const before = id === null ? null : lireSerie(database, id);
  const entries = mergePlaces(before?.places ?? [], added, toPlace);
  const places = entries.map(({ place }) => place);
  const after =
    before === null
      ? ajouterSerie(database, { titre, places })
      : modifierSerie(database, before.id, { ...before, places });
  if (before === null) made.series.push(after.id);
  for (const [index, { planned, place }] of entries.entries()) {
    const placeId = after.places[index]?.id;
    if (planned === undefined || placeId === undefined) continue;
    (place.id === undefined ? made.places : made.filled).push(placeId);
    if (planned.exported) plan.placeIds.set(planned.exported.id, placeId);
  }
}

/** Makes the new series of a household's export as they were. */
function restoreSeries(database: Database, { plan, made, toPlace }: Making): void {
  const exported = plan.all.flatMap((planned) =>
    planned.exported === undefined ? [] : { ...planned.exported, planned: planned.places },
  );
  const ids = new Map<number, number>();
  for (const { id, titre, position, planned } of exported) {
    const serieId = insertSerieAt(database, titre, position);
    ids.set(id, serieId);
    made.series.push(serieId);
    for (const place of planned) {
      const at = { ...toPlace(place), position: place.exported?.position ?? 0 };
      const placeId = insertPlaceAt(database, serieId, at);
      made.places.push(placeId);
      if (place.exported) plan.placeIds.set(place.exported.id, placeId);
    }
  }
  for (const { id, parentId, position } of exported) {
    const [serieId, into] = [ids.get(id), ids.get(parentId ?? 0)];
    if (serieId === undefined || into === undefined || isWithin(database, into, serieId)) continue;
    nestSerieAt(database, serieId, { parentId: into, position });
  }
}
