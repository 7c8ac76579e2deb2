import { unsafeCast } from '$lib/api/unsafe-cast';
import { notes } from '$lib/sync/this-device';

const NOTE = 'serie-continue';

/** Up to which volume a series was said to go on, by its id. */
let noted = $state.raw(unsafeCast<Readonly<Record<string, number>> | null>(notes.get(NOTE)) ?? {});

/** That a series goes on after its last known volume, said on this device: the next volume raises the question anew. */
export const serieContinue = {
  isNoted: (serieId: number, total: number): boolean => noted[serieId] === total,

  note(serieId: number, total: number): void {
    noted = { ...noted, [serieId]: total };
    notes.set(NOTE, noted);
  },
};
