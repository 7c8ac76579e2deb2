import { report } from '../report.ts';
import type { Event } from '../states.ts';

/** Dispatches the browser's events about this page and its network, for as long as the page lives. */
export function watchPage(dispatch: (event: Event) => void): void {
  for (const name of ['online', 'focus', 'pageshow'])
    addEventListener(name, () => dispatch({ type: 'hint' }));
  addEventListener('offline', () => dispatch({ type: 'doubt' }));
  document.addEventListener('visibilitychange', () =>
    dispatch({ type: document.visibilityState === 'visible' ? 'visible' : 'hidden' }),
  );
}

let isAsked = false;

/** Asks the browser, once, not to evict what is kept when the device runs short of space. */
export function askToPersist(): void {
  if (isAsked || !('storage' in navigator) || !('persist' in navigator.storage)) return;
  isAsked = true;
  navigator.storage.persist().catch((error: unknown) => report(error, 'asking to persist'));
}
