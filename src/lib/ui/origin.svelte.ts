import { afterNavigate } from '$app/navigation';

/** Forms are no place to come back to. */
const FORM = /\/(?:ajouter|modifier|importer)$/;

/**
 * The address of the screen that a record was opened from; `null` where that was its own list, which
 * has the route `list`, or where nobody knows. Call while a component is set up.
 */
export function trackOrigin(list: string): { readonly href: string | null } {
  let href = $state<string | null>(null);
  afterNavigate(({ from, to, type }) => {
    if (type === 'enter' || from === null || FORM.test(from.url.pathname)) return;
    if (from.route.id === to?.route.id) return;
    href = from.route.id === list ? null : from.url.pathname + from.url.search;
  });
  return {
    get href() {
      return href;
    },
  };
}
