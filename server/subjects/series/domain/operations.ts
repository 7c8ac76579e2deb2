import { ajouterSerie as ajouter, modifierSerie as modifier } from '#shared/series';
import { longOperation } from '#server/plumbing/writes/operation';
import { ajouterSerie, modifierSerie } from './series.ts';

const told = 'Une série de beaucoup de volumes';

/** Adding a series, where it may have very many places. */
export const addition = longOperation({
  endpoint: ajouter,
  told,
  size: (_records, { body }) => body.places?.length ?? 0,
  run: ({ database }, { body }) => ({ answer: ajouterSerie(database, body) }),
});

/** Rewriting one. */
export const rewriting = longOperation({
  endpoint: modifier,
  told,
  size: (_records, { body }) => body.places?.length ?? 0,
  run: ({ database }, { params, body }) => ({ answer: modifierSerie(database, params.id, body) }),
});
