import type { OnNavigate } from '@sveltejs/kit';
import { href } from '$lib/format/address';

const ROUTE = '/(catalogue)/livres/[id]';
const NAME = 'cover';

const HERO = '.hero-cover .cover';

/** The cover of a book in a row, on the wall or in a strip: beside or inside its link. */
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
 * Resolves once a waiting navigation continues. SvelteKit does not check whether it is still current: a later one,
 * such as Back, would be shown first and then covered.
 */
let waiting: Promise<undefined> | undefined;

/** The promise that a navigation to or from a book waits for; `undefined` for any other, or without an animation. */
export function growCover(navigation: OnNavigate): Promise<undefined> | undefined {
  if (waiting !== undefined) return waiting;
  const { from, to, type, complete } = navigation;
  const opens = to?.route.id === ROUTE;
  const closes = from?.route.id === ROUTE;
  if (!('startViewTransition' in document) || isStill()) return undefined;
  if ((!opens && !closes) || (type !== 'link' && type !== 'popstate')) return undefined;
  const source = opens ? coverOf(to.params?.['id']) : document.querySelector<HTMLElement>(HERO);
  if (source === null) return undefined;
  const target = () =>
    opens ? document.querySelector<HTMLElement>(HERO) : coverOf(from?.params?.['id']);
  waiting = grow(source, complete, target);
  return waiting;
}

/** Settles once the old screen is pictured; a navigation that is broken off ends the growth. */
function grow(
  source: HTMLElement,
  complete: Promise<void>,
  targetOf: () => HTMLElement | null,
): Promise<undefined> {
  const { promise: pictured, resolve } = Promise.withResolvers<undefined>();
  source.style.viewTransitionName = NAME;
  let target: HTMLElement | null = null;
  const transition = document.startViewTransition(async () => {
    waiting = undefined;
    resolve(undefined);
    const isShown = await complete.then(
      () => true,
      () => false,
    );
    source.style.viewTransitionName = '';
    if (!isShown) {
      transition.skipTransition();
      return;
    }
    target = targetOf();
    if (target !== null) target.style.viewTransitionName = NAME;
  });
  const end = () => {
    if (target !== null) target.style.viewTransitionName = '';
  };
  // A skipped transition is finished, too.
  transition.ready.catch(end);
  transition.finished.then(end, end);
  return pictured;
}
