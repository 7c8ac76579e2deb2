import { connexion } from './connexion.svelte.ts';

/** Starts what lives as long as the page. */
export function demarrer(): void {
  retirerMarque();
  connexion.demarrer();
}

/** The mark of a navigation past the service worker (`connexion.seReconnecter`) has served. */
function retirerMarque(): void {
  const adresse = new URL(location.href);
  if (!adresse.searchParams.has('connexion')) return;
  adresse.searchParams.delete('connexion');
  history.replaceState(history.state, '', adresse);
}
