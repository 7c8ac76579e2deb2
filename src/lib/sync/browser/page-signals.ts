import { report } from '../report.ts';
import type { Device } from '../device.ts';

/** Tells the device of the browser's events about this page and its network, for as long as the page lives. */
export function watchPage(device: Device): void {
  for (const name of ['online', 'focus', 'pageshow'])
    addEventListener(name, () => device.refresh());
  addEventListener('offline', () => device.reSync());
  document.addEventListener('visibilitychange', () =>
    device.setVisible(document.visibilityState === 'visible'),
  );
}

let isAsked = false;

/** Asks the browser, once, not to evict what is kept when the device runs short of space. */
export function askToPersist(): void {
  if (isAsked || !('storage' in navigator) || !('persist' in navigator.storage)) return;
  isAsked = true;
  navigator.storage.persist().catch((error: unknown) => report(error, 'asking to persist'));
}
