import { MediaQuery } from 'svelte/reactivity';

/** From this width on a rail at the side replaces the tabs at the bottom. */
export const wide = new MediaQuery('min-width: 40rem');

/** From this width on a record opens beside the list. */
export const sideBySide = new MediaQuery('min-width: 64rem');

/** What `--list-rem` is in this window. */
export const listRemInPixels = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--list-rem'));
