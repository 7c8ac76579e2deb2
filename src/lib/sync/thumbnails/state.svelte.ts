import { createSubscriber } from 'svelte/reactivity';
import { thumbnails } from './browser.ts';
import type { KeeperState } from './keeper.ts';

const follow = createSubscriber((change) => thumbnails.subscribe(change));

/** How far the covers on this device are; reactive. */
export function keptCovers(): KeeperState {
  follow();
  return thumbnails.state;
}

/** Counts the kept covers again: another tab may have fetched some. */
export const recountCovers = (): void => thumbnails.recount();
