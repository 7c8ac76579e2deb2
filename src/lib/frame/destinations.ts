import Feather from '@lucide/svelte/icons/feather';
import HandHelping from '@lucide/svelte/icons/hand-helping';
import Layers from '@lucide/svelte/icons/layers';
import LibraryIcon from '@lucide/svelte/icons/library';
import Newspaper from '@lucide/svelte/icons/newspaper';
import Star from '@lucide/svelte/icons/star';
import type { Component } from 'svelte';
import { auteursView } from '$lib/auteurs/view.svelte';
import { connection } from '../sync/connection.svelte.ts';
import { livresView } from '$lib/livres/view.svelte';
import { m } from '../paraglide/messages.js';
import { pretsView } from '$lib/prets/view.svelte';
import { views } from '../sync/views.svelte.ts';

export interface Destination {
  readonly href: '/' | '/auteurs' | '/prets' | '/souhaits' | '/series' | '/revues';
  readonly label: () => string;
  readonly icon: Component;
  /** How many records it lists; `undefined` while that is not known. */
  readonly count?: () => number | undefined;
}

const livres = {
  href: '/',
  label: m.destination_catalogue,
  icon: LibraryIcon,
  count: () => livresView.count,
} satisfies Destination;

const auteurs = {
  href: '/auteurs',
  label: m.destination_auteurs,
  icon: Feather,
  count: () => auteursView.all.length,
} satisfies Destination;

const prets = {
  href: '/prets',
  label: m.destination_prets,
  icon: HandHelping,
  count: () => pretsView.enCours.length,
} satisfies Destination;

const souhaits = {
  href: '/souhaits',
  label: m.destination_souhaits,
  icon: Star,
  count: () =>
    (connection.moi?.utilisateur ?? null) === null
      ? undefined
      : views().souhaits.size + views()['souhaits-revues'].size,
} satisfies Destination;

const series = {
  href: '/series',
  label: m.destination_series,
  icon: Layers,
  count: () => views().series.size,
} satisfies Destination;

const revues = {
  href: '/revues',
  label: m.destination_revues,
  icon: Newspaper,
  count: () => views().revues.size,
} satisfies Destination;

/** The four of the tab bar. */
export const tabs: readonly Destination[] = [livres, auteurs, prets, souhaits];

/** The six of the rail and of the menu. */
export const destinations: readonly Destination[] = [...tabs, series, revues];

/** True on the destination's own screen and on those of its records. */
export function isCurrent({ href }: Destination, pathname: string): boolean {
  if (href === '/') return pathname === '/' || pathname.startsWith('/livres/');
  return pathname === href || pathname.startsWith(`${href}/`);
}
