import { m } from '$lib/paraglide/messages';
import type { Component } from 'svelte';
import Ajouter from './pages/Ajouter.svelte';
import Annuler from './pages/Annuler.svelte';
import Chercher from './pages/Chercher.svelte';
import Lire from './pages/Lire.svelte';
import Preter from './pages/Preter.svelte';
import QuiLit from './pages/QuiLit.svelte';
import Rangement from './pages/Rangement.svelte';
import Reprendre from './pages/Reprendre.svelte';
import Revues from './pages/Revues.svelte';
import SansReseau from './pages/SansReseau.svelte';
import Sauvegarder from './pages/Sauvegarder.svelte';
import Scanner from './pages/Scanner.svelte';
import Series from './pages/Series.svelte';
import Souhaits from './pages/Souhaits.svelte';
import Telephone from './pages/Telephone.svelte';

/** A page of the manual: one task, for someone who has never seen a terminal. */
interface Topic {
  /** The last part of its address, and the file name of its picture in `pictures/`. */
  readonly name: string;
  readonly heading: () => string;
  readonly Text: Component;
}

export const topics: readonly Topic[] = [
  { name: 'ajouter', heading: m.ajouter_livre, Text: Ajouter },
  { name: 'scanner', heading: m.aide_scanner, Text: Scanner },
  { name: 'chercher', heading: m.aide_chercher, Text: Chercher },
  { name: 'rangement', heading: m.aide_rangement, Text: Rangement },
  { name: 'preter', heading: m.aide_preter, Text: Preter },
  { name: 'lire', heading: m.aide_lire, Text: Lire },
  { name: 'souhaits', heading: m.aide_souhaits, Text: Souhaits },
  { name: 'series', heading: m.aide_series, Text: Series },
  { name: 'revues', heading: m.aide_revues, Text: Revues },
  { name: 'annuler', heading: m.aide_undo, Text: Annuler },
  { name: 'sans-reseau', heading: m.aide_offline, Text: SansReseau },
  { name: 'telephone', heading: m.aide_install, Text: Telephone },
  { name: 'reprendre', heading: m.aide_reprendre, Text: Reprendre },
  { name: 'sauvegarder', heading: m.aide_sauvegarder, Text: Sauvegarder },
  { name: 'qui-lit', heading: m.aide_qui_lit, Text: QuiLit },
];

const pictures = import.meta.glob<string>('./pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The address of a page's picture; some have none. */
export const pictureOf = ({ name }: Topic): string | undefined =>
  pictures[`./pictures/${name}.webp`];
