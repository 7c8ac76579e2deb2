import { ajouterNumero, type Numero } from '#shared/numeros';
import { trouverOuCreerRevue } from '#shared/revues';
import * as operations from '#shared/souhaits-revues';
import type { RevueSouhaitee, RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import { cleTexte, cleTitre } from '#shared/text';
import { refusDe } from './api/error.ts';
import { ecrire } from './ecriture.ts';
import { remettreALeurRang, retirerDeLaListe, surLaListe } from './liste-personnelle.ts';
import { lesVues, parVersion } from './vues.svelte.ts';

const toutes = parVersion((): readonly RevueSouhaitee[] =>
  [...lesVues()['souhaits-revues'].values()].sort((a, b) => a.rang - b.rang || a.id - b.id),
);

/** What makes a wish the same one (specification « Periodical wish »); no number is one number. */
const cle = (titre: string, numero: string | null): string =>
  `${cleTitre(titre)}\n${numero === null || numero.trim() === '' ? '' : cleTexte(numero)}`;

const parNumero = parVersion(
  () => new Map(toutes().map((revue) => [cle(revue.titre, revue.numero), revue])),
);

/** The reader's own wished periodicals as this device holds them, reactive. */
export const revuesSouhaitees = {
  /** By rank. */
  get toutes(): readonly RevueSouhaitee[] {
    return toutes();
  },
  get nombre(): number {
    return lesVues()['souhaits-revues'].size;
  },
  /** The wishes for a periodical, by its dashed ISSN. */
  parIssn(issn: string): readonly RevueSouhaitee[] {
    return toutes().filter((revue) => revue.issn === issn);
  },
  /** The wish for an issue, or for the periodical without a number. */
  parNumero(titre: string, numero: string | null): RevueSouhaitee | undefined {
    return parNumero().get(cle(titre, numero));
  },
};

/** Puts an issue at the end of the list. Throws the refusal `SOUHAIT_EXISTANT` when it is there. */
export const ajouterRevueSouhaitee = (saisie: RevueSouhaiteeSaisie): Promise<RevueSouhaitee> =>
  ecrire(operations.ajouterRevueSouhaitee, { body: saisie });

/** Throws `SOUHAIT_EXISTANT`. */
export const modifierRevueSouhaitee = (
  id: number,
  saisie: RevueSouhaiteeSaisie,
): Promise<RevueSouhaitee> =>
  surLaListe(() => ecrire(operations.modifierRevueSouhaitee, { params: { id }, body: saisie }));

/** Takes a wish off the list; it may be gone already. */
export const supprimerRevueSouhaitee = (id: number): Promise<undefined> =>
  retirerDeLaListe(() => ecrire(operations.supprimerRevueSouhaitee, { params: { id } }));

/** Throws the refusal `LISTE_PERIMEE` once this device shows the list as it has become. */
export const ordonnerRevuesSouhaitees = (ids: readonly number[]): Promise<RevueSouhaitee[]> =>
  surLaListe(() => ecrire(operations.ordonnerRevuesSouhaitees, { body: { ids: [...ids] } }));

/** Adds a wish that was taken off the list again, at its old place. */
export async function remettreRevueSouhaitee({ titre, numero, issn, rang }: RevueSouhaitee) {
  const { id } = await ajouterRevueSouhaitee({ titre, numero, issn });
  await remettreALeurRang(toutes(), id, rang, ordonnerRevuesSouhaitees);
}

/**
 * The issue is bought: it enters its periodical, which is found or created, and leaves the list. An
 * issue that the house has already only leaves the list; then the answer is `null`.
 * @param numero the number, which a wish may not know
 */
export async function acheterRevueSouhaitee(
  { id, titre, issn }: RevueSouhaitee,
  numero: string,
): Promise<Numero | null> {
  const revue = await ecrire(trouverOuCreerRevue, { body: { titre, issn } });
  const entre = await ecrire(ajouterNumero, { params: { id: revue.id }, body: { numero } }).catch(
    (erreur: unknown) => {
      if (refusDe(erreur)?.code === 'NUMERO_EXISTANT') return null;
      throw erreur;
    },
  );
  await supprimerRevueSouhaitee(id);
  return entre;
}
