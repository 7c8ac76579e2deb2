import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Body, Endpoint, Params, Query, Response } from '#shared/endpoint';

/** One request to an operation, its parts validated by the endpoint's schemas. */
export interface Call<E extends Endpoint> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly body: Body<E>;
  /** Who is calling: always known to a personal operation. */
  readonly utilisateur: E extends { readonly personal: true } ? string : string | null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What an operation answers with; nothing where its endpoint has no response. */
export type Answer<E extends Endpoint> = E extends { readonly response: object }
  ? Response<E>
  : undefined;

/** A write is one transaction, so that it does not wait for anything. */
export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => E extends { readonly method: 'GET' } ? Answer<E> | Promise<Answer<E>> : Answer<E>;

/** The call of a request that has passed validation. */
export function toCall<E extends Endpoint>(request: FastifyRequest, reply: FastifyReply): Call<E> {
  const { params, query, body, identity } = request;
  const { utilisateur } = identity;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the parts have been validated by the schemas that their types are made from, and an unknown caller of a personal operation has been refused
  return { params, query, body, utilisateur, request, reply } as unknown as Call<E>;
}
