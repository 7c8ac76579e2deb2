import type { NomInverse } from '#shared/importations';
import { commonSecondWords, givenNamesOf, invertNom, isDoubtful } from '#shared/nom-inverse';
import { cleRegroupement, compareText } from '#shared/text';
import { auteurRecordByKey, listAuteurRecords } from '#server/subjects/auteurs/store/auteurs';
import type { Reader } from '#server/plumbing/database/reader';
import type { ImportationRecord } from '../store/importations.ts';
import { readLignes } from './content.ts';
import { requireRecord } from './records.ts';

/**
 * The doubtful names of a dry run of Babelio's « Nom Prénom », and how each would be turned. A name that
 * an author of the household has in another order is that author's, one that the catalogues write stands as
 * they write it: neither is asked. Throws `INTROUVABLE`.
 */
export function listerNomsInverses(
  database: Reader,
  id: number,
  utilisateur: string | null,
): NomInverse[] {
  const record = requireRecord(database, id, utilisateur);
  if (record.etat !== 'essai') return [];
  const noms = nomsOf(database, record);
  const turn = turnerOfNoms(database, noms);
  const settled = settledNoms(record);
  return noms
    .filter((nom) => isDoubtful(nom) && !isKnown(database, nom) && !settled.has(nom))
    .map((nom) => ({ nom, inverse: turn(nom) }))
    .sort((a, b) => compareText(a.nom, b.nom));
}

/** The names that the catalogues write in reading order, by the names as the file has them. */
export const settledNoms = ({
  counts,
}: Pick<ImportationRecord, 'counts'>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(counts.nomsDesCatalogues ?? {}).flatMap(([nom, written]) =>
      written === null ? [] : [[nom, written] as const],
    ),
  );

/** The doubtful names that the catalogues were not asked about yet, with the ISBNs of their books. */
export function unansweredNoms(
  database: Reader,
  { id, format, counts }: ImportationRecord,
): ReadonlyMap<string, readonly string[]> {
  const isbns = new Map<string, string[]>();
  if (format !== 'babelio') return isbns;
  const answered = new Set(Object.keys(counts.nomsDesCatalogues ?? {}));
  for (const lignes of readLignes(database, id))
    for (const { read } of lignes)
      for (const nom of read.row.auteurs) {
        const { isbn } = read.row;
        if (isbn === null || answered.has(nom) || !isDoubtful(nom)) continue;
        const known = isbns.get(nom);
        if (known) known.push(isbn);
        else if (!isKnown(database, nom)) isbns.set(nom, [isbn]);
      }
  return isbns;
}

/** Turns names of an import as the catalogues write them, else by the given names that are known. */
export function turnerOf(
  database: Reader,
  record: Pick<ImportationRecord, 'id' | 'format' | 'counts'>,
): (nom: string) => string {
  const settled = settledNoms(record);
  const turn = turnerOfNoms(database, nomsOf(database, record));
  return (nom) => settled.get(nom) ?? turn(nom);
}

function turnerOfNoms(database: Reader, noms: readonly string[]): (nom: string) => string {
  const givenNames = givenNamesOf([
    ...listAuteurRecords(database).map(({ nom }) => nom),
    ...noms.filter((nom) => !isDoubtful(nom)),
  ]);
  for (const name of commonSecondWords(noms.filter(isDoubtful))) givenNames.add(name);
  return (nom) => invertNom(nom, givenNames);
}

const isKnown = (database: Reader, nom: string): boolean =>
  auteurRecordByKey(database, cleRegroupement(nom)) !== undefined;

function nomsOf(
  database: Reader,
  { id, format }: Pick<ImportationRecord, 'id' | 'format'>,
): string[] {
  if (format !== 'babelio') return [];
  const noms = new Set<string>();
  for (const lignes of readLignes(database, id))
    for (const { read } of lignes) for (const nom of read.row.auteurs) noms.add(nom);
  return [...noms];
}
