import { createSubscriber } from 'svelte/reactivity';
import { thumbnails } from './browser.ts';
import type { KeeperState } from './keeper.ts';

const follow = createSubscriber((change) => thumbnails.subscribe(change));

/** How far the covers on this device are; reactive. */
export function keptCovers(): KeeperState {
  follow();
  return thumbnails.state;
}

/** Looks anew at what is kept, where another tab fetches. */
export const recountCovers = (): void => thumbnails.recount();
