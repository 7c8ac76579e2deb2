/**
 * The paths that the application answers by itself (a test compares them with src/routes). Any
 * other is the network's: a sign-on may live at `/login` of the same host.
 */
const ROUTES = [
  '/',
  '/a-propos',
  '/auteurs',
  '/auteurs/[id]',
  '/importer',
  '/importer/a-completer',
  '/importer/restaurer',
  '/livres/ajouter',
  '/livres/[id]',
  '/livres/[id]/modifier',
  '/modifications',
  '/modifications/[id]',
  '/prets',
  '/revues',
  '/revues/ajouter',
  '/revues/[id]',
  '/revues/[id]/modifier',
  '/revues/[id]/numeros/ajouter',
  '/revues/[id]/numeros/[numero]',
  '/revues/[id]/numeros/[numero]/modifier',
  '/series',
  '/series/ajouter',
  '/series/[id]',
  '/series/[id]/modifier',
  '/souhaits',
  '/souhaits/ajouter',
] as const;

const patterns = ROUTES.map((route) => new RegExp(`^${route.replace(/\[\w+\]/g, '[^/]+')}/?$`));

/** True for a path below the application's base that is one of its screens. */
export const isRoute = (path: string): boolean => patterns.some((pattern) => pattern.test(path));

export const routes: readonly string[] = ROUTES;
