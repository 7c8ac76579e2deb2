import { ApiError, refusDe } from './api/error.ts';
import { m } from './paraglide/messages.js';
import { courante } from './replica/courante.ts';

/** What another device may have changed meanwhile, so that this one's list is to be shown anew. */
const PERIMES = new Set(['LISTE_PERIMEE', 'INTROUVABLE']);

/**
 * Does a write on a personal list. Where the list is no longer what this device shows, it is
 * brought up to the server before the refusal is thrown.
 */
export async function surLaListe<T>(ecrire: () => Promise<T>): Promise<T> {
  try {
    return await ecrire();
  } catch (erreur) {
    const refus = refusDe(erreur);
    if (refus === null || !PERIMES.has(refus.code)) throw erreur;
    await courante.tirer();
    if (refus.code === 'LISTE_PERIMEE') throw erreur;
    throw new ApiError('refus', m.souhait_absent(), refus);
  }
}

/** Takes a record off a personal list; one that is gone already is what was wanted. */
export const retirerDeLaListe = (effacer: () => Promise<undefined>): Promise<undefined> =>
  surLaListe(effacer).catch((erreur: unknown) => {
    if (refusDe(erreur)?.code !== 'INTROUVABLE') throw erreur;
    return undefined;
  });

/**
 * Moves a record that was added again from the end to its old rank. That it is back counts: an
 * order that is refused leaves it at the end.
 */
export async function remettreALeurRang(
  liste: readonly { readonly id: number }[],
  id: number,
  rang: number,
  ordonner: (ids: readonly number[]) => Promise<unknown>,
): Promise<void> {
  const ids = liste.map((element) => element.id).filter((autre) => autre !== id);
  if (rang > ids.length) return;
  await ordonner(ids.toSpliced(rang - 1, 0, id)).catch((erreur: unknown) => {
    if (!(erreur instanceof ApiError)) throw erreur;
  });
}
