import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDocumentation } from '#server/subjects/installation/documentation';
import { API_PAGE } from '#server/plumbing/paths';
import { atLeastOne } from '../support/at-least-one.ts';
import { readOperations } from '../support/operations.ts';
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
  info: Record<string, unknown>;
  servers?: unknown;
  paths: Record<string, Record<string, Operation>>;
}>;

async function readDocument(base = ''): Promise<OpenApi> {
  const { url } = await serve(base === '' ? {} : { BASE_PATH: base });
  const { status, json } = await send(`${url}/api/documentation/json`);
  expect(status).toBe(200);
  return json() as OpenApi;
}

test('the OpenAPI document describes every operation with its errors', async () => {
  const document = await readDocument();
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.paths['/api/livres/{id}/statut']?.['put']?.responses).toHaveProperty('401');
  expect(document.paths['/api/livres']?.['post']?.responses).toHaveProperty('201');
  for (const [path, operations] of atLeastOne(Object.entries(document.paths)))
    for (const [method, { summary }] of atLeastOne(Object.entries(operations)))
      expect(summary, `${method} ${path}`).toMatch(/\S/);
});

test('each operation that the application uses is in the document', async () => {
  const { paths } = await readDocument();
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const asked = [...(await readOperations()).values()].map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  );
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.filter((operation) => !documented.includes(operation))).toEqual([]);
});

test('the document describes the API in words', async () => {
  const { info } = await readDocument();
  expect(info).toEqual({
    title: 'Rayonnage',
    version: '1',
    description: expect.stringMatching(
      /^L’API d’une bibliothèque familiale\.[^]*\*\*Revues\.\*\*[^]*refusé\.$/,
    ) as string,
    license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
  });
});

test('the document names its server only under a base', async () => {
  expect((await readDocument()).servers).toBeUndefined();
  expect((await readDocument('/livres')).servers).toEqual([{ url: '/livres' }]);
});

test('every path of the document names its parameters', async () => {
  const { paths } = await readDocument();
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

test('the documentation has the type of every response', async () => {
  const { paths } = await readDocument();
  for (const [path, method, status, type] of [
    ['/api/revues', 'post', '201', 'application/json'],
    ['/api/bibliographie', 'get', '502', 'application/json'],
    ['/api/sante', 'get', '503', 'application/json'],
    ['/api/livres', 'post', '415', 'application/json'],
    ['/api/replication', 'get', '409', 'application/json'],
    ['/api/replication/evenements', 'get', '200', 'text/event-stream'],
    ['/api/souhaits/export.txt', 'get', '200', 'text/plain'],
    ['/api/souhaits/export.csv', 'get', '200', 'text/csv'],
    ['/api/couvertures', 'get', '200', 'image/*'],
  ] as const) {
    const { content = {} } = paths[path]?.[method]?.responses[status] ?? {};
    expect(Object.keys(content), `${method} ${path} ${status}`).toEqual([type]);
  }
});

const headerParameter = (name: string) =>
  expect.objectContaining({ in: 'header', name }) as unknown;

test('an operation’s conditional headers are in the document', async () => {
  const { paths } = await readDocument();
  for (const [path, method, header, statuses] of [
    ['/api/livres/{id}', 'put', 'If-Match', ['200', '412']],
    ['/api/livres/{id}', 'delete', 'If-Match', ['204', '412']],
    ['/api/series/{id}', 'get', 'If-None-Match', ['200', '304']],
    ['/api/livres', 'post', 'Idempotency-Key', ['201', '409', '422']],
    ['/api/livres/{id}/statut', 'put', 'X-Write-Key', ['200', '409', '422']],
  ] as const) {
    const { parameters, responses = {} } = paths[path]?.[method] ?? {};
    const operation = `${method} ${path}`;
    expect(parameters, operation).toContainEqual(headerParameter(header));
    expect(Object.keys(responses), operation).toEqual(expect.arrayContaining([...statuses]));
  }
});

test('the document leaves out conditions that would mean nothing', async () => {
  const { paths } = await readDocument();
  for (const [path, method] of [
    ['/api/livres/{id}', 'get'],
    ['/api/livres/{id}/statut', 'put'],
    ['/api/souhaits/ordre', 'put'],
  ] as const) {
    const { parameters = [] } = paths[path]?.[method] ?? {};
    const names = parameters.map(({ name }) => name);
    expect(
      names.filter((name) => name.startsWith('If-')),
      `${method} ${path}`,
    ).toEqual([]);
  }
});

const WRITTEN = ['Idempotency-Replayed', 'X-Modification', 'X-Modification-Resume', 'X-Revision'];

test('the documentation has the headers of every response', async () => {
  const { paths } = await readDocument();
  for (const [path, method, status, names] of [
    ['/api/livres/{id}', 'get', '200', ['ETag']],
    ['/api/livres/{id}', 'put', '200', ['ETag', ...WRITTEN]],
    ['/api/livres/{id}', 'put', '412', ['ETag']],
    ['/api/livres', 'post', '201', ['ETag', ...WRITTEN]],
    ['/api/livres/{id}/statut', 'put', '200', WRITTEN],
    ['/api/souhaits/ordre', 'put', '200', WRITTEN],
  ] as const) {
    const { headers = {} } = paths[path]?.[method]?.responses[status] ?? {};
    expect(Object.keys(headers).sort(), `${method} ${path} ${status}`).toEqual(names);
  }
});

test('its page loads from this origin alone', async () => {
  const { url } = await serve();
  for (const path of ['/api/documentation', '/api/documentation/']) {
    const page = await fetch(url + path);
    const html = await page.text();
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
    );
    expect(html).toContain('<title>Rayonnage : documentation de l’API</title>');
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(assets.length).toBeGreaterThan(2);
    for (const address of assets) {
      const asset = new URL(address, page.url);
      expect(asset.origin).toBe(url);
      expect((await send(asset.href)).status).toBe(200);
    }
  }
});

const INITIALIZER = '/api/documentation/static/swagger-initializer.js';

test('the documentation page shows the service’s own picture', async () => {
  const { url } = await serve();
  const { text } = await send(url + INITIALIZER);
  const picture = readFileSync(join(API_PAGE, 'logo.svg')).toString('base64');
  expect(text).toContain(`data:image/svg+xml;base64,${picture}`);
});

test('the documentation page sends the document to no validator', async () => {
  const { url } = await serve();
  const { text } = await send(url + INITIALIZER);
  expect(text).toMatch(/validatorUrl"?: ?null/);
});

const route = (url: string, documented?: object) => ({
  method: 'GET',
  url,
  handler: () => null,
  config: documented ? { documented } : {},
});

test('only documented routes are in the document', async () => {
  const routes = [route('/dit', { summary: 'Dit' }), route('/tu')];
  const app = await createDocumentation('/doc', routes, '/livres');
  const { paths } = (await app.inject('/doc/json')).json<OpenApi>();
  expect(Object.keys(paths)).toEqual(['/dit']);
  await app.close();
});

test('the documentation page has its files under the base', async () => {
  const app = await createDocumentation('/doc', [], '/livres');
  const { body } = await app.inject('/doc');
  const assets = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  expect(assets).not.toEqual([]);
  expect(assets.filter((address) => !address?.startsWith('/livres/doc/static/'))).toEqual([]);
  await app.close();
});
