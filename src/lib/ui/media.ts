import { MediaQuery } from 'svelte/reactivity';

/** From here on the destinations stand in a rail at the side, below it in tabs at the bottom. */
export const large = new MediaQuery('min-width: 40rem');

/** From here on a book opens beside the list. */
export const coteACote = new MediaQuery('min-width: 64rem');
