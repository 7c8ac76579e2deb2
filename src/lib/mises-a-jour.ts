/** How often a page that comes back into view looks for a new version, in milliseconds. */
const INTERVALLE = 3_600_000;

/** The word that the service worker waits for (src/service-worker.ts). */
const PRENDRE_LA_MAIN = 'prendreLaMain';

/**
 * Registers the service worker, which keeps the application readable offline, and calls
 * `surNouvelle` when a newer version waits. Without a secure connection there is none.
 */
export async function guetterMiseAJour(surNouvelle: () => void): Promise<void> {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  rechargerAuChangement();
  const enregistrement = await navigator.serviceWorker.register('/service-worker.js', {
    // The browser's HTTP cache must never hold a new version back.
    updateViaCache: 'none',
  });
  const regarder = () => {
    if (enregistrement.waiting && enregistrement.active) surNouvelle();
  };
  enregistrement.addEventListener('updatefound', () =>
    enregistrement.installing?.addEventListener('statechange', regarder),
  );
  regarder();
  chercherAuRetour(enregistrement);
}

/** Lets the waiting version take over; every tab then loads it. */
export async function appliquerMiseAJour(): Promise<void> {
  const enregistrement = await navigator.serviceWorker.getRegistration();
  if (enregistrement?.waiting) enregistrement.waiting.postMessage(PRENDRE_LA_MAIN);
  else location.reload();
}

function chercherAuRetour(enregistrement: ServiceWorkerRegistration): void {
  let derniere = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - derniere < INTERVALLE) return;
    derniere = Date.now();
    // Out of reach or not: the next return looks again.
    enregistrement.update().catch(() => undefined);
  });
}

/** Loads the page anew, once, when another version takes over; the first one of all takes none. */
function rechargerAuChangement(): void {
  if (!navigator.serviceWorker.controller) return;
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
    once: true,
  });
}
