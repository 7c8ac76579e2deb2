import { on } from 'svelte/events';
import { createSubscriber, MediaQuery } from 'svelte/reactivity';

/** From this width on a side rail replaces the tabs at the bottom. */
export const wide = new MediaQuery('min-width: 40rem');

/** From this width on a record opens beside the list. */
export const sideBySide = new MediaQuery('min-width: 64rem');

export const printed = new MediaQuery('print');

/** More rows take a browser seconds to lay out. */
export const MAX_ON_PAPER = 2_000;

export const pointed = new MediaQuery('(hover: hover) and (pointer: fine)');

/** The minimal width of a row in several columns, in `--list-rem`. */
const ROW_WIDTH = 28;

/** A shorter list is read from top to bottom. */
const MIN_LINES = 6;

const followWidth = createSubscriber((change) => on(window, 'resize', change));

/**
 * How many columns of a list fill the window. Reading it computes styles: if it depends on the length of a list use
 * `columnsOf`.
 */
export function fittingColumns(): number {
  followWidth();
  const frame = inPixels('--rail') + 2 * inPixels('--margin');
  return Math.floor((innerWidth - frame) / (ROW_WIDTH * listRemInPixels()));
}

export const columnsOf = (count: number, fitting: number): number =>
  Math.max(1, Math.min(fitting, Math.ceil(count / MIN_LINES)));

export const listRemInPixels = (): number => inPixels('--list-rem');

/** A length that `tokens.css` registers. */
const inPixels = (token: string): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(token));
