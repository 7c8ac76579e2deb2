import type { Database } from '#server/database/database';
import type { PersonalList } from '../domain/personal-list.ts';

/** The part of a call that an operation on one wish needs. */
interface OwnCall {
  readonly utilisateur: string;
  readonly params: { readonly id: number };
}

/** The operations that both wish lists have, as handlers of their endpoints (docs/rules.md § 17). */
export const listHandlers = <D extends { readonly id: number }, S>(
  database: Database,
  list: PersonalList<D, S>,
) => ({
  lister: ({ utilisateur }: Pick<OwnCall, 'utilisateur'>) => list.all(database, utilisateur),
  ajouter: ({ utilisateur, body }: Pick<OwnCall, 'utilisateur'> & { readonly body: S }) =>
    list.add(database, utilisateur, body),
  modifier: ({ utilisateur, params, body }: OwnCall & { readonly body: S }) =>
    list.update(database, utilisateur, params.id, body),
  supprimer: ({ utilisateur, params }: OwnCall) => list.remove(database, utilisateur, params.id),
  ordonner: ({
    utilisateur,
    body,
  }: Pick<OwnCall, 'utilisateur'> & { readonly body: { readonly ids: readonly number[] } }) =>
    list.reorder(database, utilisateur, body.ids),
});
