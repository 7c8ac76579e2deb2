import { parseIssn } from '#shared/issn';
import type { Numero } from '#shared/numeros';
import { champRefusal } from '#shared/refusals';
import {
  RevueSouhaiteeAchat,
  RevueSouhaiteeSaisie,
  revueSouhaiteeKeys,
} from '#shared/souhaits-revues';
import type { Transaction } from '#server/plumbing/database/transaction';
import { enteredFields, enteredIssn } from '#server/plumbing/common/entry';
import { ajouterNumero } from '#server/subjects/revues/domain/numeros';
import { findOrCreateRevue } from '#server/subjects/revues/domain/revues';
import { revueSouhaiteeTable } from '../store/tables.ts';
import { PersonalList } from './personal-list.ts';

/** The wished periodicals; one issue, « no number » being one, is on a list once. */
export const revueSouhaiteeList = new PersonalList({
  table: revueSouhaiteeTable,
  unique: [
    'RevueSouhaitee.utilisateur',
    'RevueSouhaitee.cleOeuvre',
    'RevueSouhaitee.numeroNormalise',
  ],
  readEntry: (saisie: RevueSouhaiteeSaisie) => {
    const fields = enteredFields(RevueSouhaiteeSaisie, saisie);
    return { ...fields, ...revueSouhaiteeKeys(fields), issn: enteredIssn(fields.issn) };
  },
});

/**
 * Makes a wish an issue of its periodical, found or created, and takes it off the list, in one
 * transaction (docs/rules.md § 29). The wish gives the number where the payload leaves it out.
 * Throws `NUMERO_EXISTANT`, which leaves the wish.
 */
export function acheterRevueSouhaitee(
  database: Transaction,
  { id, utilisateur }: { id: number; utilisateur: string },
  achat: RevueSouhaiteeAchat,
): Numero {
  const { titre, issn, ...souhait } = revueSouhaiteeList.get(database, utilisateur, id);
  const given = enteredFields(RevueSouhaiteeAchat, achat);
  const numero = given.numero ?? souhait.numero;
  if (numero === null) throw champRefusal('numero', 'est nécessaire');
  // Older rules have let wishes in with a text that is no ISSN.
  const revue = { titre, issn: issn === null ? null : parseIssn(issn) };
  const { id: revueId } = findOrCreateRevue(database, revue).revue;
  const bought = ajouterNumero(database, revueId, { ...given, numero });
  revueSouhaiteeList.remove(database, utilisateur, id);
  return bought;
}
