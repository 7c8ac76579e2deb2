import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#shared/endpoint';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Call } from '#server/plumbing/writes/operation';

/** A request and its reply. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What a write has besides: its transaction. */
export type InTransaction<E extends Endpoint> = E extends { readonly method: 'GET' }
  ? unknown
  : { readonly tx: Transaction };

/** The call of a request that has passed validation; for the handler of a write, in its transaction. */
export function toCall<E extends Endpoint>(
  { request, reply }: Exchange,
  tx?: Transaction,
): Call<E> & Exchange & InTransaction<E> {
  const { params, query, body, identity } = request;
  const { utilisateur } = identity;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the parts have been validated by the schemas that their types are made from, an unknown caller of a personal operation has been refused, and a write is given its transaction
  return { params, query, body, utilisateur, request, reply, tx } as unknown as Call<E> &
    Exchange &
    InTransaction<E>;
}
