import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtClient, SHELL } from '../support/client.ts';
import { send, serve } from '../support/server.ts';

const hash = (script: string) => createHash('sha256').update(script).digest('base64');

/** A page as SvelteKit writes it. */
const pageAt = (base: string) => {
  const script = `{ x = { base: "${base}" }; import("${base}/_app/immutable/start.js") }`;
  const head = `<link href="${base}/_app/immutable/start.js" rel="modulepreload">`;
  return SHELL.replace('abc=', hash(script)).replace(
    '</head>',
    `${head}<script>${script}</script></head>`,
  );
};

async function serveAtBase() {
  const client = builtClient();
  for (const name of ['shell.html', 'shell.en.html']) writeFileSync(join(client, name), pageAt(''));
  const { url } = await serve({ BASE_PATH: '/maison/biblio/' }, client);
  return { url, origin: new URL(url).origin };
}

test('the page is served under its base, stripped or not', async () => {
  const { url, origin } = await serveAtBase();
  expect(url).toBe(`${origin}/maison/biblio`);
  for (const root of [url, origin]) {
    const page = await send(`${root}/livres/1`);
    expect(page.text).toBe(pageAt('/maison/biblio'));
    const policy = /content="([^"]*)"/.exec(page.text)?.[1] ?? '';
    expect(page.headers['content-security-policy']).toBe(`${policy}; frame-ancestors 'none'`);
    const accepts = { headers: ['Accept-Encoding', 'br'] };
    const file = await send(`${root}/_app/immutable/entry.[hash].js`, accepts);
    expect([file.status, file.headers['content-encoding']]).toEqual([200, 'br']);
    const { etag = '' } = file.headers;
    const again = { headers: ['Accept-Encoding', 'br', 'If-None-Match', etag] };
    expect((await send(`${root}/_app/immutable/entry.[hash].js`, again)).status).toBe(304);
    expect((await send(`${root}/api/sante`)).status).toBe(200);
    expect((await send(`${root}/api/rien`)).status).toBe(404);
  }
});

test('a base without its slash redirects to the full base', async () => {
  const { url } = await serveAtBase();
  const { status, headers } = await send(`${url}?x=1`);
  expect([status, headers['location']]).toEqual([302, '/maison/biblio/?x=1']);
});

test('a Location names the base at each repetition', async () => {
  const { url } = await serveAtBase();
  const headers = ['Content-Type', 'application/json', 'Idempotency-Key', 'k'];
  const body = JSON.stringify({ titre: 'Désert', format: 'Physique' });
  const ask = () => send(`${url}/api/livres`, { method: 'POST', headers, body });
  for (const answer of [await ask(), await ask()])
    expect([answer.status, answer.headers['location']]).toEqual([
      201,
      '/maison/biblio/api/livres/1',
    ]);
});
