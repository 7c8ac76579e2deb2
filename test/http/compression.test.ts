import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ask } from '../support/ask.ts';
import { serve } from '../support/server.ts';

/** A service with enough books for their list to be compressed. */
async function serveBooks() {
  const server = await serve();
  for (let i = 0; i < 20; i++)
    await ask(server, 'POST', '/api/livres', {
      body: { titre: `Un titre assez long, le numéro ${String(i)}`, format: 'Physique' },
    });
  return server;
}

const DECODERS = {
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
};

test('a larger answer comes as is accepted', async () => {
  const server = await serveBooks();
  const plain = await ask(server, 'GET', '/api/livres');
  expect(plain.json()).toHaveLength(20);
  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['compress', undefined],
    ['', undefined],
  ] as const) {
    const { headers, bytes } = await ask(server, 'GET', '/api/livres', {
      headers: { 'Accept-Encoding': accepted },
    });
    expect([accepted, headers['content-encoding']]).toEqual([accepted, encoding]);
    expect(headers['vary']?.toLowerCase(), accepted).toContain('accept-encoding');
    const decoded = encoding === undefined ? bytes : DECODERS[encoding](bytes);
    expect(decoded.toString('utf8'), accepted).toBe(plain.text);
    const most = encoding === undefined ? plain.bytes.length : plain.bytes.length / 2;
    expect(bytes.length, accepted).toBeLessThanOrEqual(most);
  }
});

test('a small answer is not worth it', async () => {
  const server = await serve();
  const headers = { 'Accept-Encoding': 'gzip' };
  const answer = await ask(server, 'GET', '/api/moi', { headers });
  expect(answer.headers['content-encoding']).toBeUndefined();
});

test('HEAD returns GET’s headers without a body', async () => {
  const server = await serveBooks();
  const headers = { 'Accept-Encoding': 'gzip' };
  const get = await ask(server, 'GET', '/api/livres', { headers });
  const head = await ask(server, 'HEAD', '/api/livres', { headers });
  expect(head.text).toBe('');
  for (const name of [
    'content-encoding',
    'content-length',
    'vary',
    'content-type',
    'x-total-count',
    'cache-control',
  ])
    expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
});

test('a record has one tag, however it is compressed', async () => {
  const server = await serve();
  const body = { titre: 'Cycle', places: Array.from({ length: 40 }, () => ({ titre: 'Un tome' })) };
  const { headers } = await ask(server, 'POST', '/api/series', { body });
  for (const encoding of ['gzip', 'br', 'identity']) {
    const answer = await ask(server, 'GET', '/api/series/1', {
      headers: { 'Accept-Encoding': encoding },
    });
    expect(answer.headers['etag']).toBe(headers['etag']);
    const known = await ask(server, 'GET', '/api/series/1', {
      headers: { 'Accept-Encoding': encoding, 'If-None-Match': headers['etag'] ?? '' },
    });
    expect([known.status, known.headers['content-encoding']]).toEqual([304, undefined]);
    expect(known.headers['vary']).toContain('accept-encoding');
  }
});

test('a kept answer is compressed as each repetition asks', async () => {
  const server = await serve();
  const body = { titre: 'Cycle', places: Array.from({ length: 40 }, () => ({ titre: 'Un tome' })) };
  const post = (encoding: string) =>
    ask(server, 'POST', '/api/series', {
      body,
      headers: { 'Idempotency-Key': 'k', 'Accept-Encoding': encoding },
    });
  const first = await post('br');
  expect(first.headers['content-encoding']).toBe('br');
  const again = await post('identity');
  expect(brotliDecompressSync(first.bytes).toString('utf8')).toBe(again.text);
});

test('the event stream is never compressed', async () => {
  const server = await serve();
  const answer = await fetch(`${server.url}/api/replication/evenements`, {
    headers: { 'Accept-Encoding': 'gzip, br, zstd' },
  });
  expect(answer.headers.get('content-encoding')).toBeNull();
  await answer.body?.cancel();
});

test('a compressed body of a request is refused', async () => {
  const server = await serve();
  const answer = await ask(server, 'POST', '/api/livres', {
    body: { titre: 'Un titre', format: 'Physique' },
    headers: { 'Content-Encoding': 'gzip' },
  });
  expect(answer.status).toBeLessThan(500);
});
