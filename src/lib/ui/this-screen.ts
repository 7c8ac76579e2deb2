import { afterNavigate } from '$app/navigation';
import { navigating, page } from '$app/state';

/** How many screens this page has shown. */
let shown = 0;

/** Counts the screens; call in the layout of all of them. Another search of one path is the same screen. */
export function countScreens(): void {
  afterNavigate(({ from, to, type }) => {
    if (type === 'enter' || from?.url.pathname !== to?.url.pathname) shown++;
  });
}

export interface ThisScreen {
  /** True once the person has gone elsewhere, or is on the way: what would lead on from here leaves them there. */
  readonly isLeft: boolean;
}

/** The screen of this moment, for what an answer leads to. */
export function thisScreen(): ThisScreen {
  const nth = shown;
  const { pathname } = page.url;
  return {
    get isLeft() {
      const next = navigating.to?.url.pathname ?? page.url.pathname;
      return shown !== nth || next !== pathname;
    },
  };
}
