import { renormaliserAuteurs } from '#server/auteurs/passe';
import type { Base } from '#server/database/base';
import { renormaliserLivres } from '#server/livres/store';
import { renormaliserThemes } from '#server/numeros/store-themes';
import { renormaliserNumeros } from '#server/numeros/store';
import { renormaliserRevues } from '#server/revues/store';
import { renormaliserRevuesSouhaitees } from '#server/souhaits-revues/store';
import { renormaliserSouhaits } from '#server/souhaits/store';

/** What is looked at again at each start, in this order. */
const etapes = [
  renormaliserLivres,
  renormaliserAuteurs,
  renormaliserRevues,
  renormaliserNumeros,
  renormaliserThemes,
  renormaliserSouhaits,
  renormaliserRevuesSouhaitees,
];

/**
 * The start-up pass: the net under the rules of entry, for the day these change (specification
 * « Author merge », rule 2). One transaction; what is in order is not written, and no record that
 * cannot have its canonical form stops the start.
 */
export function renormaliser(base: Base): void {
  base.write(() => {
    for (const etape of etapes) etape(base);
  });
}
