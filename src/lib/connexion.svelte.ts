import type { Moi } from '#shared/moi';
import type { EtatLien } from './api/lien.ts';

/** Whether the household's data can be changed, and why not. */
export type Ecriture = { possible: true } | { possible: false; raison: string };

/** How this page stands with the server and with its reader, reactive. */
class Connexion {
  etat = $state<EtatLien>('enLigne');
  /** When this device last knew everything that the server knew. */
  derniereMiseAJour = $state.raw<Date | null>(null);
  /** Who is reading; `null` while that is being asked, all its fields `null` when unknown. */
  moi = $state.raw<Moi | null>(null);
  /** True when a newer version of the application waits for the reader's word. */
  nouvelleVersion = $state(false);

  get ecriture(): Ecriture {
    return { possible: true };
  }

  /** Signs in again: a full navigation past the service worker, back to this address. */
  seReconnecter(): void {}

  /** Takes the newer version in every tab. */
  recharger(): void {}
}

export const connexion = new Connexion();
