import { countLivres } from '#shared/change-reader';
import type { Fiche } from '#shared/modifications';
import { formatNumero } from '#shared/numeros';
import { formatCount } from '#shared/text';

/** An act that is taken back: its sentence as `ModificationWords` has it, and what it touched. */
interface UndoneAct {
  readonly undone: string;
  readonly fiches: readonly Fiche[];
}

/** Where the name stands in an act's sentence, and of which kind of record. */
const NAME = / \{([^}]*)\}/;

/** « L’ajout de « Dune » est annulé. » */
export const undoneSentence = ({ undone, fiches }: UndoneAct): string =>
  `${undone.replace(NAME, (_, collection: string) => nameOf(fiches, collection))}.`;

/** « L’ajout ne peut plus être annulé » */
export const refusedSentence = ({ undone }: Pick<UndoneAct, 'undone'>): string =>
  undone.replace(NAME, '').replace(' est annulé', ' ne peut plus être annulé');

/** « de « Dune » », « de 12 livres »; '' where the records have no one name. */
function nameOf(fiches: readonly Fiche[], collection: string): string {
  const kind = collection || fiches[0]?.collection;
  const alike = fiches.filter((fiche) => fiche.collection === kind);
  // What was in a deleted record may have gone into another of its kind, and is told before it.
  const deleted = alike.filter(({ supprimee }) => supprimee);
  const [first, ...others] = deleted.length > 0 ? deleted : alike;
  if (first === undefined) return '';
  if (others.length > 0) return kind === 'livres' ? ` de ${countLivres(1 + others.length)}` : '';
  if (first.titre === '') return '';
  const isNumbered = kind === 'numeros' && /^\d/.test(first.titre);
  return isNumbered ? ` du ${formatNumero(first.titre)}` : ` de « ${first.titre} »`;
}

/**
 * What an undoing is called, of the act that it takes back and so many others: « L’ajout de « Dune » est annulé, avec
 * 2 autres actions. »
 */
export function undoingSentence(
  act: UndoneAct & { readonly annuleId: number | null; readonly resume: string },
  others: number,
): string {
  const sentence =
    act.annuleId === null || act.resume === '' ? undoneSentence(act) : redoneSentence(act.resume);
  if (others === 0) return sentence;
  const counted = others > 1 ? `${formatCount(others)} autres actions` : 'une autre action';
  return `${sentence.slice(0, -1)}, avec ${counted}.`;
}

/** The sentence of the undoing of an undoing, from that one's: « L’ajout de « Dune » est rétabli. » */
export const redoneSentence = (undone: string): string =>
  undone
    .replace(
      / est (annulé|rétabli)(e?)(?:, avec .*)?\.$/,
      (_, verb: string, ending: string) =>
        ` est ${verb === 'annulé' ? 'rétabli' : 'annulé'}${ending}.`,
    )
    // As acts were told before.
    .replace(/^(Annulé|Rétabli) : /, (_, verb: string) =>
      verb === 'Annulé' ? 'Rétabli : ' : 'Annulé : ',
    );
