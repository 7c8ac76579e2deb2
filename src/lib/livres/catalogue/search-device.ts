import { lecturesView } from '$lib/records/lectures/view.svelte';
import { numeroIndex } from '$lib/records/revues/view.svelte';
import { seriesView } from '$lib/records/series/view.svelte';
import { revuesSouhaiteesView, souhaitsView } from '$lib/records/souhaits/kinds';
import { livresOfWishes } from '$lib/souhaits/arrived';
import { views } from '$lib/sync/views.svelte';
import { globalSearch, type GlobalResults } from '#shared/global-search';
import type { Souhait } from '#shared/souhaits';

export interface DeviceResults extends GlobalResults {
  /** Listed books that are also on the reader's wish list: marked in their row instead of listed as wishes. */
  readonly wished: ReadonlySet<number>;
}

/** Searches the replica besides the listed books (docs/rules.md § 6). */
export function searchDevice(text: string, listed: (livreId: number) => boolean): DeviceResults {
  const results = globalSearch(
    text,
    {
      catalogue: views().catalogue,
      numeroIndex: numeroIndex(),
      series: seriesView.all(),
      prets: views().prets.values(),
      souhaits: souhaitsView.all(),
      souhaitsRevues: revuesSouhaiteesView.all(),
      lectures: lecturesView.all(),
    },
    listed,
  );
  const livresOf = ({ id }: Souhait) =>
    (livresOfWishes().get(id) ?? []).filter((livre) => listed(livre.id));
  return {
    ...results,
    souhaits: results.souhaits.filter((wish) => livresOf(wish).length === 0),
    wished: new Set(results.souhaits.flatMap(livresOf).map(({ id }) => id)),
  };
}
