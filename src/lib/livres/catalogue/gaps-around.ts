import { livresView } from '$lib/records/livres/view.svelte';
import { seriesView, type VolumeSlot } from '$lib/records/series/view.svelte';
import { volumeOf } from '$lib/series/volume';
import type { LivreDocument } from '#shared/livres';
import type { Serie } from '#shared/series';

/** The missing volumes before each book of a series and behind its last one, by their numbers or titles. */
interface SerieGaps {
  readonly before: ReadonlyMap<number, readonly string[]>;
  readonly last: number | undefined;
  readonly after: readonly string[];
}

const known = new WeakMap<Serie, SerieGaps>();
const NONE: readonly string[] = [];

/** What is missing beside a book on the wall by series. */
export function gapsAround({ id }: LivreDocument): {
  readonly before: readonly string[];
  readonly after: readonly string[];
} {
  const serie = livresView.serieOf(id);
  if (serie === null) return { before: NONE, after: NONE };
  let gaps = known.get(serie);
  if (gaps === undefined) known.set(serie, (gaps = gapsOf(serie)));
  return { before: gaps.before.get(id) ?? NONE, after: gaps.last === id ? gaps.after : NONE };
}

function gapsOf(serie: Serie): SerieGaps {
  const before = new Map<number, readonly string[]>();
  const slots = seriesView
    .slots(serie)
    .flatMap((slot): VolumeSlot[] => ('serie' in slot ? [] : [slot]));
  let waiting: string[] = [];
  let last: number | undefined;
  for (const slot of slots) {
    const { titre, numero, livreId } = volumeOf(serie, slot);
    if (livreId === null) waiting.push(numero ?? titre);
    else {
      before.set(livreId, shortened(waiting));
      waiting = [];
      last = livreId;
    }
  }
  return { before, last, after: shortened(waiting) };
}

/** More than three places without a book between two are one: « 2 – 7 ». */
const MAX_GAPS = 3;

const shortened = (missing: readonly string[]): readonly string[] =>
  missing.length <= MAX_GAPS ? missing : [`${missing[0] ?? ''}\u00a0– ${missing.at(-1) ?? ''}`];
