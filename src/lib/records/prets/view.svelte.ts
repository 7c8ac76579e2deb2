import type { LivreDocument } from '#shared/livres';
import type { Pret } from '#shared/prets';
import { compareText } from '#shared/text';
import { derivedFromViews, views } from '$lib/sync/views.svelte';

export type PretWithLivre = Pret & { readonly livre: LivreDocument };

type PretRendu = PretWithLivre & { readonly dateRetour: string };

const byDate = (a: Pret, b: Pret) => compareText(a.datePret, b.datePret) || a.id - b.id;

export const withLivres = (prets: readonly Pret[]): PretWithLivre[] =>
  prets.flatMap((pret) => {
    const livre = views().catalogue.livre(pret.livreId);
    return livre === undefined ? [] : [{ ...pret, livre }];
  });

const enCours = derivedFromViews((): readonly PretWithLivre[] =>
  withLivres(
    [...views().prets.values()].filter(({ dateRetour }) => dateRetour === null).sort(byDate),
  ),
);

const rendus = derivedFromViews((): readonly PretRendu[] =>
  withLivres([...views().prets.values()])
    .flatMap(({ dateRetour, ...pret }) => (dateRetour === null ? [] : [{ ...pret, dateRetour }]))
    .sort((a, b) => compareText(b.dateRetour, a.dateRetour) || b.id - a.id),
);

export const pretsView = {
  get: (id: number): Pret | undefined => views().prets.get(id),
  /** The open loans, oldest first. */
  enCours,
  /** Closed loans, the last return first. */
  rendus,
  /** Newest first, the open one included. */
  pretsOfLivre: (livreId: number): readonly Pret[] =>
    [...views().prets.values()]
      .filter((pret) => pret.livreId === livreId)
      .sort((a, b) => byDate(b, a)),
};
