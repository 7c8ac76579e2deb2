import { expect, test } from 'vitest';
import { builtClient, POLICY, SHELL } from '../support/client.ts';
import { send, serve } from '../support/server.ts';

test.each([
  '/',
  '/livres/1',
  '/livres/1.2',
  '/auteurs/J.R.R.',
  '/shell.html',
  '/api',
  '/a-propos?x=1',
  '/%C3%A9t%C3%A9',
])('%s is answered with the page', async (path) => {
  const { url } = await serve({}, builtClient());
  const { status, headers, text } = await send(url + path);
  expect([status, text]).toEqual([200, SHELL]);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  });
  expect(headers['permissions-policy']).toContain('camera=(self)');
});

test.each([
  ['GET', '/api/rien', 404],
  ['GET', '/_app/immutable/rien.js', 404],
  ['GET', '/_app/', 404],
  ['GET', '/_app/immutable/', 404],
  ['GET', '/_app/immutable/entry.[hash].js', 200],
  ['GET', '/_app/immutable/entry.[hash].js.br', 404],
  ['GET', '/_app/immutable/%2e%2e/version.json', 404],
  ['POST', '/_app/immutable/entry.[hash].js', 404],
  ['POST', '/livres', 404],
  ['DELETE', '/', 404],
  ['GET', '/favicon.ico', 404],
  ['GET', '/.well-known/change-password', 404],
  ['GET', '/.well-known/', 404],
  ['HEAD', '/livres', 200],
  ['HEAD', '/service-worker.js', 200],
])('%s %s is %i', async (method, path, status) => {
  const { url } = await serve({}, builtClient());
  expect((await send(url + path, { method })).status).toBe(status);
});

test.each([
  [
    '/_app/immutable/entry.[hash].js',
    'public, max-age=31536000, immutable',
    'application/javascript; charset=utf-8',
  ],
  ['/_app/version.json', 'no-cache', 'application/json; charset=utf-8'],
  ['/service-worker.js', 'no-cache', 'application/javascript; charset=utf-8'],
  ['/manifest.webmanifest', 'no-cache', 'application/manifest+json'],
])('%s comes with its type and its age', async (path, age, type) => {
  const { url } = await serve({}, builtClient());
  const { status, headers } = await send(url + path);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'cache-control': age,
    'content-type': type,
    'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
  });
});

test.each([
  ['/livres', 'br', 'br'],
  ['/livres', 'gzip, deflate, br, zstd', 'br'],
  ['/livres', 'gzip', 'gzip'],
  ['/livres', 'br;q=0, gzip;q=0.5', 'gzip'],
  ['/livres', 'identity', undefined],
  ['/service-worker.js', 'br', 'br'],
  ['/service-worker.js', 'gzip', 'gzip'],
])('%s accepting %s', async (path, accepted, encoding) => {
  const { url } = await serve({}, builtClient());
  const { headers } = await send(url + path, { headers: ['Accept-Encoding', accepted] });
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers['vary']?.toLowerCase()).toContain('accept-encoding');
});

test('the compressed page is the page', async () => {
  const { url } = await serve({}, builtClient());
  const bytes = async (encoding: string) => {
    const response = await fetch(`${url}/x`, { headers: { 'Accept-Encoding': encoding } });
    return response.text();
  };
  expect(await bytes('br')).toBe(SHELL);
  expect(await bytes('gzip')).toBe(SHELL);
});

test.each([
  '/../package.json',
  '/..%2fpackage.json',
  '/%2e%2e/package.json',
  '/_app/..%5c..%5cpackage.json',
  '//etc/passwd',
])('%s stays inside the build', async (path) => {
  const { url } = await serve({}, builtClient());
  const { text } = await send(url + path);
  expect(text).not.toMatch(/"name"|root:/);
});

test('the page and what is installed bear the name of the library', async () => {
  const name = 'Chez « Anne & Luc » <$&>';
  const { url } = await serve({ LIBRARY_NAME: name }, builtClient());
  const written = 'Chez « Anne &amp; Luc » &lt;$&amp;&gt;';
  for (const encoding of ['br', 'gzip', 'identity']) {
    const page = await fetch(`${url}/livres`, { headers: { 'Accept-Encoding': encoding } });
    const text = await page.text();
    expect(text).toBe(SHELL.replaceAll('Rayonnage', () => written));
  }
  const { text } = await send(`${url}/manifest.webmanifest`);
  expect(JSON.parse(text)).toEqual({ id: '/', name, short_name: name });
});

test('without a build, a clear message', async () => {
  const { url } = await serve();
  const { status, text } = await send(`${url}/`);
  expect(status).toBe(503);
  expect(text).toContain('npm run build');
  expect((await send(`${url}/api/sante`)).status).toBe(200);
});

test.each(['GET', 'HEAD'])('%s /robots.txt keeps every search engine out', async (method) => {
  const { url } = await serve({}, builtClient());
  const { status, headers, text } = await send(`${url}/robots.txt?x`, { method });
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  if (method === 'GET') expect(text).toBe('User-agent: *\nDisallow: /\n');
});

test.each(['/', '/livres/1', '/api/livres', '/api/rien', '/robots.txt', '/_app/version.json'])(
  '%s asks not to be indexed',
  async (path) => {
    const { url } = await serve({}, builtClient());
    expect((await send(url + path)).headers['x-robots-tag']).toBe('noindex, nofollow');
  },
);
