import { untrack } from 'svelte';
import { report } from '$lib/sync/report';
import { views } from '$lib/sync/views.svelte';
import { afterPaint, whenIdle } from '$lib/ui/after-paint';
import { loadWithRetry, loadDeferred } from '$lib/ui/load-deferred';
import type { Catalogue } from '#shared/catalogue';
import type { LivreDocument } from '#shared/livres';
import type { DeviceResults, searchDevice as SearchDevice } from './search-device.ts';

/** The typing pause before all other records are searched. */
const PAUSE_MS = 90;

const NEAR_PORTION = 100;

/** Any word uses the same index. */
const ANY_WORD = 'a';

const load = () => import('./search-device.ts');

/** Prepares the indexes in idle time, so that the first search and the first near matches do not wait. */
async function prepareSearch(catalogue: Catalogue, leaving: AbortSignal): Promise<void> {
  const { nearIndexOf } = await import('#shared/catalogue-near');
  whenIdle(() => {
    if (leaving.aborted) return true;
    const isSettled = !catalogue.sortNextChunk({ recherche: ANY_WORD });
    return isSettled && nearIndexOf(catalogue).prepare(NEAR_PORTION);
  });
}

/** The results besides the list of books, which they follow: a keystroke waits for the list alone. */
export class GlobalSearch {
  #found = $state.raw<{ readonly text: string; readonly results: DeviceResults } | null>(null);
  #searchDevice = $state.raw<typeof SearchDevice | null>(null);
  #hasFailed = $state(false);
  readonly #text: () => string;

  /** Call during a component's setup. `accepts` is the filters' predicate. */
  constructor(
    text: () => string,
    listed: () => readonly LivreDocument[],
    accepts: () => (livreId: number) => boolean,
  ) {
    this.#text = text;
    const isAsked = $derived(text().trim() !== '');
    $effect(() => {
      if (!isAsked || this.#searchDevice !== null) return undefined;
      return loadDeferred(load, this.#take, 'loading the global search', {
        onfail: () => (this.#hasFailed = true),
      });
    });
    $effect(() => {
      const [typed, livres, search] = [text(), listed(), this.#searchDevice];
      const all = views();
      if (typed.trim() === '') {
        this.#found = null;
        return;
      }
      if (search === null) return;
      // Each of these may change while the words stay.
      void [all.catalogue, all.series, all.souhaits, all['souhaits-revues']];
      void [all.revues, all.numeros, all.prets, all.lectures];
      return afterPaint(() => this.#find(search, typed, livres, accepts), PAUSE_MS);
    });
    $effect(() => {
      const { catalogue, isReady } = views();
      if (!isReady) return undefined;
      const leaving = new AbortController();
      prepareSearch(catalogue, leaving.signal).catch((error: unknown) =>
        report(error, 'preparing the search'),
      );
      return () => leaving.abort();
    });
  }

  /** The results for these words, or still for earlier ones; `null` without words. */
  get results(): DeviceResults | null {
    return this.#found?.results ?? null;
  }

  get isCurrent(): boolean {
    return this.#found?.text === this.#text();
  }

  /** True where only the list is searched, because the code of the global search could not be loaded. */
  get hasFailed(): boolean {
    return this.#hasFailed && this.#text().trim() !== '';
  }

  retry(): void {
    loadWithRetry(load).then(this.#take, (error: unknown) =>
      report(error, 'loading the global search'),
    );
  }

  readonly #take = ({ searchDevice }: Awaited<ReturnType<typeof load>>): void => {
    this.#searchDevice = searchDevice;
    this.#hasFailed = false;
  };

  /** True where something besides books of the list was found; near matches do not count. */
  get hasSections(): boolean {
    if (this.#found === null) return false;
    const { near: _near, wished: _wished, ...sections } = this.#found.results;
    return Object.values(sections).some(({ length }) => length > 0);
  }

  #find(
    searchDevice: typeof SearchDevice,
    typed: string,
    livres: readonly LivreDocument[],
    accepts: () => (livreId: number) => boolean,
  ): void {
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
