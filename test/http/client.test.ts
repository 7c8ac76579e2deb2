import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { builtClient, POLICY, SHELL } from '../support/client.ts';
import { send, serve } from '../support/server.ts';

test('the source of the service lies beside the page', async () => {
  const folder = builtClient();
  writeFileSync(join(folder, 'source.tar.gz'), gzipSync('a source'));
  const { url } = await serve({}, folder);
  const { status, headers } = await send(`${url}/source.tar.gz`);
  expect([status, headers['content-type']]).toEqual([200, 'application/gzip']);
});

test('a part or a version that a file does not have is refused as such', async () => {
  const folder = builtClient();
  writeFileSync(join(folder, 'source.tar.gz'), gzipSync('a source'));
  const { url } = await serve({}, folder);
  const ask = (...headers: string[]) => send(`${url}/source.tar.gz`, { headers });
  const { headers, bytes } = await ask();
  const beyond = await ask('Range', 'bytes=999999-');
  expect([beyond.status, beyond.json()]).toMatchObject([416, { code: 'PLAGE_IMPOSSIBLE' }]);
  expect(beyond.headers['content-range']).toBe(`bytes */${String(bytes.length)}`);
  const other = await ask('If-Match', '"another"');
  expect([other.status, other.json()]).toMatchObject([412, { code: 'FICHIER_CHANGE' }]);
  const part = await ask('Range', 'bytes=0-3', 'If-Match', String(headers['etag']));
  expect([part.status, part.bytes]).toEqual([206, bytes.subarray(0, 4)]);
});

test('an address of a screen is answered with the page', async () => {
  const { url } = await serve({}, builtClient());
  for (const path of [
    '/',
    '/livres/1',
    '/livres/1.2',
    '/auteurs/J.R.R.',
    '/shell.html',
    '/api',
    '/a-propos?x=1',
    '/%C3%A9t%C3%A9',
  ]) {
    const { status, headers, text } = await send(url + path);
    expect([path, status, text]).toEqual([path, 200, SHELL]);
    expect(headers, path).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['permissions-policy'], path).toContain('camera=(self)');
  }
});

test('files of the build are served, others are a 404', async () => {
  const { url } = await serve({}, builtClient());
  for (const [method, path, expected] of [
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
  ] as const)
    expect((await send(url + path, { method })).status, `${method} ${path}`).toBe(expected);
});

test('a file comes with its type and its age', async () => {
  const { url } = await serve({}, builtClient());
  for (const [path, age, type] of [
    [
      '/_app/immutable/entry.[hash].js',
      'public, max-age=31536000, immutable',
      'application/javascript; charset=utf-8',
    ],
    ['/_app/version.json', 'no-cache', 'application/json; charset=utf-8'],
    ['/service-worker.js', 'no-cache', 'application/javascript; charset=utf-8'],
    ['/manifest.webmanifest', 'no-cache', 'application/manifest+json'],
  ] as const) {
    const { status, headers } = await send(url + path);
    expect(status, path).toBe(200);
    expect(headers, path).toMatchObject({
      'cache-control': age,
      'content-type': type,
      'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
    });
  }
});

test('a file comes in the encoding that its reader accepts', async () => {
  const { url } = await serve({}, builtClient());
  for (const [path, accepted, encoding] of [
    ['/livres', 'br', 'br'],
    ['/livres', 'gzip, deflate, br, zstd', 'br'],
    ['/livres', 'gzip', 'gzip'],
    ['/livres', 'br;q=0, gzip;q=0.5', 'gzip'],
    ['/livres', 'identity', undefined],
    ['/service-worker.js', 'br', 'br'],
    ['/service-worker.js', 'gzip', 'gzip'],
  ] as const) {
    const { headers } = await send(url + path, { headers: ['Accept-Encoding', accepted] });
    expect(headers['content-encoding'], `${path} ${accepted}`).toBe(encoding);
    expect(headers['vary']?.toLowerCase(), `${path} ${accepted}`).toContain('accept-encoding');
  }
});

test('the compressed page is the page itself', async () => {
  const { url } = await serve({}, builtClient());
  for (const encoding of ['br', 'gzip']) {
    const page = await fetch(`${url}/x`, { headers: { 'Accept-Encoding': encoding } });
    expect(await page.text(), encoding).toBe(SHELL);
  }
});

test('no address leads out of the build', async () => {
  const { url } = await serve({}, builtClient());
  for (const path of [
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/_app/..%5c..%5cpackage.json',
    '//etc/passwd',
  ])
    expect((await send(url + path)).text, path).not.toMatch(/"name"|root:/);
});

const name = 'Chez « Anne & Luc » <$&>';

test('the page bears the name of the library', async () => {
  const { url } = await serve({ LIBRARY_NAME: name }, builtClient());
  const written = 'Chez « Anne &amp; Luc » &lt;$&amp;&gt;';
  for (const encoding of ['br', 'gzip', 'identity']) {
    const page = await fetch(`${url}/livres`, { headers: { 'Accept-Encoding': encoding } });
    const text = await page.text();
    expect(text).toBe(SHELL.replaceAll('Rayonnage', () => written));
  }
});

test('the installed application bears the name of the library', async () => {
  const { url } = await serve({ LIBRARY_NAME: name }, builtClient());
  const { text } = await send(`${url}/manifest.webmanifest`);
  expect(JSON.parse(text)).toMatchObject({ id: '/', name, short_name: name });
});

test('without a build, a clear message', async () => {
  const { url } = await serve();
  const { status, text } = await send(`${url}/`);
  expect(status).toBe(503);
  expect(text).toContain('npm run build');
  expect((await send(`${url}/api/sante`)).status).toBe(200);
});

test('every search engine is kept out', async () => {
  const { url } = await serve({}, builtClient());
  for (const [method, body] of [
    ['GET', 'User-agent: *\nDisallow: /\n'],
    ['HEAD', ''],
  ] as const) {
    const { status, headers, text } = await send(`${url}/robots.txt?x`, { method });
    expect([status, headers['content-type']], method).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text, method).toBe(body);
  }
  for (const path of [
    '/',
    '/livres/1',
    '/api/livres',
    '/api/rien',
    '/robots.txt',
    '/_app/version.json',
  ])
    expect((await send(url + path)).headers['x-robots-tag'], path).toBe('noindex, nofollow');
});
