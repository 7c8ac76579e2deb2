import BookCheck from '@lucide/svelte/icons/book-check';
import Bookmark from '@lucide/svelte/icons/bookmark';
import CircleHelp from '@lucide/svelte/icons/circle-help';
import Feather from '@lucide/svelte/icons/feather';
import HandHelping from '@lucide/svelte/icons/hand-helping';
import History from '@lucide/svelte/icons/history';
import Info from '@lucide/svelte/icons/info';
import Layers from '@lucide/svelte/icons/layers';
import LibraryIcon from '@lucide/svelte/icons/library';
import MapPin from '@lucide/svelte/icons/map-pin';
import Newspaper from '@lucide/svelte/icons/newspaper';
import Settings from '@lucide/svelte/icons/settings';
import Star from '@lucide/svelte/icons/star';
import { createContext, type Component } from 'svelte';
import { href, base } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';

export interface NavigationLink<Path extends `/${string}` = `/${string}`> {
  /** Below the application's base. */
  readonly path: Path;
  readonly label: () => string;
  readonly icon: Component;
  readonly hrefFrom?: (pathname: string) => string;
}

export type Destination = NavigationLink<
  '/' | '/auteurs' | '/prets' | '/souhaits' | '/series' | '/revues'
>;

/** The number of records of each destination; `undefined` if unknown. */
export type Counts = Readonly<Record<Destination['path'], () => number | undefined>>;

export const [getCounts, setCounts] = createContext<Counts>();

/** How many books the catalogues could complete. */
export const [getToComplete, setToComplete] = createContext<() => Promise<number>>();

export const tabs: readonly Destination[] = [
  { path: '/', label: m.destination_catalogue, icon: LibraryIcon },
  { path: '/auteurs', label: m.destination_auteurs, icon: Feather },
  { path: '/prets', label: m.destination_prets, icon: HandHelping },
  { path: '/souhaits', label: m.destination_souhaits, icon: Star },
];

export const destinations: readonly Destination[] = [
  ...tabs,
  { path: '/series', label: m.destination_series, icon: Layers },
  { path: '/revues', label: m.destination_revues, icon: Newspaper },
];

/** The page of the manual for a screen, by the start of its path: the first that matches counts. */
const HELP_PAGES: readonly (readonly [path: string, page: string])[] = [
  ['/livres/ajouter', 'ajouter'],
  ['/livres', 'lire'],
  ['/auteurs', 'chercher'],
  ['/themes', 'chercher'],
  ['/prets', 'preter'],
  ['/souhaits', 'souhaits'],
  ['/lectures', 'lire'],
  ['/selections', 'chercher'],
  ['/series', 'series'],
  ['/revues', 'revues'],
  ['/rangement', 'rangement'],
  ['/modifications', 'annuler'],
  ['/importer', 'reprendre'],
  ['/imprimer', 'sauvegarder'],
  ['/reglages/compte', 'qui-lit'],
  ['/reglages/membres', 'qui-lit'],
  ['/reglages', 'sauvegarder'],
  ['/a-propos', 'sans-reseau'],
];

/** The target of « Aide » on a screen: its page of the manual, else the list of pages. */
function helpOf(pathname: string): string {
  const path = pathname.slice(base.length);
  if (path === '/') return href('/aide/chercher');
  const page = HELP_PAGES.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
  return page === undefined ? href('/aide') : href(`/aide/${page}`);
}

/** Rarely used destinations, at the foot of the rail and of the menu. */
export const secondaryNav: readonly NavigationLink[] = [
  { path: '/lectures', label: m.destination_lectures, icon: BookCheck },
  { path: '/selections', label: m.selections, icon: Bookmark },
  { path: '/rangement', label: m.destination_rangement, icon: MapPin },
  { path: '/modifications', label: m.destination_modifications, icon: History },
  { path: '/reglages', label: m.reglages, icon: Settings },
  { path: '/aide', label: m.aide, icon: CircleHelp, hrefFrom: helpOf },
  { path: '/a-propos', label: m.destination_about, icon: Info },
];

export function isCurrent({ path }: NavigationLink, pathname: string): boolean {
  const address = href(path);
  if (path === '/') return pathname === address || pathname.startsWith(href('/livres/'));
  return pathname === address || pathname.startsWith(`${address}/`);
}
