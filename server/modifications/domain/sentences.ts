import { countLivres } from '#shared/change-reader';
import type { Fiche } from '#shared/modifications';
import { formatNumero } from '#shared/numeros';

/** What an act is called where it is taken back, the first that fits. */
const NOUNS: readonly (readonly [operation: RegExp, noun: string, ending: '' | 'e'])[] = [
  [/^(?:ajouter|souhaiter)/, 'L’ajout', ''],
  [/^supprimer/, 'La suppression', 'e'],
  [/^preter$/, 'Le prêt', ''],
  [/^rendre$/, 'Le retour', ''],
  [/^modifierStatut$/, 'Le changement de statut', ''],
  [/^modifierPret$/, 'La correction du prêt', 'e'],
  [/^placer/, 'Le changement de série', ''],
  [/^ranger/, 'Le changement d’emplacement', ''],
  [/^ordonner/, 'Le rangement', ''],
  [/^fusionner/, 'La réunion', 'e'],
  [/^refuserFusion$/, 'La séparation', 'e'],
  [/Couverture$/, 'Le changement de couverture', ''],
  [/^accepterComplements$/, 'Le complément', ''],
  [/^annuler/, 'L’annulation', 'e'],
];

function nounOf(operation: string): { readonly noun: string; readonly ending: '' | 'e' } {
  const [, noun, ending] = NOUNS.find(([pattern]) => pattern.test(operation)) ?? [
    null,
    'La modification',
    'e' as const,
  ];
  return { noun, ending };
}

/** Operations on several records of one kind, none of which names them. */
const NAMELESS =
  /^(?:ordonnerSouhaits|ordonnerEmplacements|ordonnerRevues|fusionner|refuserFusion|annuler)/;

/** « de « Dune » », « de 12 livres »; '' where the act has no one name. */
function nameOf({ operation, fiches: all }: ToldAct): string {
  // What was in a deleted record may have gone elsewhere, and is told before it.
  const fiches = operation.startsWith('supprimer') ? all.filter(({ supprimee }) => supprimee) : all;
  // An issue may have come with its periodical, which is told before it.
  const isNumero = operation.endsWith('Numero');
  const first = fiches.find(({ collection }) => !isNumero || collection === 'numeros');
  if (first === undefined || NAMELESS.test(operation)) return '';
  const alike = fiches.filter(({ collection }) => collection === first.collection);
  if (alike.length > 1)
    return first.collection === 'livres' ? ` de ${countLivres(alike.length)}` : '';
  if (first.titre === '') return '';
  const isNumbered = first.collection === 'numeros' && /^\d/.test(first.titre);
  return isNumbered ? ` du ${formatNumero(first.titre)}` : ` de « ${first.titre} »`;
}

interface ToldAct {
  readonly operation: string;
  readonly fiches: readonly Fiche[];
}

/** « L’ajout de « Dune » est annulé. » */
export function undoneSentence(act: ToldAct): string {
  const { noun, ending } = nounOf(act.operation);
  return `${noun}${nameOf(act)} est annulé${ending}.`;
}

/** The sentence of the undoing of an undoing, from that one's: « L’ajout de « Dune » est rétabli. » */
export const redoneSentence = (undone: string): string =>
  undone
    .replace(
      / est (annulé|rétabli)(e?)\.$/,
      (_, verb: string, ending: string) =>
        ` est ${verb === 'annulé' ? 'rétabli' : 'annulé'}${ending}.`,
    )
    // As acts were told before.
    .replace(/^(Annulé|Rétabli) : /, (_, verb: string) =>
      verb === 'Annulé' ? 'Rétabli : ' : 'Annulé : ',
    );

/** « L’ajout ne peut plus être annulé » */
export function refusedSentence({ operation }: Pick<ToldAct, 'operation'>): string {
  const { noun, ending } = nounOf(operation);
  return `${noun} ne peut plus être annulé${ending}`;
}
