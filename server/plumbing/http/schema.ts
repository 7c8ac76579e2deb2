import { STATUS_CODES } from 'node:http';
import type { FastifySchema } from 'fastify';
import { keyHeaderOf, type Endpoint } from '#shared/endpoint';
import { ErrorBody } from '#shared/refusals';

/** What is validated of a request. */
export const requestSchema = ({ params, query, body }: Endpoint): FastifySchema => ({
  ...(params && { params }),
  ...(query && { querystring: query }),
  ...(body && { body }),
});

/** What the OpenAPI document says of an endpoint. */
export function routeSchema(endpoint: Endpoint): FastifySchema {
  const { path, summary } = endpoint;
  const headers = requestHeaders(endpoint);
  return {
    summary,
    tags: [path.split('/')[2] ?? ''],
    ...requestSchema(endpoint),
    ...(headers && { headers: { type: 'object', properties: headers } }),
    response: Object.fromEntries(
      statusesOf(endpoint).map((status) => [
        status,
        { description: STATUS_CODES[status], ...answerSchema(endpoint, status) },
      ]),
    ),
  };
}

const text = (description: string): object => ({ type: 'string', description });

const IF_MATCH = {
  'If-Match': text('L’étiquette (ETag) de la fiche lue ; si elle a changé depuis, 412.'),
};
const IF_NONE_MATCH = {
  'If-None-Match': text('L’étiquette (ETag) de la fiche connue ; si elle est la même, 304.'),
};
const keyOf = (method: Endpoint['method']): object => ({
  [keyHeaderOf(method)]: text(
    'De 1 à 200 caractères visibles : la même demande sous la même clé n’est faite qu’une fois.',
  ),
});

/** The headers of a request that the plumbing acts on; the others are the sign-on's. */
function requestHeaders({ method, record }: Endpoint): object | undefined {
  if (method === 'POST') return keyOf(method);
  if (method !== 'GET') return { ...keyOf(method), ...(record && IF_MATCH) };
  return record === undefined || record.tagCoversBody === false ? undefined : IF_NONE_MATCH;
}

/** Every status that an operation answers with, except those that any request may meet. */
function statusesOf(endpoint: Endpoint): number[] {
  const { method, record, body, status = 200, also = [], personal, perMinute } = endpoint;
  const isRead = method === 'GET';
  const statuses = [
    status,
    400,
    404,
    ...(personal ? [401] : []),
    ...(isRead ? [] : [403, 409]),
    ...(body ? [413, 415] : []),
    ...(isRead && record && record.tagCoversBody !== false ? [304] : []),
    ...(!isRead && method !== 'POST' && record ? [412] : []),
    ...(isRead ? [] : [422]),
    ...(perMinute === undefined ? [] : [429]),
  ];
  return [...new Set([...statuses, ...also])];
}

const ETAG = { ETag: text('La révision de la fiche, entre guillemets.') };
const REVISION = {
  'X-Revision': {
    type: 'integer',
    description: 'La révision qu’une copie doit avoir atteinte pour montrer cette écriture.',
  },
};
const MODIFICATION = {
  'X-Modification': {
    type: 'integer',
    description: 'La modification que cette écriture est, si elle a changé quelque chose.',
  },
  'X-Modification-Resume': text('Ce que la modification dit d’elle-même, encodé pour une URL.'),
};
const REPLAYED = {
  'Idempotency-Replayed': text('« true » quand la réponse est celle, gardée, de la même demande.'),
};

function answerSchema(endpoint: Endpoint, status: number): object {
  if (status === 304) return { type: 'null', headers: ETAG };
  if (status === 412) return { ...ErrorBody, headers: ETAG };
  if (status >= 400) return ErrorBody;
  return { headers: answerHeaders(endpoint), ...successSchema(endpoint) };
}

const answerHeaders = ({ method, record, response }: Endpoint): object => ({
  ...(method === 'GET' ? {} : { ...REVISION, ...MODIFICATION, ...REPLAYED }),
  ...(record && response ? ETAG : {}),
});

const successSchema = ({ response, type }: Endpoint): object =>
  type === undefined
    ? (response ?? { type: 'null' })
    : { content: { [type]: { schema: response } } };
