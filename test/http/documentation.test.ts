import { expect, test } from 'vitest';
import { send, serve } from '../support/server.ts';

interface Operation {
  readonly summary?: string;
  readonly responses: Record<string, unknown>;
}

test('the OpenAPI document tells every operation, its success and its errors', async () => {
  const { url } = await serve();
  const { status, json } = await send(`${url}/api/documentation/json`);
  expect(status).toBe(200);
  const document = json() as unknown as {
    openapi: string;
    paths: Record<string, Record<string, Operation>>;
  };
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.paths['/api/livres/{id}/statut']?.['put']?.responses).toHaveProperty('401');
  expect(document.paths['/api/livres']?.['post']?.responses).toHaveProperty('201');
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, { summary }] of Object.entries(operations))
      expect(summary, `${method} ${path}`).toMatch(/\S/);
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
