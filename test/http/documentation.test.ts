import { expect, test } from 'vitest';
import { send, serve } from '../support/server.ts';

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Record<
    string,
    { readonly content?: Record<string, unknown>; readonly headers?: Record<string, unknown> }
  >;
}

type OpenApi = Readonly<{
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
}>;

async function documentOf(url: string): Promise<OpenApi> {
  const { status, json } = await send(`${url}/api/documentation/json`);
  expect(status).toBe(200);
  return json() as OpenApi;
}

test('the OpenAPI document tells every operation, its success and its errors', async () => {
  const { url } = await serve();
  const document = await documentOf(url);
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.paths['/api/livres/{id}/statut']?.['put']?.responses).toHaveProperty('401');
  expect(document.paths['/api/livres']?.['post']?.responses).toHaveProperty('201');
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, { summary }] of Object.entries(operations))
      expect(summary, `${method} ${path}`).toMatch(/\S/);
});

test('it writes every path as the contract does, with the parameters of each', async () => {
  const { url } = await serve();
  const { paths } = await documentOf(url);
  expect(Object.keys(paths).filter((path) => path.startsWith('/api/replication'))).toEqual([
    '/api/replication',
    '/api/replication/evenements',
  ]);
  for (const [path, operations] of Object.entries(paths))
    for (const { parameters = [] } of Object.values(operations)) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(
        inPath.map(({ name }) => name),
        path,
      ).toEqual(names);
    }
});

test.each([
  ['/api/revues', 'post', '201', 'application/json'],
  ['/api/bibliographie', 'get', '502', 'application/json'],
  ['/api/sante', 'get', '503', 'application/json'],
  ['/api/livres', 'post', '415', 'application/json'],
  ['/api/replication', 'get', '409', 'application/json'],
  ['/api/replication/evenements', 'get', '200', 'text/event-stream'],
  ['/api/souhaits/export.txt', 'get', '200', 'text/plain'],
  ['/api/souhaits/export.csv', 'get', '200', 'text/csv'],
  ['/api/couvertures', 'get', '200', 'image/*'],
])('%s may %s %s as %s', async (path, method, status, type) => {
  const { url } = await serve();
  const { paths } = await documentOf(url);
  expect(Object.keys(paths[path]?.[method]?.responses[status]?.content ?? {})).toEqual([type]);
});

const headerParameter = (name: string) =>
  expect.objectContaining({ in: 'header', name }) as unknown;

test.each([
  ['/api/livres/{id}', 'put', 'If-Match', ['200', '412']],
  ['/api/livres/{id}', 'delete', 'If-Match', ['204', '412']],
  ['/api/series/{id}', 'get', 'If-None-Match', ['200', '304']],
  ['/api/livres', 'post', 'Idempotency-Key', ['201', '409', '422']],
  ['/api/livres/{id}/statut', 'put', 'X-Write-Key', ['200', '409', '422']],
])('%s %s takes %s', async (path, method, header, statuses) => {
  const { url } = await serve();
  const operation = (await documentOf(url)).paths[path]?.[method];
  expect(operation?.parameters).toContainEqual(headerParameter(header));
  expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
});

const WRITTEN = ['Idempotency-Replayed', 'X-Modification', 'X-Modification-Resume', 'X-Revision'];

test.each([
  ['/api/livres/{id}', 'get', '200', ['ETag']],
  ['/api/livres/{id}', 'put', '200', ['ETag', ...WRITTEN]],
  ['/api/livres/{id}', 'put', '412', ['ETag']],
  ['/api/livres', 'post', '201', ['ETag', ...WRITTEN]],
  ['/api/livres/{id}/statut', 'put', '200', WRITTEN],
  ['/api/souhaits/ordre', 'put', '200', WRITTEN],
])('%s %s answers %s with %s', async (path, method, status, names) => {
  const { url } = await serve();
  const { paths } = await documentOf(url);
  const { headers = {} } = paths[path]?.[method]?.responses[status] ?? {};
  expect(Object.keys(headers).sort()).toEqual(names);
});

test('a livre, a statut and the order of a list take no condition that means nothing', async () => {
  const { url } = await serve();
  const { paths } = await documentOf(url);
  for (const [path, method] of [
    ['/api/livres/{id}', 'get'],
    ['/api/livres/{id}/statut', 'put'],
    ['/api/souhaits/ordre', 'put'],
  ] as const) {
    const { parameters = [] } = paths[path]?.[method] ?? { parameters: [] };
    const names = parameters.map((parameter) => parameter.name);
    expect(names.filter((name) => name.startsWith('If-'))).toEqual([]);
  }
});

test('its page loads from this origin alone', async () => {
  const { url } = await serve();
  for (const path of ['/api/documentation', '/api/documentation/']) {
    const page = await fetch(url + path);
    const html = await page.text();
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(assets.length).toBeGreaterThan(2);
    for (const address of assets) {
      const asset = new URL(address, page.url);
      expect(asset.origin).toBe(url);
      expect((await send(asset.href)).status).toBe(200);
    }
  }
});
