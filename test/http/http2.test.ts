// @module-tag process
import { once } from 'node:events';
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { HEARTBEAT } from '#shared/replication';
import { certificate } from '../support/certificate.ts';
import { ServerProcess } from '../support/process.ts';
import { send } from '../support/server.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** A service with its own certificate, and an HTTP/2 connection to it. */
async function connected() {
  const { certPath, keyPath, cert } = certificate();
  const server = new ServerProcess({ TLS_CERT: certPath, TLS_KEY: keyPath });
  const url = await server.url();
  const session = connect(url, { ca: cert });
  onTestFinished(() => session.destroy());
  await once(session, 'connect');
  return { server, url, cert, session };
}

async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string) {
  const request = session.request(headers);
  if (body !== undefined) request.write(body);
  request.end();
  const answered = once(request, 'response');
  let text = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const [answer] = (await answered) as [Record<string, string | number>];
  await once(request, 'end');
  return { status: answer[':status'], headers: answer, text };
}

const moi = (session: ClientHttp2Session, headers: OutgoingHttpHeaders) =>
  ask(session, { ':path': '/api/moi', ...headers });

test('the service’s own TLS answers over HTTP/2', async () => {
  const { session, url, cert } = await connected();
  expect(session.alpnProtocol).toBe('h2');
  const alice = await moi(session, { SSO_USER: 'alice' });
  expect(JSON.parse(alice.text)).toMatchObject({ utilisateur: 'alice' });
  const twice = await moi(session, { SSO_USER: ['alice', 'bob'] });
  expect(JSON.parse(twice.text)).toMatchObject({ utilisateur: null });

  const livre = JSON.stringify({ titre: 'Désert', format: 'Physique' });
  const post = { ':method': 'POST', ':path': '/api/livres', ...JSON_TYPE };
  expect((await ask(session, { ...post, origin: 'https://ailleurs.example' }, livre)).status).toBe(
    403,
  );
  expect((await ask(session, { ...post, origin: url }, livre)).status).toBe(201);
  const missing = await ask(session, { ':path': '/api/livres/9' });
  expect([missing.status, JSON.parse(missing.text)]).toMatchObject([404, { code: 'INTROUVABLE' }]);
  const list = await ask(session, { ':path': '/api/livres', 'accept-encoding': 'gzip' });
  expect(list.status).toBe(200);
  // The same port also speaks HTTP/1.1.
  expect((await send(`${url}/api/sante`, { ca: cert })).status).toBe(200);
});

test('a change is announced at once over HTTP/2', async () => {
  const { server, session } = await connected();
  const stream = session.request({ ':path': '/api/replication/evenements' });
  onTestFinished(() => void stream.destroy());
  const [first] = (await once(stream.setEncoding('utf8'), 'data')) as [string];
  expect(first).toContain(HEARTBEAT);
  const next = once(stream, 'data');
  const post = { ':method': 'POST', ':path': '/api/revues', ...JSON_TYPE };
  expect((await ask(session, post, JSON.stringify({ titre: 'La Hulotte' }))).status).toBe(201);
  const [announcement] = (await next) as [string];
  expect(announcement).toContain('event: revision');
  // A request whose body never arrives must not block the shutdown.
  session.request({ ...post, 'content-length': '99' }).on('error', () => undefined);
  const closed = once(session, 'close');
  expect((await server.end('SIGTERM')).code).toBe(0);
  await closed;
});

test('malformed HTTP gets a response over TLS, too', async () => {
  const { url, cert } = await connected();
  const { port } = new URL(url);
  const line = connectTls({ port: Number(port), host: '127.0.0.1', ca: cert });
  onTestFinished(() => void line.destroy());
  line.write('POST /api/livres HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n');
  expect(await text(line)).toMatch(/^HTTP\/1\.1 400 [^]*"code":"REQUETE_INVALIDE"/);
});
