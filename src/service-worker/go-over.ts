/// <reference types="vite/client" />
import { browserPart } from '../lib/sync/this-device.ts';
import { takeUpdate } from './page.ts';

/** Fetches the application as the server gives it by now, such as in another language, and begins anew with it. */
export async function goOver(): Promise<void> {
  const registration = await browserPart('serviceWorker')?.getRegistration();
  if (registration?.active) {
    await registration.update();
    await kept(registration.installing);
  }
  await takeUpdate();
}

/** Resolves once a worker has kept its files. */
const kept = (worker: ServiceWorker | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = () => {
      if (worker?.state === 'redundant') reject(new Error('The application did not come whole'));
      else if (worker?.state !== 'installing') resolve();
    };
    worker?.addEventListener('statechange', look);
    look();
  });
