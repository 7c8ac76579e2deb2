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
  const { method, path, summary, params, query, body, response, status = 200, personal } = endpoint;
  const errors = [400, 404, ...(personal ? [401] : []), ...(method === 'GET' ? [] : [403, 409])];
  return {
    summary,
    tags: [path.split('/')[2] ?? ''],
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: {
      [status]: {
        description: STATUS_CODES[status],
        ...(method === 'GET' ? {} : { headers: REVISION }),
        ...(response ?? { type: 'null' }),
      },
      ...Object.fromEntries(
        errors.map((code) => [code, { description: STATUS_CODES[code], ...ErrorBody }]),
      ),
    },
  };
}
