import { onNavigate } from '$app/navigation';
import { href } from '$lib/format/address';

const ROUTE = '/(catalogue)/livres/[id]';
const NAME = 'cover';

/** The cover of a book on its own page. */
const HERO = '.hero-cover .cover';

/** The cover of a book in a row, on the wall or in a strip: beside its link, or around it. */
function coverOf(id: string | undefined): HTMLElement | null {
  const path = href(`/livres/${Number(id)}`);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('main a.row-link')) {
    if (link.pathname !== path) continue;
    const cover = link.closest('.row, .tile, .book')?.querySelector<HTMLElement>('.cover') ?? null;
    if (cover !== null && isInSight(cover)) return cover;
  }
  return null;
}

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Has the cover of a book grow into its page, and go back to its place. Not where a browser cannot, where less motion
 * is wanted, nor where the arrow keys walk a list. Must be called while a component is initialised.
 */
export function growCovers(): void {
  onNavigate((navigation) => {
    const { from, to, type, complete } = navigation;
    const opens = to?.route.id === ROUTE;
    const closes = from?.route.id === ROUTE;
    if (!('startViewTransition' in document) || isStill()) return undefined;
    if ((!opens && !closes) || (type !== 'link' && type !== 'popstate')) return undefined;
    const source = opens ? coverOf(to.params?.['id']) : document.querySelector<HTMLElement>(HERO);
    if (source === null) return undefined;
    return new Promise((resolve) => {
      source.style.viewTransitionName = NAME;
      const transition = document.startViewTransition(async () => {
        resolve();
        await complete;
        source.style.viewTransitionName = '';
        const target = opens
          ? document.querySelector<HTMLElement>(HERO)
          : coverOf(from?.params?.['id']);
        if (target !== null) target.style.viewTransitionName = NAME;
      });
      const end = () => {
        for (const cover of document.querySelectorAll<HTMLElement>('.cover'))
          cover.style.viewTransitionName = '';
      };
      transition.finished.then(end, end);
    });
  });
}
