import type { Serie } from '#shared/series';
import { compareText } from '#shared/text';
import type { PlannedPlace } from './series-plan.ts';

/** The places of a series with new volumes: each in its missing place, else by its number. */
export function mergePlaces(
  before: Serie | null,
  added: readonly PlannedPlace[],
  livreIdOf: (place: PlannedPlace) => number | null,
) {
  const places: PlaceEntry[] = (before?.places ?? []).map((place) => ({ ...place }));
  const byNumber = added.toSorted((a, b) => compareNumeros(a.numero, b.numero));
  for (const planned of byNumber) {
    const { numero, row } = planned;
    const livreId = livreIdOf(planned);
    const missing = places.find(
      (place) => place.livreId === null && numero !== null && place.numero === numero,
    );
    if (missing !== undefined) {
      missing.livreId = livreId;
      continue;
    }
    const { titre, isbn, auteur } = row;
    const at = places.findLastIndex((place) => compareNumeros(place.numero, numero) <= 0) + 1;
    places.splice(at, 0, { titre, numero, livreId, auteur, isbn });
  }
  return places;
}

interface PlaceEntry {
  readonly id?: number;
  readonly titre: string;
  readonly numero: string | null;
  livreId: number | null;
  readonly auteur: string | null;
  readonly isbn: string | null;
}

/** By value; what has no number stands last. */
function compareNumeros(a: string | null, b: string | null): number {
  const [x, y] = [a, b].map((numero) => Number.parseFloat((numero ?? '').replace(',', '.')));
  if (Number.isNaN(x) && Number.isNaN(y)) return compareText(a ?? '', b ?? '');
  if (x === undefined || Number.isNaN(x)) return 1;
  return y === undefined || Number.isNaN(y) ? -1 : x - y;
}
