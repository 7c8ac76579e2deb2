import { CLE_LECTEUR } from './memoire.ts';

/** What the browser tells of this page and of its network. */
interface Ecoute {
  readonly surVisible: () => void;
  readonly surCache: () => void;
  /** The network came or went, or the reader came back to the window: worth a look. */
  readonly surReseau: () => void;
  /** Another tab has found out that someone else reads. */
  readonly surAutreLecteur: () => void;
}

/** Listens for as long as the page lives. */
export function ecouterLaPage({ surVisible, surCache, surReseau, surAutreLecteur }: Ecoute): void {
  for (const nom of ['online', 'offline', 'focus']) addEventListener(nom, surReseau);
  document.addEventListener('visibilitychange', () =>
    document.visibilityState === 'visible' ? surVisible() : surCache(),
  );
  addEventListener('storage', ({ key }) => {
    if (key === CLE_LECTEUR) surAutreLecteur();
  });
}

/** Asks the browser, once, not to evict the replica when the device runs short of space. */
export function demanderDeGarder(): void {
  if (demande || !('storage' in navigator) || !('persist' in navigator.storage)) return;
  demande = true;
  navigator.storage.persist().catch(() => undefined);
}
let demande = false;
