import type { Place, PlaceSaisie } from '#shared/series';
import { compareText } from '#shared/text';
import type { PlannedPlace } from './series-plan.ts';

/** A place as it is entered, and the planned one that it is. */
interface PlaceEntry {
  readonly place: PlaceSaisie;
  readonly planned?: PlannedPlace;
}

/** The places of a series with new volumes: each in its missing place, else by its number. */
export function mergePlaces(
  before: readonly Place[],
  added: readonly PlannedPlace[],
  toPlace: (planned: PlannedPlace) => PlaceSaisie,
): PlaceEntry[] {
  const entries: PlaceEntry[] = before.map((place) => ({ place }));
  for (const planned of added.toSorted(byNumero)) {
    const { numero } = planned.volume;
    const isMissing = ({ place }: PlaceEntry) =>
      planned.placeId === undefined
        ? place.livreId === null && numero !== null && place.numero === numero
        : place.id === planned.placeId;
    const missing = planned.target === null ? -1 : entries.findIndex(isMissing);
    const place = toPlace(planned);
    const there = entries[missing]?.place;
    if (there !== undefined)
      entries[missing] = { planned, place: { ...there, livreId: place.livreId ?? null } };
    else {
      const isBefore = ({ place: other }: PlaceEntry) =>
        compareNumeros(other.numero ?? null, numero) <= 0;
      entries.splice(entries.findLastIndex(isBefore) + 1, 0, { planned, place });
    }
  }
  return entries;
}

const byNumero = (a: PlannedPlace, b: PlannedPlace): number =>
  compareNumeros(a.volume.numero, b.volume.numero);

/** By value; what has no number stands last. */
function compareNumeros(a: string | null, b: string | null): number {
  const [x, y] = [a, b].map((numero) => Number.parseFloat((numero ?? '').replace(',', '.')));
  if (Number.isNaN(x) && Number.isNaN(y)) return compareText(a ?? '', b ?? '');
  if (x === undefined || Number.isNaN(x)) return 1;
  return y === undefined || Number.isNaN(y) ? -1 : x - y;
}
