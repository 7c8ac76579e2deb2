import { bibliotheque } from '$lib/livres.svelte';
import { nomsDe, souhaits } from '$lib/souhaits.svelte';
import { lireIsbn } from '#shared/isbn';
import type { LivreDocument } from '#shared/livres';
import type { Candidat } from '#shared/recherche';
import type { Souhait } from '#shared/souhaits';
import { cleOeuvre, cleRegroupement } from '#shared/text';

/** What this device knows of a book that is wished for. */
export interface Deja {
  /** Copies under the same ISBN. */
  readonly exemplaires: readonly LivreDocument[];
  /** Other editions of the work: by title, and by author where one is named. */
  readonly editions: readonly LivreDocument[];
  readonly souhait: Souhait | undefined;
}

interface Cherche {
  readonly titre: string;
  readonly auteur: string;
  readonly isbn: string;
}

/** Whether a book is owned or wished already, reactive; no network is asked. */
export function dejaLa({ titre, auteur, isbn }: Cherche): Deja {
  const code = lireIsbn(isbn);
  const exemplaires = code === null ? [] : bibliotheque.parIsbn(code);
  const editions = exemplaires.length > 0 ? [] : editionsDe(titre, auteur);
  const parCode = code === null ? undefined : souhaits.parIsbn(code);
  const parTitre = titre.trim() === '' ? undefined : souhaits.parOeuvre(titre, auteur);
  return { exemplaires, editions, souhait: parTitre ?? parCode };
}

function editionsDe(titre: string, auteur: string): readonly LivreDocument[] {
  const cle = cleOeuvre(titre);
  if (cle === '') return [];
  const noms = new Set(nomsDe(auteur).map(cleRegroupement));
  const deLui = ({ auteurs }: LivreDocument) =>
    noms.size === 0 || auteurs.some(({ nom }) => noms.has(cleRegroupement(nom)));
  return bibliotheque
    .chercher({ recherche: cle })
    .filter((livre) => cleOeuvre(livre.titre) === cle && deLui(livre));
}

/** The same of what a catalogue proposes. */
export const dejaLeCandidat = ({ titre, auteurs, isbn }: Candidat): Deja =>
  dejaLa({ titre, auteur: auteurs.join(';'), isbn: isbn ?? '' });
