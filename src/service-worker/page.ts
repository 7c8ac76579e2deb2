/// <reference types="vite/client" />
import { report } from '../lib/sync/report.ts';
import { browserPart, hasServiceWorker, WORKER } from '../lib/sync/this-device.ts';

/** How often a page that becomes visible checks for a new version, in milliseconds. */
const INTERVAL_MS = 3_600_000;

const TAKE_OVER = 'takeOver';

/** How long the service worker may take to check its files, and to fetch missing ones, in milliseconds. */
export const COUNT_MS = 5_000;
export const KEEP_MS = 60_000;

/** Calls `onUpdate` when a newer version is waiting. Without a secure connection there is no service worker. */
export async function watchForUpdate(onUpdate: () => void): Promise<void> {
  const workers = browserPart('serviceWorker');
  if (import.meta.env.DEV || workers === null) return;
  reloadOnChange(workers);
  const registration = await workers.register(WORKER, {
    // The browser's HTTP cache must never delay a new version.
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
  const waiting = (await browserPart('serviceWorker')?.getRegistration())?.waiting;
  if (!waiting) {
    location.reload();
    return;
  }
  // On a first visit no version may control this page, so no change of version is announced.
  waiting.addEventListener('statechange', () => {
    if (waiting.state === 'activated') location.reload();
  });
  // The port tells the worker that this page reloads by itself; pages of 1.0.0 send no port.
  waiting.postMessage(TAKE_OVER, [new MessageChannel().port2]);
}

function lookOnReturn(registration: ServiceWorkerRegistration): void {
  let last = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - last < INTERVAL_MS) return;
    last = Date.now();
    // A failed update check is repeated when the page becomes visible.
    registration.update().catch((error: unknown) => report(error, 'looking for a new version'));
    keepMissingFiles().catch((error: unknown) => report(error, 'keeping the files'));
  });
}

/** The number of files missing for an offline start; `null` without a service worker. */
export const countMissingFiles = (): Promise<number | null> => askWorker('countMissing', COUNT_MS);

/** Fetches deleted files; the result is that of `countMissingFiles`. */
export const keepMissingFiles = (): Promise<number | null> => askWorker('keepMissing', KEEP_MS);

/** @returns the worker's answer; `null` without a worker */
export async function askWorker(question: string, timeoutMs: number): Promise<number | null> {
  const registration = await browserPart('serviceWorker')?.getRegistration();
  const active = registration?.active;
  if (active?.scriptURL !== location.origin + WORKER) return null;
  const { port1, port2 } = new MessageChannel();
  try {
    return await new Promise<number>((resolve, reject) => {
      port1.addEventListener('message', ({ data }: MessageEvent<number>) => resolve(data));
      setTimeout(() => reject(new Error(`no answer to ${question}`)), timeoutMs);
      port1.start();
      active.postMessage(question, [port2]);
    });
  } finally {
    port1.close();
  }
}

/** The first service worker replaces none: it has the files that the page was loaded with. */
function reloadOnChange(workers: ServiceWorkerContainer): void {
  let isControlled = hasServiceWorker();
  workers.addEventListener('controllerchange', () => {
    if (isControlled) location.reload();
    isControlled = true;
  });
}
