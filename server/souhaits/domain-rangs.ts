import { Refusal } from '#shared/refusals';
import type { Base } from '#server/database/base';
import { estUnOrdreDe } from '#server/ordre';
import { ecrireRangs, effacer, idsParRang, type Liste } from './store-rangs.ts';

/** Puts a list in a new order, which must be exactly that list; else nothing changes. */
export function ordonner(
  base: Base,
  liste: Liste,
  utilisateur: string,
  ids: readonly number[],
): void {
  base.write(() => {
    if (!estUnOrdreDe(idsParRang(base, liste, utilisateur), ids))
      throw new Refusal('LISTE_PERIMEE');
    ecrireRangs(base, liste, utilisateur, ids);
  });
}

/** Takes a wish off its list; those behind it move up. */
export function retirer(base: Base, liste: Liste, utilisateur: string, id: number): void {
  base.write(() => {
    if (!effacer(base, liste, utilisateur, id)) throw new Refusal('INTROUVABLE');
    ecrireRangs(base, liste, utilisateur, idsParRang(base, liste, utilisateur));
  });
}
