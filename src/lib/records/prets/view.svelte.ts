import {
  emprunteursOf,
  openPretsByEmprunteur,
  pretsToClaim,
  type Emprunteur,
} from '#shared/emprunteurs';
import type { LivreDocument } from '#shared/livres';
import type { Pret } from '#shared/prets';
import { compareText } from '#shared/text';
import { derivedFromViews, views } from '$lib/sync/views.svelte';

export type PretWithLivre = Pret & { readonly livre: LivreDocument };

type PretRendu = PretWithLivre & { readonly dateRetour: string };

interface EmprunteurPrets {
  readonly nom: string;
  /** Oldest first. */
  readonly prets: readonly PretWithLivre[];
}

const byDate = (a: Pret, b: Pret) => compareText(a.datePret, b.datePret) || a.id - b.id;

const withLivres = (prets: readonly Pret[]): PretWithLivre[] =>
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

const withOwnLivres = (people: readonly Emprunteur[]): readonly EmprunteurPrets[] =>
  people
    .map(({ nom, prets }) => ({ nom, prets: withLivres(prets) }))
    .filter(({ prets }) => prets.length > 0);

const enCoursByEmprunteur = derivedFromViews(() =>
  withOwnLivres(openPretsByEmprunteur(views().prets.values())),
);

const emprunteurs = derivedFromViews((): readonly Emprunteur[] =>
  emprunteursOf(views().prets.values()),
);

export const pretsView = {
  get: (id: number): Pret | undefined => views().prets.get(id),
  /** The open loans, oldest first. */
  enCours,
  /** The open loans by person: who has kept a book longest comes first. */
  enCoursByEmprunteur,
  /** Closed loans, the last return first. */
  rendus,
  /** Everyone who has ever borrowed, the latest first. */
  emprunteurs,
  /** The loans to be asked back at `now`, by person (docs/rules.md § 11). */
  toClaim: (now: Date): readonly EmprunteurPrets[] =>
    withOwnLivres(pretsToClaim(views().prets.values(), now)),
  /** Newest first, with the open one. */
  pretsOfLivre: (livreId: number): readonly Pret[] =>
    [...views().prets.values()]
      .filter((pret) => pret.livreId === livreId)
      .sort((a, b) => byDate(b, a)),
};
