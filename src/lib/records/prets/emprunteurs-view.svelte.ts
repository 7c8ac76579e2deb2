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

/** Loans by person; in a separate file, since the first screen only counts loans. */
export const emprunteursView = {
  /** Open loans, the longest first. */
  enCours,
  /** Everyone who has ever borrowed, the latest first. */
  all,
  /** The loans to claim at `now` (docs/rules.md § 11). */
  toClaim: (now: Date): readonly EmprunteurPrets[] =>
    withOwnLivres(pretsToClaim(views().prets.values(), now)),
};
