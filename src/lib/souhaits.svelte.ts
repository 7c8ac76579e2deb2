import type { Livre } from '#shared/livres';
import * as operations from '#shared/souhaits';
import type { Souhait, SouhaitSaisi } from '#shared/souhaits';
import { cleTexte, cleTitre } from '#shared/text';
import { ecrire } from './ecriture.ts';
import { ajouterLivre } from './livres.svelte.ts';
import { remettreALeurRang, retirerDeLaListe, surLaListe } from './liste-personnelle.ts';
import { lesVues, parVersion } from './vues.svelte.ts';

const tous = parVersion((): readonly Souhait[] =>
  [...lesVues().souhaits.values()].sort((a, b) => a.rang - b.rang || a.id - b.id),
);

/** What makes a wish the same one (specification « Book wish »); no author is one author. */
const cle = (titre: string, auteur: string | null): string =>
  `${cleTitre(titre)}\n${auteur === null || auteur.trim() === '' ? '' : cleTexte(auteur)}`;

const parOeuvre = parVersion(
  () => new Map(tous().map((souhait) => [cle(souhait.titre, souhait.auteur), souhait])),
);

/** The reader's own wished books as this device holds them, reactive. */
export const souhaits = {
  /** By rank. */
  get tous(): readonly Souhait[] {
    return tous();
  },
  get nombre(): number {
    return lesVues().souhaits.size;
  },
  /** The wish under an ISBN-13, bare: « sur votre liste ». */
  parIsbn(isbn13: string): Souhait | undefined {
    return tous().find(({ isbn }) => isbn === isbn13);
  },
  /** The wish for a work of an author, whatever the edition. */
  parOeuvre(titre: string, auteur: string | null): Souhait | undefined {
    return parOeuvre().get(cle(titre, auteur));
  },
};

/** Puts a book at the end of the list. Throws the refusal `SOUHAIT_EXISTANT` when it is there. */
export const ajouterSouhait = (saisie: SouhaitSaisi): Promise<Souhait> =>
  ecrire(operations.ajouterSouhait, { body: saisie });

/** Rewrites a wish; without `coverUrl` its cover stays. Throws `SOUHAIT_EXISTANT`. */
export const modifierSouhait = (id: number, saisie: SouhaitSaisi): Promise<Souhait> =>
  surLaListe(() => ecrire(operations.modifierSouhait, { params: { id }, body: saisie }));

/** Takes a wish off the list; it may be gone already. */
export const supprimerSouhait = (id: number): Promise<undefined> =>
  retirerDeLaListe(() => ecrire(operations.supprimerSouhait, { params: { id } }));

/** Throws the refusal `LISTE_PERIMEE` once this device shows the list as it has become. */
export const ordonnerSouhaits = (ids: readonly number[]): Promise<Souhait[]> =>
  surLaListe(() => ecrire(operations.ordonnerSouhaits, { body: { ids: [...ids] } }));

/** Adds a wish that was taken off the list again, at its old place. */
export async function remettreSouhait({ titre, auteur, isbn, coverUrl, rang }: Souhait) {
  const { id } = await ajouterSouhait({ titre, auteur, isbn, coverUrl });
  await remettreALeurRang(tous(), id, rang, ordonnerSouhaits);
}

/**
 * The book is bought: it enters the library with what the wish knows of it, on paper, and leaves
 * the list. Throws the refusal `DOUBLON` with `similaires` unless the duplicate is confirmed.
 */
export async function acheterSouhait(
  souhait: Souhait,
  { confirmerDoublon = false } = {},
): Promise<Livre> {
  const { id, titre, isbn, coverUrl } = souhait;
  const auteurs = nomsDe(souhait.auteur);
  const livre = await ajouterLivre(
    { titre, auteurs, isbn, coverUrl, format: 'Physique' },
    { confirmerDoublon },
  );
  await supprimerSouhait(id);
  return livre;
}

const ENTRE_NOMS = ' ; ';

/** The names that a wish's one author text says, apart by semicolons as in the form of a book. */
export const nomsDe = (auteur: string | null): string[] =>
  (auteur ?? '')
    .split(';')
    .map((nom) => nom.trim())
    .filter((nom) => nom !== '');

/** As many of the names as one author text has room for, `maximum` characters. */
export function enAuteur(noms: readonly string[], maximum: number): string {
  const [premier = '', ...suite] = noms;
  return suite.reduce((texte, nom) => {
    const avec = texte + ENTRE_NOMS + nom;
    return avec.length > maximum ? texte : avec;
  }, premier);
}
