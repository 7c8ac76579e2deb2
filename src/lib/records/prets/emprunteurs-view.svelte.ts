import {
  emprunteursOf,
  openPretsByEmprunteur,
  pretsToClaim,
  type Emprunteur,
} from '#shared/emprunteurs';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import { withLivres, type PretWithLivre } from './view.svelte.ts';

interface EmprunteurPrets {
  readonly nom: string;
  /** Oldest first. */
  readonly prets: readonly PretWithLivre[];
}

const withOwnLivres = (people: readonly Emprunteur[]): readonly EmprunteurPrets[] =>
  people
    .map(({ nom, prets }) => ({ nom, prets: withLivres(prets) }))
    .filter(({ prets }) => prets.length > 0);

const enCours = derivedFromViews(() =>
  withOwnLivres(openPretsByEmprunteur(views().prets.values())),
);

const all = derivedFromViews((): readonly Emprunteur[] => emprunteursOf(views().prets.values()));

/** The loans by person; apart from the others, which the first screen counts. */
export const emprunteursView = {
  /** The open loans: who has kept a book longest comes first. */
  enCours,
  /** Everyone who has ever borrowed, the latest first. */
  all,
  /** The loans to be asked back at `now` (docs/rules.md § 11). */
  toClaim: (now: Date): readonly EmprunteurPrets[] =>
    withOwnLivres(pretsToClaim(views().prets.values(), now)),
};
