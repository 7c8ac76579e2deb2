import LayoutGrid from '@lucide/svelte/icons/layout-grid';
import List from '@lucide/svelte/icons/list';
import type { Component } from 'svelte';
import { m } from '$lib/paraglide/messages';
import { KeptChoice } from './kept-choice.ts';

export type Affichage = 'liste' | 'couvertures';

/** The catalogue as a list or as a wall of covers. */
export const affichageChoice = new KeptChoice<Affichage>('affichage', ['liste', 'couvertures']);

export const affichageOptions = (): { value: Affichage; label: string; icon: Component }[] => [
  { value: 'liste', label: m.affichage_liste(), icon: List },
  { value: 'couvertures', label: m.covers(), icon: LayoutGrid },
];
