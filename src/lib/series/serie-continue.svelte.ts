import { HouseholdNote } from '$lib/sync/household-note.svelte';

interface Continued {
  readonly serieId: number;
  /** How many volumes were known. */
  readonly total: number;
}

const note = new HouseholdNote<Continued>('serie-continue');

/** Series that the reader says continue after their last known volume; asked again once another is known. */
export const serieContinue = {
  isNoted: (serieId: number, total: number): boolean =>
    note.value.some((one) => one.serieId === serieId && one.total === total),

  note(serieId: number, total: number): void {
    note.change((all) => [...all.filter((one) => one.serieId !== serieId), { serieId, total }]);
  },
};
