// @module-tag process
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '#server/config';
import { Service } from '#server/service';
import { atLeastOne } from '../support/at-least-one.ts';
import { temporaryFolder } from '../support/database.ts';
import { certificate } from '../support/certificate.ts';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/process.ts';
import { send } from '../support/server.ts';

test('the service prints address and backups, and ends with 0', async () => {
  const server = new ServerProcess({ SIMULATED_USER: 'Élodie' });
  const url = await server.url();
  expect((await send(`${url}/api/moi`)).json()['utilisateur']).toBe('Élodie');
  const { code, stdout, stderr } = await server.end('SIGINT');
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `Rayonnage est ouvert : ${url}\nUne sauvegarde chaque nuit dans data/sauvegardes, sur ce disque seulement (BACKUP_PATH).\nBase neuve créée : data/bibliotheque.sqlite\n`,
    stderr: '',
  });
});

test('the first lines and a refused setting are English to an English operator', async () => {
  const english = { LANG: 'en_GB.UTF-8' };
  const server = new ServerProcess(english);
  const url = await server.url();
  // The request's language is independent of the process's.
  const { message } = (await send(`${url}/api/livres/99`)).json();
  expect(message).toMatch(/^(?:Ce|Cette|Il) /);
  const { stdout } = await server.end('SIGINT');
  expect(stdout).toBe(
    `Rayonnage is open: ${url}\nA backup every night in data/sauvegardes, on this disk alone (BACKUP_PATH).\nNew database made: data/bibliotheque.sqlite\n`,
  );
  const refused = await new ServerProcess({ ...english, PORT: 'abc' }).ended;
  expect(refused.stderr).toBe('Setting PORT: “abc” is not a whole number from 0 to 65535.\n');
});

const rightsOf = (path: string): number => statSync(path).mode & 0o777;

const folder = (name: string, text: string | null) => () => {
  const path = join(temporaryFolder(), name);
  if (text === null) mkdirSync(path);
  else writeFileSync(path, text);
  return path;
};

test.each<[string, Record<string, string | (() => string)>]>([
  ['PORT', { PORT: 'abc' }],
  ['HOST', { HOST: '192.0.2.1' }],
  ['SIMULATED_USER', { SIMULATED_USER: 'a', NODE_ENV: 'production' }],
  ['SIMULATED_USER', { SIMULATED_USER: 'a', HOST: '0.0.0.0' }],
  ['TLS_CERT', { TLS_CERT: 'rien.pem', TLS_KEY: 'rien.pem' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'a\nb' }],
  ['DATABASE_PATH', { DATABASE_PATH: '/dev/null/base.sqlite' }],
  ['DATABASE_PATH', { DATABASE_PATH: '/proc/nope/deeper/base.sqlite' }],
  [
    'DATABASE_PATH',
    { DATABASE_PATH: folder('base.sqlite', 'ceci n’est pas une base'.repeat(100)) },
  ],
  ['DATABASE_PATH', { DATABASE_PATH: folder('dossier', null) }],
])('a failed start prints one line with %s and exits with 1: %j', async (name, settings) => {
  const values = Object.entries(settings).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : value(),
  ]);
  const { code, stdout, stderr } = await new ServerProcess(
    Object.fromEntries(values) as Record<string, string>,
  ).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd()).not.toContain('\n');
  expect(stderr).toContain(name);
});

test('the service’s files are open to its own account alone', async () => {
  const data = join(temporaryFolder(), 'data');
  const path = join(data, 'bibliotheque.sqlite');
  const server = new ServerProcess({ DATABASE_PATH: path, BACKUP_PATH: join(data, 'sauvegardes') });
  await server.url();
  for (const name of atLeastOne(readdirSync(data, { recursive: true, encoding: 'utf8' })))
    expect([name, rightsOf(join(data, name)) & 0o077]).toEqual([name, 0]);
  expect([rightsOf(data), rightsOf(path)]).toEqual([0o700, 0o600]);
});

test('a signal ends a service still opening its database', async () => {
  const path = join(temporaryFolder(), 'base.sqlite');
  const other = new Sqlite(path);
  onTestFinished(() => void other.close());
  other.exec('CREATE TABLE Livre (id INTEGER); PRAGMA user_version = 1; BEGIN EXCLUSIVE');
  const server = new ServerProcess({ DATABASE_PATH: path });
  // The lock file is created first; then the process waits for the database, blocking its event loop.
  await eventually(() => existsSync(`${path}.lock`)).toBe(true);
  const { code, stderr } = await server.end('SIGTERM');
  expect({ code, stderr }).toEqual({ code: null, stderr: '' });
});

test('a port in use is one clear line', async () => {
  const { port } = new URL(await new ServerProcess().url());
  const { code, stderr } = await new ServerProcess({ PORT: port }).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^Réglage PORT : le port ${port} est déjà pris .+\\n$`));
});

test('with a certificate it serves HTTPS', async () => {
  const { certPath, keyPath, cert } = certificate();
  const server = new ServerProcess({ TLS_CERT: certPath, TLS_KEY: keyPath });
  const url = await server.url();
  expect(url).toMatch(/^https:/);
  expect((await send(`${url}/api/sante`, { ca: cert })).json()).toMatchObject({ etat: 'ok' });
  // Plain HTTP, or a connection aborted during the handshake, does not crash the service.
  const plain = await send(`${url.replace('https', 'http')}/api/sante`);
  expect([plain.status, plain.json()]).toMatchObject([426, { code: 'HTTPS_ATTENDU' }]);
  const rude = connect(Number(new URL(url).port), '127.0.0.1').resume();
  rude.end('\x16\x03\x01');
  await once(rude, 'close');
  const livre = await send(`${url}/api/livres`, {
    ca: cert,
    method: 'POST',
    headers: ['Content-Type', 'application/json', 'Origin', url],
    body: JSON.stringify({ titre: 'Un titre', format: 'Physique' }),
  });
  expect(livre.status).toBe(201);
  expect((await server.end('SIGTERM')).code).toBe(0);
});

test('requests under way are answered when the service ends', async () => {
  const server = new ServerProcess();
  const url = await server.url();
  const { port } = new URL(url);

  const stream = await fetch(`${url}/api/replication/evenements`);
  const streamEnds = stream.text();
  const idle = connect(Number(port), '127.0.0.1');
  idle
    .resume()
    .on('error', () => undefined)
    .write('GET /api/sante HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await new Promise((resolve) => idle.once('data', resolve));
  const half = connect(Number(port), '127.0.0.1');
  half
    .resume()
    .on('error', () => undefined)
    .write('GET /api/sante HTTP/1.1\r\nHo');

  const body = JSON.stringify({ titre: 'Un titre', format: 'Physique' });
  const late = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/livres',
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    late.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  late.write(body.slice(0, 10));
  // Once the server answers a later request, it has received the earlier one's headers.
  await send(`${url}/api/sante`);

  const ended = server.end('SIGTERM');
  await streamEnds;
  late.end(body.slice(10));
  expect(await answered).toBe(201);
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  idle.destroy();
  half.destroy();
});

test('a signal ends the service with 0 however long a request takes', async () => {
  const server = new ServerProcess();
  const url = await server.url();
  const line = connect(Number(new URL(url).port), '127.0.0.1').resume();
  onTestFinished(() => void line.destroy());
  line
    .on('error', () => undefined)
    .write(
      'POST /api/livres HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    );
  await send(`${url}/api/sante`);
  const { code, stderr } = await server.end('SIGINT');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('three seconds after a signal the lines that are left are cut', async () => {
  const databasePath = join(temporaryFolder(), 'base.sqlite');
  const settings = { DATABASE_PATH: databasePath, BACKUP_PATH: 'non', LOG_LEVEL: 'silent' };
  const service = new Service(readConfig({ ...settings, PORT: '0' }), (error) => {
    throw error;
  });
  await service.listen();
  const line = connect(Number(new URL(service.url).port), '127.0.0.1').resume();
  onTestFinished(() => void line.destroy());
  line.on('error', () => undefined);
  const cut = once(line, 'close');
  line.write(
    'POST /api/livres HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  );
  await send(`${service.url}/api/sante`);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closed = service.close();
  vi.advanceTimersByTime(2_999);
  expect(line.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  await cut;
  await closed;
});

test('clients that hang up anywhere do not bring it down', async () => {
  const server = new ServerProcess();
  const url = await server.url();
  const starts = [
    'GET /api/replication/evenements HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /api/livres HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50),
    'POST /api/livres HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    'POST /api/livres HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz',
    'GET / HT',
    '\x16\x03\x01',
  ];
  await Promise.all(
    starts.flatMap((start) =>
      ['end', 'reset'].map(async (way) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1').resume();
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        await new Promise((written) => socket.write(start, written));
        await send(`${url}/api/sante`);
        if (way === 'end') socket.end();
        else socket.resetAndDestroy();
      }),
    ),
  );
  expect((await send(`${url}/api/sante`)).status).toBe(200);
  const { code, stderr } = await server.end('SIGTERM');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
