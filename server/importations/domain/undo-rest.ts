import { createHash } from 'node:crypto';
import { deleteUnused } from '#server/auteurs/store/auteurs';
import { deleteRefus } from '#server/auteurs/store/fusions';
import type { Records } from '#server/records/records';
import { supprimerNumero } from '#server/revues/domain/numeros';
import { supprimerRevue } from '#server/revues/domain/revues';
import { hasNumeros, readNumero } from '#server/revues/store/numeros';
import { readRevue, updateRevue } from '#server/revues/store/revues';
import { revueSouhaiteeList } from '#server/souhaits/domain/revues';
import type { MadeRest } from '../store/importations.ts';

/** A record as a short text, by which a change since is found out; its cover is no change. */
export function digestOf(record: object): string {
  const { couverture: _, ...rest } = { couverture: null, ...record };
  return createHash('sha256').update(JSON.stringify(rest)).digest('base64url');
}

/**
 * Takes back what the export of a household made besides the records of its rows; what was changed
 * since stays, and a periodical with an issue of its own (docs/rules.md § 37).
 */
export function removeRest(
  records: Records,
  { auteurs, refus, revues, issns, numeros, revuesSouhaitees }: MadeRest,
  utilisateur: string | null,
): void {
  const { database } = records;
  const isFree = (table: string, id: number) => !records.isUsedByOthers(table, id, utilisateur);
  for (const [id, digest] of numeros) {
    const numero = readNumero(database, id);
    if (numero !== undefined && digestOf(numero) === digest && isFree('Numero', id))
      supprimerNumero(database, id);
  }
  for (const [id, digest] of revues) {
    const revue = readRevue(database, id);
    if (revue === undefined || digestOf(revue) !== digest || hasNumeros(database, id)) continue;
    if (isFree('Revue', id)) supprimerRevue(database, id);
  }
  for (const [id, issn] of issns) {
    const revue = readRevue(database, id);
    if (revue?.issn === issn) updateRevue(database, id, { titre: revue.titre, issn: null });
  }
  if (utilisateur !== null)
    revueSouhaiteeList.removeAll(
      database,
      utilisateur,
      revueSouhaiteeList
        .all(database, utilisateur)
        .filter(({ id, titre, numero, issn }) =>
          revuesSouhaitees.some(
            ([made, digest]) => made === id && digestOf({ titre, numero, issn }) === digest,
          ),
        )
        .map(({ id }) => id),
    );
  for (const [first, second] of refus) deleteRefus(database, [first, second]);
  deleteUnused(database, auteurs);
}
