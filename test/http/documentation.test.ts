import { expect, test } from 'vitest';
import { send, serve } from '../support/server.ts';

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Record<string, { readonly content?: Record<string, unknown> }>;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

async function documentOf(url: string): Promise<OpenApi> {
  const { status, json } = await send(`${url}/api/documentation/json`);
  expect(status).toBe(200);
  return json() as unknown as OpenApi;
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
  expect(Object.keys(paths).filter((path) => path.startsWith('/api/replication/'))).toEqual([
    '/api/replication/{collection}',
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
  ['/api/replication/{collection}', 'get', '401', 'application/json'],
  ['/api/replication/{collection}', 'get', '409', 'application/json'],
  ['/api/replication/evenements', 'get', '200', 'text/event-stream'],
  ['/api/souhaits/export.txt', 'get', '200', 'text/plain'],
  ['/api/souhaits/export.csv', 'get', '200', 'text/csv'],
  ['/api/couvertures', 'get', '200', 'image/*'],
])('%s may %s %s as %s', async (path, method, status, type) => {
  const { url } = await serve();
  const { paths } = await documentOf(url);
  expect(Object.keys(paths[path]?.[method]?.responses[status]?.content ?? {})).toEqual([type]);
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
