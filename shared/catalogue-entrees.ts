import type { LivreDocument } from './livres.ts';
import { comparerTextes, normaliser } from './text.ts';

/** A book as the catalogue holds it. */
export interface Entree {
  readonly livre: LivreDocument;
  /** The normalised title and author names, a line each: no word of a query spans two. */
  readonly texte: string;
}

/** The entry of a book; `noms` remembers the normalised names of the books at hand. */
export function creerEntree(livre: LivreDocument, noms: Map<string, string>): Entree {
  const lignes = [livre.titreNormalise];
  for (const { nom } of livre.auteurs) {
    let normalise = noms.get(nom);
    if (normalise === undefined) noms.set(nom, (normalise = normaliser(nom)));
    lignes.push(normalise);
  }
  return { livre, texte: lignes.join('\n') };
}

/** The catalogue's one order: by normalised title, then id. */
export function parTitre(a: Entree, b: Entree): number {
  return comparerTextes(a.livre.titreNormalise, b.livre.titreNormalise) || a.livre.id - b.livre.id;
}

/** The place of an entry in a list in title order: where it is, or where it belongs. */
export function rang(liste: readonly Entree[], entree: Entree): number {
  let debut = 0;
  let fin = liste.length;
  while (debut < fin) {
    const milieu = (debut + fin) >>> 1;
    const autre = liste[milieu];
    if (autre !== undefined && parTitre(autre, entree) < 0) debut = milieu + 1;
    else fin = milieu;
  }
  return debut;
}

/** Puts one entry in another's place in a list in title order; either may be missing. */
export function remplacer(
  liste: Entree[],
  ancienne: Entree | undefined,
  nouvelle: Entree | undefined,
): void {
  const place = ancienne === undefined ? -1 : rang(liste, ancienne);
  const presente = ancienne !== undefined && liste[place] === ancienne;
  if (presente && nouvelle !== undefined && parTitre(ancienne, nouvelle) === 0) {
    liste[place] = nouvelle;
    return;
  }
  if (presente) liste.splice(place, 1);
  if (nouvelle !== undefined) liste.splice(rang(liste, nouvelle), 0, nouvelle);
}

/** The entries whose text holds every word, in the order in which they came. */
export function contenant(entrees: readonly Entree[], mots: readonly string[]): Entree[] {
  const [premier = '', ...autres] = mots;
  const trouvees = entrees.filter(({ texte }) => texte.includes(premier));
  return autres.length === 0 ? trouvees : contenant(trouvees, autres);
}

/** Two lists in title order made one; quick where the second is short. */
export function fusionner(a: readonly Entree[], b: readonly Entree[]): readonly Entree[] {
  if (b.length === 0) return a;
  const resultat: Entree[] = [];
  let pris = 0;
  for (const entree of b) {
    const place = rang(a, entree);
    for (const suivante of a.slice(pris, place)) resultat.push(suivante);
    resultat.push(entree);
    pris = place;
  }
  for (const suivante of a.slice(pris)) resultat.push(suivante);
  return resultat;
}
