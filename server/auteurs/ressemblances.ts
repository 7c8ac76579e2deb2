import { cleRegroupement, normaliser } from '#shared/text';
import type { AuteurNomme } from './initiales.ts';

/** The letters that a key must have before one letter of difference means anything. */
const LETTRES_MINIMUM = 8;

const LETTRE = /\p{L}/u;

/** How two keys differ by one letter. */
export type Ecart = 'lettre' | 'inversion';

interface Couple<A> {
  readonly auteurs: readonly [A, A];
  readonly ecart: Ecart;
}

/** An author with its grouping key, composed, so that a Korean syllable is one letter. */
interface Entree<A> {
  readonly auteur: A;
  readonly cle: readonly string[];
}

/**
 * The pairs of keys of eight letters or more that differ by one letter: put in, left out, changed,
 * or two neighbours swapped (contract.md « Suggestions besides »). Two such keys have a text in
 * common once a letter of each is left out, so only those that share one are compared.
 */
export function aUneLettrePres<A extends AuteurNomme>(auteurs: Iterable<A>): Couple<A>[] {
  const voisins = new Map<string, Entree<A>[]>();
  for (const auteur of auteurs) {
    const cle = Array.from(cleRegroupement(auteur.nom).normalize('NFC'));
    if (cle.filter((signe) => LETTRE.test(signe)).length < LETTRES_MINIMUM) continue;
    const entree = { auteur, cle };
    for (const reduite of voisinage(cle)) {
      const groupe = voisins.get(reduite);
      if (groupe) groupe.push(entree);
      else voisins.set(reduite, [entree]);
    }
  }
  const couples = new Map<string, Couple<A>>();
  for (const groupe of voisins.values()) {
    for (const [rang, un] of groupe.entries()) {
      for (const autre of groupe.slice(rang + 1)) {
        const ecart = ecartDUneLettre(un.cle, autre.cle);
        if (ecart === null) continue;
        const auteurs = [un.auteur, autre.auteur] as const;
        couples.set(auteurs.map(({ id }) => id).join(' '), { auteurs, ecart });
      }
    }
  }
  return [...couples.values()];
}

/** A key, and all that remains of it when one letter is left out. */
function voisinage(cle: readonly string[]): Set<string> {
  const reduites = new Set([cle.join('')]);
  for (const [rang, signe] of cle.entries()) {
    if (LETTRE.test(signe)) reduites.add(cle.toSpliced(rang, 1).join(''));
  }
  return reduites;
}

/** A blank or a digit is no letter: words stay as many, « Jean 22 » is not « Jean 23 ». */
function ecartDUneLettre(a: readonly string[], b: readonly string[]): Ecart | null {
  if (a.length > b.length) return ecartDUneLettre(b, a);
  const rang = a.findIndex((signe, place) => signe !== b[place]);
  const debut = rang === -1 ? a.length : rang;
  const [x = '', suivantX = ''] = a.slice(debut, debut + 2);
  const [y = '', suivantY = ''] = b.slice(debut, debut + 2);
  if (a.length < b.length)
    return LETTRE.test(y) && memeFin(a, debut, b, debut + 1) ? 'lettre' : null;
  if (!LETTRE.test(x) || !LETTRE.test(y)) return null;
  if (memeFin(a, debut + 1, b, debut + 1)) return 'lettre';
  const inverses = x === suivantY && y === suivantX;
  return inverses && memeFin(a, debut + 2, b, debut + 2) ? 'inversion' : null;
}

function memeFin(a: readonly string[], deA: number, b: readonly string[], deB: number): boolean {
  if (a.length - deA !== b.length - deB) return false;
  for (let i = deA; i < a.length; i++) if (a[i] !== b[i - deA + deB]) return false;
  return true;
}

/**
 * The pairs where one name has all the words of the other and one more, with that word: the
 * shorter name first. Found by leaving each word of a key out in turn.
 */
export function aUnMotPres<A extends AuteurNomme>(
  auteurs: readonly A[],
): { court: A; long: A; mot: string }[] {
  const entrees = auteurs
    .filter(({ nom }) => normaliser(nom) !== '')
    .map((auteur) => ({ auteur, cle: cleRegroupement(auteur.nom) }));
  const parCle = new Map(entrees.map(({ auteur, cle }) => [cle, auteur]));
  return entrees.flatMap(({ auteur: long, cle }) => {
    const mots = cle.split(' ');
    return [...new Set(mots)].flatMap((mot) => {
      const court = parCle.get(mots.toSpliced(mots.indexOf(mot), 1).join(' '));
      return court === undefined ? [] : [{ court, long, mot }];
    });
  });
}
