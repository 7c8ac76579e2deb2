import { Selection } from '$lib/ui/list/selection.svelte';

/** The actions of `SelectionBar`, in the order of its tiles. */
export const LIVRE_ACTIONS = [
  'preter',
  'statut',
  'typeDocument',
  'format',
  'serie',
  'emplacement',
  'theme',
  'liste',
  'detail',
  'rendre',
  'supprimer',
] as const;
export type LivreAction = (typeof LIVRE_ACTIONS)[number];

/** The books that are selected in the catalogue. */
export const selection = new Selection('livres');
