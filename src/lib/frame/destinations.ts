import Feather from '@lucide/svelte/icons/feather';
import HandHelping from '@lucide/svelte/icons/hand-helping';
import Layers from '@lucide/svelte/icons/layers';
import LibraryIcon from '@lucide/svelte/icons/library';
import MapPin from '@lucide/svelte/icons/map-pin';
import Newspaper from '@lucide/svelte/icons/newspaper';
import Star from '@lucide/svelte/icons/star';
import { createContext, type Component } from 'svelte';
import { at } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';

export interface Destination {
  /** Below the application's base. */
  readonly path: '/' | '/auteurs' | '/prets' | '/souhaits' | '/series' | '/revues' | '/rangement';
  readonly label: () => string;
  readonly icon: Component;
}

/** How many records each destination lists; `undefined` while that is not known. */
export type Counts = Readonly<Record<Destination['path'], () => number | undefined>>;

export const [getCounts, setCounts] = createContext<Counts>();

/** Asks how many books the catalogues could complete. */
export const [getToComplete, setToComplete] = createContext<() => Promise<number>>();

/** The four of the tab bar. */
export const tabs: readonly Destination[] = [
  { path: '/', label: m.destination_catalogue, icon: LibraryIcon },
  { path: '/auteurs', label: m.destination_auteurs, icon: Feather },
  { path: '/prets', label: m.destination_prets, icon: HandHelping },
  { path: '/souhaits', label: m.destination_souhaits, icon: Star },
];

/** The seven of the rail and of the menu. */
export const destinations: readonly Destination[] = [
  ...tabs,
  { path: '/series', label: m.destination_series, icon: Layers },
  { path: '/revues', label: m.destination_revues, icon: Newspaper },
  { path: '/rangement', label: m.destination_rangement, icon: MapPin },
];

/** True on the destination's own screen and on those of its records. */
export function isCurrent({ path }: Destination, pathname: string): boolean {
  const href = at(path);
  if (path === '/') return pathname === href || pathname.startsWith(at('/livres/'));
  return pathname === href || pathname.startsWith(`${href}/`);
}
