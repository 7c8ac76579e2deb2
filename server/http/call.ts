import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#shared/endpoint';
import type { Transaction } from '#server/database/transaction';
import type { Answer, OperationCall } from '#server/writes/operation';

export type { Answer };

/** One request to an operation, its parts validated by the endpoint's schemas. */
export interface Call<E extends Endpoint> extends OperationCall<E> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What a write has besides: its transaction. */
type InTransaction<E extends Endpoint> = E extends { readonly method: 'GET' }
  ? unknown
  : { readonly tx: Transaction };

/** A write is one transaction, so that it does not wait for anything. A read may have sent its answer itself, or find nothing. */
export type Handler<E extends Endpoint> = (
  call: Call<E> & InTransaction<E>,
) => E extends { readonly method: 'GET' }
  ? Answer<E> | undefined | FastifyReply | Promise<Answer<E> | FastifyReply>
  : Answer<E>;

/** The call of a request that has passed validation; for the handler of a write, in its transaction. */
export function toCall<E extends Endpoint>(
  request: FastifyRequest,
  reply: FastifyReply,
  tx?: Transaction,
): Call<E> & InTransaction<E> {
  const { params, query, body, identity } = request;
  const { utilisateur } = identity;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the parts have been validated by the schemas that their types are made from, an unknown caller of a personal operation has been refused, and a write is given its transaction
  return { params, query, body, utilisateur, request, reply, tx } as unknown as Call<E> &
    InTransaction<E>;
}
