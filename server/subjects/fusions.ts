import type { FastifyInstance } from 'fastify';
import { fusionnerLivres } from '#shared/fusions';
import type { Livre } from '#shared/livres';
import type { Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation } from '#server/plumbing/writes/operations';
import { passLectures } from '#server/subjects/lectures';
import { passDetails } from '#server/subjects/livres/details';
import {
  passFields,
  passThemes,
  requireTwin,
  supprimerLivre,
} from '#server/subjects/livres/livres';
import { requireLivre } from '#server/subjects/livres/read';
import { passPrets } from '#server/subjects/prets';
import { passListes } from '#server/subjects/selections/selections';
import { passPlaces } from '#server/subjects/series';

// In a module of its own: loans, readings and series depend on books, not the reverse.

/**
 * Merges two records of one copy into `garde` and returns it as its reader sees it (docs/rules.md § 58). Throws
 * `REQUETE_INVALIDE` for records of two books, `FICHES_PRETEES` if both are lent, `FICHE_TROP_PLEINE`, `INTROUVABLE`.
 */
function fusionner(
  tx: Transaction,
  { garde, part }: { readonly garde: number; readonly part: number },
  utilisateur: string | null,
): Livre {
  requireTwin(tx, garde, part);
  passPrets(tx, part, garde);
  passDetails(tx, part, garde);
  passThemes(tx, part, garde);
  passPlaces(tx, part, garde);
  passLectures(tx, part, garde);
  passListes(tx, part, garde);
  passFields(tx, part, garde);
  supprimerLivre(tx, part);
  return requireLivre(tx, garde, utilisateur);
}

export function routes(app: FastifyInstance): void {
  mount(app, [
    operation(fusionnerLivres, {
      may: 'household',
      run: (tx, { body, utilisateur }) => answer(fusionner(tx, body, utilisateur)),
    }),
  ]);
}
