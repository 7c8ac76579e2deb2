import { fusionnerAuteurs as fusionner } from '#shared/auteurs';
import { longOperation } from '#server/plumbing/writes/operation';
import { livresOfAuteur } from '../store/auteurs.ts';
import { fusionnerAuteurs } from './auteurs.ts';

/** Merging authors, who may have any number of books. */
export const fusion = longOperation({
  endpoint: fusionner,
  told: 'La réunion de deux auteurs',
  size: ({ database }, { body }) =>
    body.auteurs.reduce((count, id) => count + livresOfAuteur(database, id).length, 0),
  run: ({ database }, { body }) => ({ answer: fusionnerAuteurs(database, body.auteurs) }),
});
