import type { NomInverse } from '#shared/importations';
import { commonSecondWords, givenNamesOf, invertNom, isDoubtful } from '#shared/nom-inverse';
import { cleRegroupement, compareText } from '#shared/text';
import { auteurRecordByKey, listAuteurRecords } from '#server/auteurs/store/auteurs';
import type { Database } from '#server/database/database';
import type { ImportationRecord } from '../store/importations.ts';
import { readLignes } from './content.ts';
import { requireRecord } from './records.ts';

/**
 * The doubtful names of a dry run of Babelio's « Nom Prénom », and how each would be turned. A name that
 * an author of the household has in another order is that author's, and is not asked. Throws `INTROUVABLE`.
 */
export function listerNomsInverses(
  database: Database,
  id: number,
  utilisateur: string | null,
): NomInverse[] {
  const record = requireRecord(database, id, utilisateur);
  if (record.etat !== 'essai') return [];
  const noms = nomsOf(database, record);
  const turn = turnerOfNoms(database, noms);
  return noms
    .filter((nom) => isDoubtful(nom) && !isKnown(database, nom))
    .map((nom) => ({ nom, inverse: turn(nom) }))
    .sort((a, b) => compareText(a.nom, b.nom));
}

/** Turns names of an import by the given names of the household's authors and of the file's own. */
export const turnerOf = (
  database: Database,
  record: Pick<ImportationRecord, 'id' | 'format'>,
): ((nom: string) => string) => turnerOfNoms(database, nomsOf(database, record));

function turnerOfNoms(database: Database, noms: readonly string[]): (nom: string) => string {
  const givenNames = givenNamesOf([
    ...listAuteurRecords(database).map(({ nom }) => nom),
    ...noms.filter((nom) => !isDoubtful(nom)),
  ]);
  for (const name of commonSecondWords(noms.filter(isDoubtful))) givenNames.add(name);
  return (nom) => invertNom(nom, givenNames);
}

const isKnown = (database: Database, nom: string): boolean =>
  auteurRecordByKey(database, cleRegroupement(nom)) !== undefined;

function nomsOf(
  database: Database,
  { id, format }: Pick<ImportationRecord, 'id' | 'format'>,
): string[] {
  if (format !== 'babelio') return [];
  const noms = new Set<string>();
  for (const lignes of readLignes(database, id))
    for (const { read } of lignes) for (const nom of read.row.auteurs) noms.add(nom);
  return [...noms];
}
