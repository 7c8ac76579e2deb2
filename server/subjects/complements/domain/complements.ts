import type { Complement, Complements } from '#shared/complements';
import { MAX_COMPLEMENTS } from '#shared/complements';
import type { Candidat } from '#shared/recherche';
import { cleOeuvre } from '#shared/text';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { parseKept } from '#server/plumbing/database/kept-json';
import { modifierChamps } from '#server/subjects/livres/domain/livres';
import * as store from '../store.ts';
import type { Answer, AskedLivre, AnswerRow } from '../store.ts';

/** What the catalogues have found, and how many books they are still to be asked about. */
export function listerComplements(database: Reader): Complements {
  return database.read(() => {
    const { answers, asked, silent } = store.countComplements(database);
    return {
      enRecherche: asked,
      sansReponse: silent,
      total: answers,
      complements: store.listAnswers(database, null, MAX_COMPLEMENTS).map(toComplement),
    };
  });
}

/**
 * Gives books what was found for them, where they still have nothing themselves: those named, or all
 * whose title the catalogues agree with. Returns how many were completed (docs/rules.md § 44).
 */
export function accepterComplements(
  database: Transaction,
  livreIds: readonly number[] | null,
): number {
  const answers = store
    .listAnswers(database, livreIds, -1)
    .filter(({ titre }) => livreIds !== null || titre === null);
  for (const { livreId, editeur, annee, nombrePages } of answers)
    modifierChamps(database, livreId, {
      ...(editeur !== null && { editeur }),
      ...(annee !== null && { annee }),
      ...(nombrePages !== null && { nombrePages }),
    });
  store.dismiss(
    database,
    answers.map(({ livreId }) => livreId),
  );
  return answers.length;
}

/**
 * What candidates add to a book: for each field that it lacks, the first value of the candidates of the
 * same work. Where none is of the same work, the first candidate is taken alone, with its title. `null`
 * where they add nothing.
 */
export function findAnswer(livre: AskedLivre, candidats: readonly Candidat[]): Answer | null {
  const same = candidats.filter(({ titre }) => isSameWork(titre, livre.titre));
  const told = same.length > 0 ? same : candidats.slice(0, 1);
  const first = <K extends 'editeur' | 'annee' | 'nombrePages'>(field: K): Candidat[K] | null =>
    livre[field] === null
      ? (told.find((candidat) => candidat[field] !== null)?.[field] ?? null)
      : null;
  const [editeur, annee, nombrePages] = [first('editeur'), first('annee'), first('nombrePages')];
  if (editeur === null && annee === null && nombrePages === null) return null;
  const titre = same.length > 0 ? null : (told[0]?.titre ?? null);
  return { titre, editeur, annee, nombrePages };
}

/** Whether two titles are of one work, or one only adds words to the other: « Dune », « Dune, tome 1 ». */
function isSameWork(a: string, b: string): boolean {
  const [one, other] = [cleOeuvre(a), cleOeuvre(b)];
  return `${one} `.startsWith(`${other} `) || `${other} `.startsWith(`${one} `);
}

const toComplement = ({ livreTitre, titre, auteurs, ...answer }: AnswerRow): Complement => ({
  ...answer,
  titre: livreTitre,
  titreCatalogue: titre,
  auteurs: parseKept<string[]>(auteurs),
});
