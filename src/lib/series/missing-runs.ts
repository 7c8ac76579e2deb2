import { m } from '$lib/paraglide/messages';
import type { SerieSlot, VolumeSlot } from '$lib/records/series/view.svelte';
import type { Place } from '#shared/series';
import { isManquant, formatTomes } from '#shared/series-gaps';

/** Consecutive missing volumes, shown as one. */
export interface MissingRun {
  readonly run: readonly VolumeSlot[];
}

/** Up to so many missing neighbours are shown individually; more would hide the owned volumes after them. */
const MAX_NEIGHBOURS = 12;

/**
 * The volumes of a series, with long runs of missing ones folded unless a person has opened them.
 *
 * @param places all places of the series
 * @param opened keys of runs' first volumes
 */
export function foldMissing(
  slots: readonly SerieSlot[],
  places: readonly Place[],
  opened: ReadonlySet<string> = new Set(),
): readonly (SerieSlot | MissingRun)[] {
  const folded: (SerieSlot | MissingRun)[] = [];
  let run: VolumeSlot[] = [];
  const end = () => {
    const [first] = run;
    if (first === undefined) return;
    if (run.length > MAX_NEIGHBOURS && !opened.has(keyOf(first))) folded.push({ run });
    else folded.push(...run);
    run = [];
  };
  for (const slot of slots)
    if ('gap' in slot || ('place' in slot && isManquant(slot.place, places))) run.push(slot);
    else {
      end();
      folded.push(slot);
    }
  end();
  return folded;
}

/** A volume in its series; a gap that becomes a place keeps its key. */
export const keyOf = (slot: VolumeSlot): string =>
  'gap' in slot ? slot.gap : (slot.place.numero ?? `#${String(slot.place.id)}`);

/** « tomes 1 à 119 »; the number of volumes if one has no number. */
export function runLabel({ run }: MissingRun): string {
  const numeros = run.flatMap((slot) => ('gap' in slot ? slot.gap : (slot.place.numero ?? [])));
  return numeros.length < run.length
    ? m.count_volumes({ owned: run.length })
    : m.tomes_listed({ tomes: formatTomes(numeros) });
}
