import { globSync } from 'node:fs';
import { atLeastOne } from '../../support/at-least-one.ts';

const FILE = '/+page.svelte';

/** Every screen by its route in `src/routes`, without groups: `/livres/[id]`. */
export const ROUTES: readonly string[] = atLeastOne(globSync(`src/routes/**${FILE}`)).map(
  (path) => path.replaceAll(/^src\/routes|\/\([^)]+\)/g, '').slice(0, -FILE.length) || '/',
);

/** Routes that need no reader. */
export const DOORS: readonly string[] = ['/connexion', '/connexion/retour', '/invitation'];

/** The route of an address; routes without parameters match first. */
export function routeOf(address: string): string | undefined {
  const path = address.replace(/[?#].*$/, '');
  const isShown = (route: string) =>
    new RegExp(`^${route.replaceAll(/\[\w+\]/g, '[^/]+')}$`).test(path);
  return ROUTES.find((route) => route === path) ?? ROUTES.find(isShown);
}
