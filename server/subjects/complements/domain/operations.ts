import { accepterComplements as endpoint } from '#shared/complements';
import { longOperation } from '#server/plumbing/writes/operation';
import { countComplements } from '../store.ts';
import { accepterComplements } from './complements.ts';

/** Gives books what was found for them (docs/rules.md § 44). */
export const acceptation = longOperation({
  endpoint,
  told: 'Le complément de beaucoup de livres',
  size: ({ database }, { body }) => body.livres?.length ?? countComplements(database).answers,
  run: ({ database }, { body }) => ({
    answer: { livres: accepterComplements(database, body.livres ?? null) },
  }),
});
