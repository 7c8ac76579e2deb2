import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { PersonalList } from '../domain/personal-list.ts';

/** The part of a call that an operation on one wish needs. */
interface OwnWrite {
  readonly tx: Transaction;
  readonly utilisateur: string;
  readonly params: { readonly id: number };
}

/** The operations that both wish lists have, as handlers of their endpoints (docs/rules.md § 17). */
export const listHandlers = <D extends { readonly id: number }, S>(
  database: Reader,
  list: PersonalList<D, S>,
) => ({
  lister: ({ utilisateur }: Pick<OwnWrite, 'utilisateur'>) => list.all(database, utilisateur),
  ajouter: ({
    tx,
    utilisateur,
    body,
  }: Pick<OwnWrite, 'tx' | 'utilisateur'> & { readonly body: S }) =>
    list.add(tx, utilisateur, body),
  modifier: ({ tx, utilisateur, params, body }: OwnWrite & { readonly body: S }) =>
    list.update(tx, utilisateur, params.id, body),
  supprimer: ({ tx, utilisateur, params }: OwnWrite) => list.remove(tx, utilisateur, params.id),
  ordonner: ({
    tx,
    utilisateur,
    body,
  }: Pick<OwnWrite, 'tx' | 'utilisateur'> & {
    readonly body: { readonly ids: readonly number[] };
  }) => list.reorder(tx, utilisateur, body.ids),
});
