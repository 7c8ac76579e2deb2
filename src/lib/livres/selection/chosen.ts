import { Selection } from '$lib/ui/list/selection.svelte';

/** The books that are selected in the catalogue. */
export const selection = new Selection('livres');
