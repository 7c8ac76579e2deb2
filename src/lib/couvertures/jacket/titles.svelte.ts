import { whenIdle } from '../../ui/after-paint.ts';

let areSet = $state(false);
let isComing = false;

/**
 * Whether jackets bear their titles: the first ones do so once the screen is painted with their cloth. To set ten of
 * them is a tenth of a start; reactive.
 */
export function titlesAreSet(): boolean {
  if (!isComing) {
    isComing = true;
    whenIdle(() => (areSet = true));
  }
  return areSet;
}
