import { m } from '$lib/paraglide/messages';
import type { Ligne } from '$lib/recherche/etagere.svelte';
import { silenceDe } from '../recherche/sources.ts';

interface Mots {
  /** The line's title. */
  readonly titre: string;
  /** The second text below it. */
  readonly suite: string;
  /** The title that the cover's substitute is drawn from. */
  readonly dos: string;
  /** What became of the code, in a word or two. */
  readonly sort: string;
}

/** A line of the shelf in words. */
export function motsDe(ligne: Ligne): Mots {
  const mots = lire(ligne);
  const [edition] = ligne.sort.etat === 'aChoisir' ? ligne.sort.candidats : [];
  return { ...mots, dos: edition?.titre ?? mots.titre };
}

function lire(ligne: Ligne): Omit<Mots, 'dos'> {
  const { sort, affiche } = ligne;
  switch (sort.etat) {
    case 'cherche':
      return { titre: affiche, suite: '', sort: m.ligne_cherche() };
    case 'introuvable':
      return { titre: affiche, suite: '', sort: m.ligne_introuvable() };
    case 'retire':
      return { titre: affiche, suite: '', sort: m.ligne_retire() };
    case 'ajoute':
      return { titre: sort.livre.titre, suite: mention(sort.livre), sort: m.ligne_ajoute() };
    case 'possede':
      return { titre: sort.livre.titre, suite: mention(sort.livre), sort: m.ligne_possede() };
    case 'aChoisir':
      return {
        titre: m.ligne_editions({ nombre: sort.candidats.length }),
        suite: affiche,
        sort: '',
      };
    case 'semblable':
      return {
        titre: sort.candidat.titre,
        suite: m.ligne_semblable({ titre: sort.livre.titre }),
        sort: '',
      };
    case 'muette':
      return { titre: affiche, suite: silenceDe(sort.muettes), sort: '' };
    case 'revue':
      return {
        titre: sort.titre ?? affiche,
        suite: m.revue_issn({ issn: sort.issn }),
        sort: m.ligne_revue(),
      };
    case 'echec':
      return { titre: affiche, suite: sort.message, sort: '' };
  }
}

/** « Annie Ernaux, Gallimard, 2008 » */
const mention = ({
  auteurs,
  editeur,
  annee,
}: {
  auteurs: readonly { readonly nom: string }[];
  editeur: string | null;
  annee: number | null;
}): string =>
  [...auteurs.map(({ nom }) => nom), editeur, annee].filter((texte) => texte !== null).join(', ');
