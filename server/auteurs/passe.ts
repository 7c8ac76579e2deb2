import { cleRegroupement, normaliser } from '#shared/text';
import type { Base } from '#server/database/base';
import { appliquer, refusConnus } from './domain.ts';
import { regrouper } from './regroupement.ts';
import * as store from './store.ts';

/**
 * The authors' part of the start-up pass: what the rules of normalisation and merging make of the
 * records as they are. Writes nothing where they have kept them (specification « Author merge »).
 */
export function renormaliserAuteurs(base: Base): void {
  store.retirerTousSansLivre(base);
  appliquer(base, regrouper(store.auteursConnus(base), refusConnus(base)));
  renormaliserCles(base);
}

/**
 * A key that another record has is left to it: two people with one key, whom a refusal keeps
 * apart, must not stop the start. A key that moves may make room for the next.
 */
function renormaliserCles(base: Base): void {
  const auteurs = store.auteursConnus(base).map(({ id, nom }) => ({
    id,
    nomNormalise: normaliser(nom),
    cleRegroupement: cleRegroupement(nom),
  }));
  for (const auteur of auteurs) store.ecrireNomNormalise(base, auteur);
  let bouge: boolean;
  do {
    bouge = false;
    for (const auteur of auteurs) bouge = store.prendreCle(base, auteur) || bouge;
  } while (bouge);
}
