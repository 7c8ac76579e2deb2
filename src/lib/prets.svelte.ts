import type { LivreDocument } from '#shared/livres';
import * as operations from '#shared/prets';
import type { Pret } from '#shared/prets';
import { comparerTextes } from '#shared/text';
import { ecrire } from './ecriture.ts';
import { lesVues, parVersion } from './vues.svelte.ts';

/** An open loan with the book that is out. */
export type PretDehors = Pret & { readonly livre: LivreDocument };

const parDate = (a: Pret, b: Pret) => comparerTextes(a.datePret, b.datePret) || a.id - b.id;

const enCours = parVersion((): readonly PretDehors[] => {
  const { catalogue, prets: liste } = lesVues();
  return [...liste.values()]
    .filter((pret) => pret.dateRetour === null)
    .sort(parDate)
    .flatMap((pret) => {
      const livre = catalogue.livre(pret.livreId);
      return livre === undefined ? [] : [{ ...pret, livre }];
    });
});

/** The household's loans as this device holds them, reactive. */
export const prets = {
  /** What is out, oldest first. */
  get enCours(): readonly PretDehors[] {
    return enCours();
  },
  /** The history of one book, newest first, the open loan included. */
  duLivre(livreId: number): readonly Pret[] {
    return [...lesVues().prets.values()]
      .filter((pret) => pret.livreId === livreId)
      .sort((a, b) => parDate(b, a));
  },
};

/** Lends a paper book. Throws the refusal `DEJA_PRETE` with the one who has it. */
export const preter = (livreId: number, emprunteur: string): Promise<Pret> =>
  ecrire(operations.preter, { params: { id: livreId }, body: { emprunteur } });

/** Closes a loan; one that is closed stays as it is. */
export const rendre = (pretId: number): Promise<Pret> =>
  ecrire(operations.rendre, { params: { id: pretId } });
