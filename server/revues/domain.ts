import { Refusal } from '#shared/refusals';
import type { RevueSaisie } from '#shared/revues';
import type { Base } from '#server/database/base';
import { estViolation } from '#server/database/violations';
import { retirerThemesSansNumero } from '#server/numeros/store-themes';
import { issnSaisi } from '#server/saisie';
import * as store from './store.ts';

/**
 * Finds a periodical by its ISSN, else by its title, or makes it. A title found without an ISSN
 * takes the one given; with another ISSN it is another periodical.
 */
export function trouverOuCreer(
  base: Base,
  { titre, ...saisie }: RevueSaisie,
): { id: number; cree: boolean } {
  const issn = issnSaisi(saisie.issn);
  return base.write(() => {
    const connue = issn === null ? undefined : store.revueDIssn(base, issn);
    if (connue) return { id: connue.id, cree: false };
    const trouvee = store
      .revuesDuTitre(base, titre)
      .find((revue) => issn === null || revue.issn === null);
    if (trouvee === undefined) return { id: store.insererRevue(base, { titre, issn }), cree: true };
    if (issn !== null) store.reecrireRevue(base, trouvee.id, { titre: trouvee.titre, issn });
    return { id: trouvee.id, cree: false };
  });
}

/** Rewrites a periodical; an ISSN is one periodical's only. */
export function modifier(base: Base, id: number, { titre, ...saisie }: RevueSaisie): void {
  base.write(() => {
    if (!store.revueExiste(base, id)) throw new Refusal('INTROUVABLE');
    const issn = issnSaisi(saisie.issn);
    try {
      store.reecrireRevue(base, id, { titre, issn });
    } catch (error) {
      const autre = issn === null ? undefined : store.revueDIssn(base, issn);
      if (!estViolation(error, 'Revue_issn_unique') || autre === undefined) throw error;
      throw new Refusal('REVUE_EXISTANTE', { revue: { id: autre.id, titre: autre.titre } });
    }
  });
}

/** Takes a periodical away with its issues, and the themes that only these had. */
export function supprimer(base: Base, id: number): void {
  base.write(() => {
    if (!store.effacerRevue(base, id)) throw new Refusal('INTROUVABLE');
    retirerThemesSansNumero(base);
  });
}
