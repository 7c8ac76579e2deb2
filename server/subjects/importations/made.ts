import type { Made } from './store.ts';

/** What two parts of an import have made. */
export const joinMade = (a: Made, b: Made): Made => ({
  livres: [...a.livres, ...b.livres],
  statuts: [...a.statuts, ...b.statuts],
  souhaits: [...a.souhaits, ...b.souhaits],
  prets: [...a.prets, ...b.prets],
  series: [...a.series, ...b.series],
  places: [...a.places, ...b.places],
  filled: [...a.filled, ...b.filled],
  ranges: [...(a.ranges ?? []), ...(b.ranges ?? [])],
  noms: [...(a.noms ?? []), ...(b.noms ?? [])],
  ...(a.pretDigests && { pretDigests: [...a.pretDigests, ...(b.pretDigests ?? [])] }),
  rest: {
    auteurs: [...(a.rest?.auteurs ?? []), ...(b.rest?.auteurs ?? [])],
    refus: [...(a.rest?.refus ?? []), ...(b.rest?.refus ?? [])],
    records: [...(a.rest?.records ?? []), ...(b.rest?.records ?? [])],
    given: [...(a.rest?.given ?? []), ...(b.rest?.given ?? [])],
  },
});
