import type { NomInverse, OrdreDesNoms, OrdreNoms } from '#shared/importations';
import { givenNamesOf, wordsOf } from '#shared/nom-inverse';
import { normaliser } from '#shared/text';
import { listAuteurRecords } from '#server/subjects/auteurs/store/auteurs';
import type { Reader } from '#server/plumbing/database/reader';
import { readLignes } from './content.ts';
import { requireRecord } from './records.ts';

/** How many names show what either order would make of them. */
const EXEMPLES = 3;

/**
 * In which order the file of a dry run seems to have the names of its authors (docs/rules.md § 35), with a
 * few of them as it has them and turned. Throws `INTROUVABLE`.
 */
export function lireOrdreDesNoms(
  database: Reader,
  id: number,
  utilisateur: string | null,
): OrdreDesNoms {
  const { etat } = requireRecord(database, id, utilisateur);
  const noms = etat === 'essai' ? turnedNoms(database, id) : [];
  const givenNames = givenNamesOf(listAuteurRecords(database).map(({ nom }) => nom));
  return { ordre: likelyOrder(noms, givenNames), exemples: noms.slice(0, EXEMPLES) };
}

/** The names that the order decides about, each once, in the order of the file. */
function turnedNoms(database: Reader, id: number): NomInverse[] {
  const turned = new Map<string, string>();
  for (const lignes of readLignes(database, id))
    for (const { read } of lignes)
      for (const [index, nom] of (read.auteursEcrits ?? []).entries()) {
        const inverse = read.row.auteurs[index] ?? nom;
        if (inverse !== nom) turned.set(nom, inverse);
      }
  return [...turned].map(([nom, inverse]) => ({ nom, inverse }));
}

/** Given names repeat from author to author, and those of the household's authors are known. */
function likelyOrder(noms: readonly NomInverse[], givenNames: ReadonlySet<string>): OrdreNoms {
  const likeliness = (firstWords: readonly string[]): number =>
    firstWords.length -
    new Set(firstWords).size +
    firstWords.filter((word) => givenNames.has(word)).length;
  const [asWritten, turned] = (['nom', 'inverse'] as const).map((key) =>
    likeliness(noms.map((each) => normaliser(wordsOf(each[key])[0] ?? ''))),
  );
  return (asWritten ?? 0) > (turned ?? 0) ? 'prenomNom' : 'nomPrenom';
}
