import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Body, Endpoint, Params, Query, Response } from '#shared/endpoint';
import { Refusal } from '#shared/refusals';
import { cleanBody, readQuery } from './clean.ts';
import { comesFromElsewhere } from './origin.ts';
import { routeSchema } from './schema.ts';

/** One request to an operation, its parts checked against the endpoint's schemas. */
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
type Answer<E extends Endpoint> = E extends { readonly response: object } ? Response<E> : undefined;

type Handler<E extends Endpoint> = (call: Call<E>) => Answer<E> | Promise<Answer<E>>;

/**
 * Mounts a shared endpoint. In this order a request is refused when its caller must be known and is
 * not, when a page of another origin sends a write, and when a part of it does not fit its schema.
 * What the handler returns is the answer, with the endpoint's status of success.
 */
export function mount<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
): void {
  const writes = endpoint.method !== 'GET';
  const run: (call: Call<E>) => unknown = handler;
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: routeSchema(endpoint),
    onRequest: async (request) => {
      if (request.identite.utilisateur === null && isPersonal(endpoint, request.params))
        throw new Refusal('IDENTITE_INCONNUE');
      if (writes && comesFromElsewhere(request.headers)) throw new Refusal('ORIGINE_REFUSEE');
    },
    preValidation: async (request) => {
      Object.assign(request, {
        params: readIds(request.params),
        query: readQuery(request.url),
        body: endpoint.body ? cleanBody(request.body) : undefined,
      });
    },
    handler: async (request, reply) => {
      const { params, query, body, identite } = request;
      const { utilisateur } = identite;
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the parts have just been checked against the schemas that their types are made from, and an unknown caller of a personal operation is refused above
      const call = { params, query, body, utilisateur, request, reply } as unknown as Call<E>;
      void reply.code(endpoint.status ?? 200);
      const answer = await run(call);
      if (writes) void reply.header('X-Revision', app.revision());
      return answer;
    },
  });
}

function isPersonal({ personal }: Endpoint, params: unknown): boolean {
  if (typeof personal !== 'function') return personal === true;
  return personal(Object.fromEntries(entriesOf(params)));
}

/** A path's id as a number, written as the service writes it and in no other way; codes stay texts. */
function readIds(params: unknown): Record<string, unknown> {
  return Object.fromEntries(
    entriesOf(params).map(([name, value]) => [
      name,
      name === 'id' && ID.test(String(value)) ? Number(value) : value,
    ]),
  );
}

const entriesOf = (params: unknown): [string, unknown][] =>
  typeof params === 'object' && params !== null ? Object.entries(params) : [];

const ID = /^[1-9]\d{0,15}$/;
