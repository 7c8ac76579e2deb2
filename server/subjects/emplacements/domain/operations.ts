import { supprimerEmplacement as endpoint } from '#shared/emplacements';
import { longOperation } from '#server/plumbing/writes/operation';
import { countLivresIn } from '../store.ts';
import { supprimerEmplacement } from './emplacements.ts';

/** Deletes a location, out of which any number of books goes (docs/rules.md § 51). */
export const suppression = longOperation({
  endpoint,
  told: 'La suppression d’un emplacement',
  size: ({ database }, { params }) => countLivresIn(database, params.id),
  run({ database }, { params }) {
    supprimerEmplacement(database, params.id);
    return { answer: undefined };
  },
});
