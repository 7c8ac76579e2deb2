import type { Moi } from '#shared/moi';
import { selon } from './selon.ts';

/** What is remembered outside of any replica; a browser that keeps nothing forgets it, no more. */
function lire(cle: string): unknown {
  try {
    const texte = localStorage.getItem(`rayonnage.${cle}`);
    return texte === null ? null : JSON.parse(texte);
  } catch {
    return null;
  }
}

function garder(cle: string, valeur: unknown): void {
  try {
    localStorage.setItem(`rayonnage.${cle}`, JSON.stringify(valeur));
  } catch {
    // A full or forbidden storage: the next start asks again.
  }
}

/** Under what name `storage` events tell of another reader. */
export const CLE_LECTEUR = 'rayonnage.lecteur';

/** Who read last on this device, `null` before the first time. */
export const dernierLecteur = (): Moi | null => selon(lire('lecteur'));
export const retenirLecteur = (moi: Moi): void => garder('lecteur', moi);

/** When this device last knew all that the server knew, for one reader. */
export function derniereMiseAJour(utilisateur: string | null): Date | null {
  const date = selon<string | null>(lire(`miseAJour.${utilisateur ?? ''}`));
  return date === null ? null : new Date(date);
}
export const retenirMiseAJour = (utilisateur: string | null, date: Date): void =>
  garder(`miseAJour.${utilisateur ?? ''}`, date);
