import { on } from 'svelte/events';
import { createSubscriber, MediaQuery } from 'svelte/reactivity';

/** From this width on a rail at the side replaces the tabs at the bottom. */
export const wide = new MediaQuery('min-width: 40rem');

/** From this width on a record opens beside the list. */
export const sideBySide = new MediaQuery('min-width: 64rem');

export const printed = new MediaQuery('print');

/** More rows take a browser seconds to lay out. */
export const MAX_ON_PAPER = 2_000;

export const pointed = new MediaQuery('(hover: hover) and (pointer: fine)');

/** The least width of a row where several stand side by side, in `--list-rem`. */
const ROW_WIDTH = 28;

/** A shorter list is read from top to bottom. */
const MIN_LINES = 6;

const followWidth = createSubscriber((change) => on(window, 'resize', change));

/**
 * How many rows of a list fit side by side in a window that would otherwise be blank at its side. Reading it computes
 * styles: what depends on the length of a list uses `columnsOf`.
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
