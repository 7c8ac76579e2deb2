import { lecturesView } from '$lib/records/lectures/view.svelte';
import { numeroIndex } from '$lib/records/revues/view.svelte';
import { seriesView } from '$lib/records/series/view.svelte';
import { revuesSouhaiteesView, souhaitsView } from '$lib/records/souhaits/kinds';
import { views } from '$lib/sync/views.svelte';
import { globalSearch, type GlobalResults } from '#shared/global-search';

/** What the device holds for some words, besides the listed books (docs/rules.md § 6). */
export const searchDevice = (text: string, listed: (livreId: number) => boolean): GlobalResults =>
  globalSearch(
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
