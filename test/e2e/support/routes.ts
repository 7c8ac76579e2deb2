import { globSync } from 'node:fs';
import { atLeastOne } from '../../support/at-least-one.ts';

const FILE = '/+page.svelte';

/** Every screen by its route in `src/routes`, without the groups: `/livres/[id]`. */
export const ROUTES: readonly string[] = atLeastOne(globSync(`src/routes/**${FILE}`)).map(
  (path) => path.replaceAll(/^src\/routes|\/\([^)]+\)/g, '').slice(0, -FILE.length) || '/',
);

/** What is shown before anybody reads. */
export const DOORS: readonly string[] = ['/connexion', '/connexion/retour', '/invitation'];

/** The route that an address shows; one without a parameter goes first. */
export function routeOf(address: string): string | undefined {
  const path = address.replace(/[?#].*$/, '');
  const isShown = (route: string) =>
    new RegExp(`^${route.replaceAll(/\[\w+\]/g, '[^/]+')}$`).test(path);
  return ROUTES.find((route) => route === path) ?? ROUTES.find(isShown);
}
