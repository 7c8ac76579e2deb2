import { MediaQuery } from 'svelte/reactivity';
import { innerHeight, innerWidth } from 'svelte/reactivity/window';

/** From this width on a rail at the side replaces the tabs at the bottom. */
export const wide = new MediaQuery('min-width: 40rem');

/** From this width on a record opens beside the list. */
export const sideBySide = new MediaQuery('min-width: 64rem');

/** The least width of a row where several stand side by side, in `--list-rem`. */
const ROW_WIDTH = 28;

/** What the rail and the margins of a wide screen take, in pixels. */
const FRAME_PX = 290;

/**
 * How many rows of a list stand side by side in a window, which would be blank at its side otherwise; a
 * list that the window shows whole has one column.
 *
 * @param count how many rows the list has
 * @param rowHeight in `--list-rem`
 * @param besidePx how wide what stands beside the list is
 */
export function fittingColumns(count: number, rowHeight: number, besidePx = 0): number {
  const rem = listRemInPixels();
  if (count * rowHeight * rem <= (innerHeight.current ?? 0)) return 1;
  const room = (innerWidth.current ?? 0) - FRAME_PX - besidePx;
  return Math.max(1, Math.floor(room / (ROW_WIDTH * rem)));
}

/** What `--list-rem` is in this window. */
export const listRemInPixels = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--list-rem'));
