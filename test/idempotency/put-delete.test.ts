import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ask } from '../support/ask.ts';
import { serve, type RunningServer } from '../support/server.ts';

const livre = { titre: 'La mer', format: 'Physique' };

const add = (server: RunningServer) => ask(server, 'POST', '/api/livres', { body: livre });

const keyed = (key: string) => ({ 'X-Write-Key': key });
const put = (server: RunningServer, key: string, titre: string, ifMatch?: string) =>
  ask(server, 'PUT', '/api/livres/1', {
    body: { ...livre, titre },
    headers: { ...keyed(key), ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }) },
  });
const acts = async (server: RunningServer) =>
  (JSON.parse((await ask(server, 'GET', '/api/modifications')).text) as unknown[]).length;

test('a repeated PUT or DELETE is done and answered once', async () => {
  const server = await serve();
  const added = await add(server);
  const first = await put(server, 'k2', 'Un', String(added.headers['etag']));
  expect([first.status, first.headers['x-modification']]).toEqual([200, '2']);
  await put(server, 'k3', 'Deux');
  const again = await put(server, 'k2', 'Un', String(added.headers['etag']));
  expect([again.status, again.text]).toEqual([200, first.text]);
  for (const name of ['x-modification', 'x-revision', 'etag', 'cache-control'])
    expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect((await ask(server, 'GET', '/api/livres/1')).json()['titre']).toBe('Deux');

  const remove = () => ask(server, 'DELETE', '/api/livres/1', { headers: keyed('k4') });
  const removed = await remove();
  expect([removed.status, removed.headers['x-modification']]).toEqual([204, '4']);
  const gone = await remove();
  expect([gone.status, gone.text]).toEqual([204, '']);
  expect(gone.headers['x-modification']).toBe('4');
  expect(await acts(server)).toBe(4);
});

test('another request under its key is refused', async () => {
  const server = await serve();
  await add(server);
  await put(server, 'k2', 'Un');
  const other = await put(server, 'k2', 'Deux');
  expect([other.status, other.json()['code']]).toEqual([422, 'CLE_REUTILISEE']);
  expect((await put(server, 'a b', 'Trois')).status).toBe(400);
});

test('a request cut after its commit can safely be repeated', async () => {
  const server = await serve();
  await add(server);
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ ...livre, titre: 'Un' });
  const head = [
    'PUT /api/livres/1 HTTP/1.1',
    'Host: localhost',
    'SSO_USER: alice',
    'Content-Type: application/json',
    'X-Write-Key: k2',
    `Content-Length: ${String(body.length)}`,
  ];
  const socket = connect(Number(port), hostname);
  server.context.database.onCommit(() => socket.destroy());
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  await new Promise((resolve) => socket.once('close', resolve));
  const again = await put(server, 'k2', 'Un');
  expect([again.status, again.headers['x-modification']]).toEqual([200, '2']);
  const undone = await ask(server, 'POST', '/api/modifications/2/annulation');
  expect(undone.status).toBe(201);
  expect((await ask(server, 'GET', '/api/livres/1')).json()['titre']).toBe('La mer');
});
