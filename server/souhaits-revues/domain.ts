import { Refusal } from '#shared/refusals';
import type { RevueSouhaitee, RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import type { Base } from '#server/database/base';
import { estViolation } from '#server/database/violations';
import { lireSaisie } from './saisie.ts';
import { insererRevueSouhaitee, lireRevueSouhaitee, reecrireRevueSouhaitee } from './store.ts';

/**
 * Puts a periodical, or one issue of it, at the end of someone's list. That an issue is there once,
 * « no number » being one, is the schema's own rule (specification « Periodical wish »).
 */
export function ajouter(
  base: Base,
  utilisateur: string,
  saisie: RevueSouhaiteeSaisie,
): RevueSouhaitee {
  const revue = lireSaisie(saisie);
  return base.write(() => {
    const date = new Date().toISOString();
    const id = uneFois(() => insererRevueSouhaitee(base, utilisateur, revue, date));
    return lire(base, utilisateur, id);
  });
}

/** Rewrites a wish; its rank stays. Another's does not exist. */
export function modifier(
  base: Base,
  utilisateur: string,
  id: number,
  saisie: RevueSouhaiteeSaisie,
): RevueSouhaitee {
  return base.write(() => {
    lire(base, utilisateur, id);
    const revue = lireSaisie(saisie);
    uneFois(() => reecrireRevueSouhaitee(base, utilisateur, id, revue));
    return lire(base, utilisateur, id);
  });
}

function lire(base: Base, utilisateur: string, id: number): RevueSouhaitee {
  const revue = lireRevueSouhaitee(base, utilisateur, id);
  if (revue === undefined) throw new Refusal('INTROUVABLE');
  return revue;
}

function uneFois<T>(ecrire: () => T): T {
  try {
    return ecrire();
  } catch (error) {
    if (estViolation(error, 'RevueSouhaitee_unique')) throw new Refusal('SOUHAIT_EXISTANT');
    throw error;
  }
}
