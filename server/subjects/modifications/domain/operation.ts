import { annulerModification } from '#shared/modifications';
import { longOperation } from '#server/plumbing/writes/operation';
import { countFiches, countFichesSince } from '#server/plumbing/writes/store/modifications';
import { annuler } from './annulation.ts';

/** Takes an act back (docs/rules.md § 38). */
export const annulation = longOperation({
  endpoint: annulerModification,
  told: 'L’annulation d’une grande action',
  size: ({ database }, { params, query }) =>
    query.avec === undefined
      ? countFiches(database, params.id)
      : countFichesSince(database, params.id),
  run: (records, { params, query, utilisateur }) =>
    annuler(records, params.id, utilisateur, query.avec !== undefined),
});
