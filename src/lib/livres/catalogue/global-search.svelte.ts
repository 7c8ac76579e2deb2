import { untrack } from 'svelte';
import { views } from '$lib/sync/views.svelte';
import { report } from '$lib/sync/report';
import { afterPaint, whenIdle } from '$lib/ui/after-paint';
import { loadAgain } from '$lib/ui/load-again';
import type { GlobalResults } from '#shared/global-search';
import type { LivreDocument } from '#shared/livres';

/** A pause in the typing, after which all other records are searched too. */
const PAUSE_MS = 90;

/** How many books' words are read at a quiet moment, for the near matches. */
const NEAR_PORTION = 200;

const load = () => import('./search-device.ts');

/**
 * The results besides the list of books, for the words in the catalogue's field. They come shortly after
 * the list, so that a keystroke pays for the list only.
 */
export class GlobalSearch {
  #found = $state.raw<{ readonly text: string; readonly results: GlobalResults } | null>(null);
  #hasFailed = $state(false);
  readonly #text: () => string;

  /**
   * Must be called while a component is initialised.
   *
   * @param text the words typed
   * @param listed the books that the list shows for them
   * @param accepts whether the filters let a book through
   */
  constructor(
    text: () => string,
    listed: () => readonly LivreDocument[],
    accepts: () => (livreId: number) => boolean,
  ) {
    this.#text = text;
    $effect(() => {
      const [typed, livres] = [text(), listed()];
      const all = views();
      if (typed.trim() === '') {
        this.#found = null;
        return;
      }
      // `retry` starts the search again.
      if (this.#hasFailed) return;
      // Any of these may change while the words stay.
      void [all.catalogue, all.series, all.souhaits, all['souhaits-revues']];
      void [all.revues, all.numeros, all.prets, all.lectures];
      return afterPaint(() => {
        this.#find(typed, livres, accepts).catch((error: unknown) => {
          this.#hasFailed = true;
          report(error, 'searching globally');
        });
      }, PAUSE_MS);
    });
    $effect(() => {
      const { catalogue, isReady } = views();
      return isReady ? whenIdle(() => catalogue.prepareNear(NEAR_PORTION)) : undefined;
    });
  }

  /** What was found for these words, or for those before them; `null` where nothing is typed. */
  get results(): GlobalResults | null {
    return this.#found?.results ?? null;
  }

  /** True once the results are those of the words typed. */
  get isCurrent(): boolean {
    return this.#found?.text === this.#text();
  }

  /** True where only the list is searched, because the code of the global search could not be loaded. */
  get hasFailed(): boolean {
    return this.#hasFailed && this.#text().trim() !== '';
  }

  retry(): void {
    loadAgain(load).then(
      () => (this.#hasFailed = false),
      (error: unknown) => report(error, 'loading the global search'),
    );
  }

  /** True where something besides books of the list was found; near matches do not count. */
  get hasSections(): boolean {
    if (this.#found === null) return false;
    const { code: _code, near: _near, ...sections } = this.#found.results;
    return Object.values(sections).some(({ length }) => length > 0);
  }

  async #find(
    typed: string,
    livres: readonly LivreDocument[],
    accepts: () => (livreId: number) => boolean,
  ): Promise<void> {
    const { searchDevice } = await load();
    if (typed !== untrack(this.#text)) return;
    const ids = new Set(livres.map(({ id }) => id));
    const results = untrack(() => searchDevice(typed, (id) => ids.has(id)));
    const isAccepted = untrack(accepts);
    this.#found = {
      text: typed,
      results: {
        ...results,
        livres: results.livres.filter(({ id }) => !ids.has(id) && isAccepted(id)),
        near: results.near.filter(({ livre }) => isAccepted(livre.id)),
      },
    };
  }
}
