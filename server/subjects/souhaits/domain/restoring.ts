import {
  revueSouhaiteeKey,
  revueSouhaiteeKeys,
  type RevueSouhaitee,
} from '#shared/souhaits-revues';
import type { Restoring } from '#server/plumbing/records/kind';
import { revueSouhaiteeTable } from '../store/tables.ts';
import { revueSouhaiteeList } from './revues.ts';

/** Wishes come back behind those of the list, in their former order. */
export const revueSouhaiteeRestoring: Restoring<RevueSouhaitee> = {
  add(database, revues, { utilisateur }) {
    if (utilisateur === null) return [];
    const known = new Set(revueSouhaiteeList.all(database, utilisateur).map(revueSouhaiteeKey));
    return revues
      .toSorted((a, b) => a.rang - b.rang)
      .filter((revue) => !known.has(revueSouhaiteeKey(revue)))
      .map(({ titre, numero, issn, dateAjout }) => {
        const fields = { titre, numero, issn, dateAjout, ...revueSouhaiteeKeys({ titre, numero }) };
        return { id: revueSouhaiteeTable.insert(database, utilisateur, fields) };
      });
  },
  remove(database, id, utilisateur) {
    revueSouhaiteeList.remove(database, utilisateur ?? '', id);
  },
  fields: ['titre', 'numero', 'issn'],
};
