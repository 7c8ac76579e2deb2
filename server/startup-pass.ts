import { renormaliserAuteurs } from '#server/auteurs/domain/startup-pass';
import type { Database } from '#server/database/database';
import { renormaliserLivres } from '#server/livres/store/livres';
import { renormaliserNumeros } from '#server/revues/store/numeros';
import { renormaliserRevues } from '#server/revues/store/revues';
import { renormaliserThemes } from '#server/revues/store/themes';
import { renormaliserRevuesSouhaitees, renormaliserSouhaits } from '#server/souhaits/store/tables';

/** The steps of the pass, in this order. */
const steps = [
  renormaliserLivres,
  renormaliserAuteurs,
  renormaliserRevues,
  renormaliserNumeros,
  renormaliserThemes,
  renormaliserSouhaits,
  renormaliserRevuesSouhaitees,
];

/**
 * Brings records written by older rules up to the present ones at every start, in one transaction.
 * Records in order are not written, and none that cannot have its canonical form stops the start
 * (docs/rules.md § 30).
 */
export function renormaliser(database: Database): void {
  database.write(() => {
    for (const step of steps) step(database);
  });
}
