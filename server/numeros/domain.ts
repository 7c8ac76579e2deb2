import type { NumeroSaisi } from '#shared/numeros';
import { Refusal } from '#shared/refusals';
import type { Base } from '#server/database/base';
import { estViolation } from '#server/database/violations';
import { revueExiste } from '#server/revues/store';
import { lireSaisie, type Saisie } from './saisie.ts';
import * as themes from './store-themes.ts';
import * as store from './store.ts';

/** Adds an issue to a periodical, which has each number once, and returns its id. */
export function ajouter(base: Base, revueId: number, saisie: NumeroSaisi): number {
  return base.write(() => {
    if (!revueExiste(base, revueId)) throw new Refusal('INTROUVABLE');
    const lue = lireSaisie(saisie);
    const id = uneFois(base, revueId, lue, () => store.insererNumero(base, revueId, lue.numero));
    ecrireListes(base, id, lue);
    return id;
  });
}

/** Rewrites a whole issue. */
export function modifier(base: Base, id: number, saisie: NumeroSaisi): void {
  base.write(() => {
    const revueId = store.revueDuNumero(base, id);
    if (revueId === undefined) throw new Refusal('INTROUVABLE');
    const lue = lireSaisie(saisie);
    uneFois(base, revueId, lue, () => store.reecrireNumero(base, id, lue.numero));
    ecrireListes(base, id, lue);
    themes.retirerThemesSansNumero(base);
  });
}

/** Takes an issue away, and the themes that only it had. */
export function supprimer(base: Base, id: number): void {
  base.write(() => {
    if (!store.effacerNumero(base, id)) throw new Refusal('INTROUVABLE');
    themes.retirerThemesSansNumero(base);
  });
}

function ecrireListes(base: Base, id: number, saisie: Saisie): void {
  const ids = saisie.themes.map((nom) => themes.themeNomme(base, nom));
  themes.ecrireThemes(base, id, [...new Set(ids)]);
  store.ecrireArticles(base, id, saisie.articles);
}

function uneFois<T>(base: Base, revueId: number, { numero }: Saisie, ecrire: () => T): T {
  try {
    return ecrire();
  } catch (error) {
    const autre = store.numeroDeCle(base, revueId, numero.numeroNormalise);
    if (!estViolation(error, 'Numero_unique') || autre === undefined) throw error;
    throw new Refusal('NUMERO_EXISTANT', { numero: autre });
  }
}
