import { at, base } from '$lib/format/address';

/** The page of the manual for a screen, by the first folder of its path; the catalogue has none. */
const PAGES: Readonly<Record<string, string>> = {
  '': 'chercher',
  livres: 'lire',
  prets: 'preter',
  souhaits: 'souhaits',
  lectures: 'lire',
  series: 'series',
  revues: 'revues',
  rangement: 'rangement',
  modifications: 'annuler',
  importer: 'reprendre',
  reglages: 'sauvegarder',
  'a-propos': 'sans-reseau',
};

/** Where « Aide » leads from a screen: the page of what it is for, else the list of pages. */
export function helpOf(pathname: string): string {
  const [, place = '', rest] = pathname.slice(base.length).split('/');
  const page = place === 'livres' && rest === 'ajouter' ? 'ajouter' : PAGES[place];
  return page === undefined ? at('/aide') : at(`/aide/${page}`);
}
