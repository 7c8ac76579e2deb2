import Feather from '@lucide/svelte/icons/feather';
import HandHelping from '@lucide/svelte/icons/hand-helping';
import Layers from '@lucide/svelte/icons/layers';
import LibraryIcon from '@lucide/svelte/icons/library';
import Newspaper from '@lucide/svelte/icons/newspaper';
import Star from '@lucide/svelte/icons/star';
import type { Component } from 'svelte';
import { auteurs } from '../../auteurs.svelte.ts';
import { connexion } from '../../connexion.svelte.ts';
import { bibliotheque } from '../../livres.svelte.ts';
import { m } from '../../paraglide/messages.js';
import { prets } from '../../prets.svelte.ts';
import { lesVues } from '../../vues.svelte.ts';

export interface Destination {
  readonly href: '/' | '/auteurs' | '/prets' | '/souhaits' | '/series' | '/revues';
  readonly nom: () => string;
  readonly icone: Component;
  /** How many records wait there, where this device knows. */
  readonly compte?: () => number | undefined;
}

const livres = {
  href: '/',
  nom: m.destination_catalogue,
  icone: LibraryIcon,
  compte: () => bibliotheque.nombre,
} satisfies Destination;

const noms = {
  href: '/auteurs',
  nom: m.destination_auteurs,
  icone: Feather,
  compte: () => auteurs.tous.length,
} satisfies Destination;

const dehors = {
  href: '/prets',
  nom: m.destination_prets,
  icone: HandHelping,
  compte: () => prets.enCours.length,
} satisfies Destination;

const souhaits = {
  href: '/souhaits',
  nom: m.destination_souhaits,
  icone: Star,
  compte: () =>
    (connexion.moi?.utilisateur ?? null) === null
      ? undefined
      : lesVues().souhaits.size + lesVues()['souhaits-revues'].size,
} satisfies Destination;

const series = {
  href: '/series',
  nom: m.destination_series,
  icone: Layers,
  compte: () => lesVues().series.size,
} satisfies Destination;

const revues = {
  href: '/revues',
  nom: m.destination_revues,
  icone: Newspaper,
  compte: () => lesVues().revues.size,
} satisfies Destination;

/** The four of the tab bar. */
export const onglets: readonly Destination[] = [livres, noms, dehors, souhaits];

/** The six of the rail and of the menu. */
export const destinations: readonly Destination[] = [...onglets, series, revues];

/** True on a destination's own page and on the pages of its records. */
export function estOuverte({ href }: Destination, chemin: string): boolean {
  if (href === '/') return chemin === '/' || chemin.startsWith('/livres/');
  return chemin === href || chemin.startsWith(`${href}/`);
}
