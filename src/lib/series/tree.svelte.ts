import type { Serie } from '#shared/series';
import { ExpandedIds } from '$lib/ui/expanded-ids.svelte';
import { seriesView } from '$lib/records/series/view.svelte';

/** A line of the list of series. */
export interface SerieTreeRow {
  readonly serie: Serie;
  /** How many of the cycles shown above contain it. */
  readonly depth: number;
}

/** The list of series, whose cycles unfold into what they contain. */
export class SerieTree {
  readonly expanded = new ExpandedIds();

  /** The outermost series by title, each expanded one followed by those inside it. */
  get rows(): readonly SerieTreeRow[] {
    return seriesView.roots.flatMap((serie) => this.#subtree(serie, 0));
  }

  #subtree(serie: Serie, depth: number): SerieTreeRow[] {
    const elements = this.expanded.has(serie.id) ? seriesView.elements(serie) : [];
    return [
      { serie, depth },
      ...elements.flatMap((element) =>
        'serie' in element ? this.#subtree(element.serie, depth + 1) : [],
      ),
    ];
  }
}

/** The series with all the words in their titles, whatever contains them, by title. */
export const searchSeries = (text: string): readonly SerieTreeRow[] =>
  seriesView.search(text).map((serie) => ({ serie, depth: 0 }));
