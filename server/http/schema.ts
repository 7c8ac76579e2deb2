import { STATUS_CODES } from 'node:http';
import type { FastifySchema } from 'fastify';
import type { Endpoint } from '#shared/endpoint';
import { ErrorBody } from '#shared/refusals';

const REVISION = {
  'X-Revision': {
    type: 'integer',
    description: 'La révision qu’une copie doit avoir atteinte pour montrer cette écriture.',
  },
};

/** An endpoint as Fastify's route schema: what is checked, and what the API's documentation says. */
export function routeSchema(endpoint: Endpoint): FastifySchema {
  const { path, summary, params, query, body } = endpoint;
  return {
    summary,
    tags: [path.split('/')[2] ?? ''],
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: Object.fromEntries(
      statuses(endpoint).map((status) => [
        status,
        {
          description: STATUS_CODES[status],
          ...(status < 300 ? success(endpoint) : ErrorBody),
        },
      ]),
    ),
  };
}

/** Every status that an operation is meant to answer with, but for what may befall any request. */
function statuses({ method, body, status = 200, also = [], personal }: Endpoint): number[] {
  const errors = [
    ...[400, 404],
    ...(personal ? [401] : []),
    ...(method === 'GET' ? [] : [403, 409]),
    ...(body ? [413, 415] : []),
  ];
  return [...new Set([status, ...errors, ...also])];
}

function success({ method, response, type }: Endpoint): object {
  const headers = method === 'GET' ? {} : { headers: REVISION };
  if (type !== undefined) return { ...headers, content: { [type]: { schema: response } } };
  return { ...headers, ...(response ?? { type: 'null' }) };
}
