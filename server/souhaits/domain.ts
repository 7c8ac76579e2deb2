import { Refusal } from '#shared/refusals';
import type { Souhait, SouhaitSaisi } from '#shared/souhaits';
import type { Base } from '#server/database/base';
import { estViolation } from '#server/database/violations';
import { lireSaisie } from './saisie.ts';
import { insererSouhait, lireSouhait, reecrireSouhait } from './store.ts';

/**
 * Puts a book at the end of someone's list. That a work of an author is there once is the schema's
 * own rule (specification « Book wish »).
 */
export function ajouter(base: Base, utilisateur: string, saisie: SouhaitSaisi): Souhait {
  const souhait = lireSaisie(saisie);
  return base.write(() => {
    const date = new Date().toISOString();
    const id = uneFois(() => insererSouhait(base, utilisateur, souhait, date));
    return lire(base, utilisateur, id);
  });
}

/** Rewrites a wish; its rank stays, and its cover where none is given. Another's does not exist. */
export function modifier(
  base: Base,
  utilisateur: string,
  id: number,
  saisie: SouhaitSaisi,
): Souhait {
  return base.write(() => {
    lire(base, utilisateur, id);
    const souhait = lireSaisie(saisie);
    uneFois(() => reecrireSouhait(base, utilisateur, id, souhait));
    return lire(base, utilisateur, id);
  });
}

function lire(base: Base, utilisateur: string, id: number): Souhait {
  const souhait = lireSouhait(base, utilisateur, id);
  if (souhait === undefined) throw new Refusal('INTROUVABLE');
  return souhait;
}

function uneFois<T>(ecrire: () => T): T {
  try {
    return ecrire();
  } catch (error) {
    if (estViolation(error, 'Souhait_unique')) throw new Refusal('SOUHAIT_EXISTANT');
    throw error;
  }
}
