import { on } from 'svelte/events';
import { afterNavigate, beforeNavigate, goto } from '$app/navigation';
import { navigating, page } from '$app/state';
import { unawaited } from '$lib/sync/report';

const PARAM = 'recherche';

/** Safari throws on more than 100 history changes within 30 seconds. */
const MIN_INTERVAL_MS = 350;

/**
 * The search text of a screen, stored in the address as `recherche`. A keystroke updates the text at once and the
 * address after the paint; back and forward restore an older text.
 */
export class SearchInUrl {
  #text = $state(read());
  /** The text in links: it follows a moment after the paint, since it changes every row. */
  #linked = $state(read());
  /** True while the address lacks the text. */
  #isPending = false;
  /** True where a person has typed since a navigation began: the new screen is shown before the navigation ends. */
  #isTyped = false;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastWrite = -Infinity;

  /** Call while a component is initialised. */
  constructor() {
    /** True where the followed link lacked the last keystroke. */
    let isOutdated = false;
    /** The text in links when one was pressed: SvelteKit follows the link some frames later. */
    let pressed = '';
    $effect(() => on(document, 'click', () => (pressed = this.#linked), { capture: true }));
    $effect(() => () => this.#cancel());
    beforeNavigate(({ from, to, type }) => {
      this.#isTyped = false;
      if (type === 'popstate' || to?.url.pathname === from?.url.pathname) return;
      const linked = type === 'link' ? pressed : this.#linked;
      isOutdated = this.#text !== linked && read(to?.url) === linked;
      this.#flush();
    });
    afterNavigate(({ type }) => {
      if (isOutdated) this.#write();
      else if (type !== 'goto' && !this.#isTyped) this.reset(read());
      isOutdated = false;
    });
  }

  /** The query of the address with the typed text, for links that keep the search; it follows the paint. */
  get query(): string {
    return withParams({ [PARAM]: this.#linked }).search;
  }

  /** The typed text as the links have it: it follows the paint. */
  get linkedText(): string {
    return this.#linked;
  }

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#text = text;
    this.#cancel();
    this.#isPending = true;
    this.#isTyped = true;
    const delay = MIN_INTERVAL_MS - (performance.now() - this.#lastWrite);
    this.#frame = requestAnimationFrame(() => {
      // In an animation frame, after the layout: earlier, each state of the list would force one.
      if (scrollY > 0) scrollTo(0, 0);
      // After the paint: changing the address takes some browsers several milliseconds.
      this.#timer = setTimeout(() => {
        this.#linked = text;
        this.#writeAfter(Math.max(0, delay));
      });
    });
  }

  /** Sets the text and drops a pending change of the address, for a screen that changes the address itself. */
  reset(text: string): void {
    this.#cancel();
    this.#text = text;
    this.#linked = text;
  }

  /** For the back button. Not by SvelteKit's replaceState, which would restore the last navigation's address. */
  #flush(): void {
    if (!this.#isPending) return;
    this.reset(this.#text);
    history.replaceState(history.state, '', withParams({ [PARAM]: this.#text }));
  }

  #cancel(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#isPending = false;
  }

  /** Waits during a navigation, which a change of the address would cancel. */
  #writeAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      if (navigating.to === null) this.#write();
      else this.#writeAfter(MIN_INTERVAL_MS);
    }, ms);
  }

  #write(): void {
    this.#isPending = false;
    this.#lastWrite = performance.now();
    unawaited(updateUrl({ [PARAM]: this.#text }, { replace: true }), 'writing the address');
  }
}

/** The target of a change of parameters, until Kit has followed it. */
let wanted = $state.raw<URL | null>(null);

/** The address with changes that SvelteKit has not applied yet, which another change may precede. */
const current = (): URL => (wanted?.pathname === page.url.pathname ? wanted : page.url);

export const currentParams = (): URLSearchParams => current().searchParams;

/** An empty parameter is removed. Focus and page state stay; with `replace` or `stays` the page does not scroll. */
export async function updateUrl(
  params: Readonly<Record<string, string>>,
  { replace = false, stays = false } = {},
): Promise<void> {
  const url = (wanted = withParams(params));
  try {
    await goto(url, {
      replaceState: replace,
      keepFocus: true,
      noScroll: replace || stays,
      state: page.state,
    });
  } finally {
    if (wanted === url) wanted = null;
  }
}

function withParams(params: Readonly<Record<string, string>>): URL {
  const url = new URL(current());
  for (const [name, value] of Object.entries(params)) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url;
}

const read = (url: URL = page.url): string => url.searchParams.get(PARAM) ?? '';
