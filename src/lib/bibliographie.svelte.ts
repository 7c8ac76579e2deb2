import type { AuteurCite } from '#shared/auteurs';
import { lireBibliographie, type Bibliographie, type Oeuvre } from '#shared/bibliographie';
import type { LivreDocument } from '#shared/livres';
import { cleOeuvre } from '#shared/text';
import { call } from './api/call.ts';
import { instantane } from './instantanes.svelte.ts';
import { bibliotheque } from './livres.svelte.ts';
import { courante } from './replica/courante.ts';
import type { Instantane } from './replica/locaux.ts';

/** How long a list counts as fresh, in milliseconds: an author publishes by the year. */
const FRAICHEUR = 86_400_000;

/** Four pages of the source, each with the patience that the server has with it, and some more. */
const DELAI = 60_000;

/** A work and the household's book of it, as this device knows it at this moment. */
export interface OeuvreComparee extends Oeuvre {
  readonly livre: LivreDocument | null;
}

/** The last list of an author's works that this device keeps, with its date; reactive. */
export const derniereBibliographie = (auteurId: number): Instantane<Bibliographie> | null =>
  instantane(`bibliographie:${auteurId}`);

/** True for a list that need not be asked for again by itself: of today, and under this name. */
export const estFraiche = ({ valeur, date }: Instantane<Bibliographie>, nom: string): boolean =>
  valeur.auteur === nom && Date.now() - date.getTime() < FRAICHEUR;

/** Asks the national library, and keeps its list. Throws the refusal `SOURCE_INJOIGNABLE`. */
export async function demanderBibliographie({ id, nom }: AuteurCite): Promise<void> {
  const liste = await call(lireBibliographie, { query: { auteur: nom }, delai: DELAI });
  await courante.garder(`bibliographie:${id}`, liste);
}

/**
 * Says of each work whether the household has it: by its key alone, as the server does, and by the
 * books of this moment, since a kept list knows those of its day.
 */
export function comparer(oeuvres: readonly Oeuvre[]): readonly OeuvreComparee[] {
  const livres = livresDesCles(new Set(oeuvres.map((oeuvre) => oeuvre.cleOeuvre)));
  return oeuvres.map((oeuvre) => ({ ...oeuvre, livre: livres.get(oeuvre.cleOeuvre) ?? null }));
}

/** The first book of each of these keys. A key begins the title, so few titles need one made. */
function livresDesCles(cles: ReadonlySet<string>): Map<string, LivreDocument> {
  const trouves = new Map<string, LivreDocument>();
  for (const livre of bibliotheque.chercher({})) {
    if (!debuts(livre.titreNormalise).some((debut) => cles.has(debut))) continue;
    const cle = cleOeuvre(livre.titre);
    const autre = trouves.get(cle);
    if (autre === undefined || livre.id < autre.id) trouves.set(cle, livre);
  }
  return trouves;
}

/** A title's beginnings, word after word. */
function debuts(titreNormalise: string): string[] {
  const mots = titreNormalise.split(' ');
  return mots.map((_, rang) => mots.slice(0, rang + 1).join(' '));
}
