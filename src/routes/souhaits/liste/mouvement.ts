import { MediaQuery } from 'svelte/reactivity';

/** The reader wants nothing to move. */
export const mouvementReduit = new MediaQuery('prefers-reduced-motion: reduce');
