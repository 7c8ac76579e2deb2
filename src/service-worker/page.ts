/// <reference types="vite/client" />
import { report } from '../lib/sync/report.ts';
import { hasServiceWorker, WORKER } from '../lib/sync/this-device.ts';

/** How often a page that comes back into view looks for a new version, in milliseconds. */
const INTERVAL_MS = 3_600_000;

const TAKE_OVER = 'takeOver';

/** Calls `onUpdate` when a newer version waits. Without a secure connection there is no service worker. */
export async function watchForUpdate(onUpdate: () => void): Promise<void> {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  reloadOnChange();
  const registration = await navigator.serviceWorker.register(WORKER, {
    // The browser's HTTP cache must never hold a new version back.
    updateViaCache: 'none',
  });
  const look = () => {
    if (registration.waiting && registration.active) onUpdate();
  };
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', look),
  );
  look();
  lookOnReturn(registration);
}

export async function takeUpdate(): Promise<void> {
  const waiting = (await navigator.serviceWorker.getRegistration())?.waiting;
  if (!waiting) {
    location.reload();
    return;
  }
  // On a first visit no version may control this page, so no change of version is announced.
  waiting.addEventListener('statechange', () => {
    if (waiting.state === 'activated') location.reload();
  });
  waiting.postMessage(TAKE_OVER);
}

function lookOnReturn(registration: ServiceWorkerRegistration): void {
  let last = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - last < INTERVAL_MS) return;
    last = Date.now();
    // Where the update fails, the page asks again when it comes back into view.
    registration.update().catch((error: unknown) => report(error, 'looking for a new version'));
  });
}

/** The first service worker takes over from none: it has the files that the page was loaded with. */
function reloadOnChange(): void {
  let isControlled = hasServiceWorker();
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (isControlled) location.reload();
    isControlled = true;
  });
}
