// @module-tag process
import { hostname as osHostname, networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { Authenticator } from '../support/authenticator.ts';
import { certificate } from '../support/certificate.ts';
import { CLIENT, openProvider, visit } from '../support/oidc-provider.ts';
import { ServerProcess } from '../support/process.ts';
import { askForOne, ORIGIN, THERE } from './passkey-support.ts';
import { Browser, jetonOf, keyOf, PASSWORD } from './support.ts';

test.each([
  ['the certificate’s name', true],
  ['the machine’s address', false],
])('an invitation on every address of a machine has %s', async (_, hasCertificate) => {
  const { certPath, keyPath } = certificate();
  const pair = hasCertificate ? { TLS_CERT: certPath, TLS_KEY: keyPath } : {};
  const server = new ServerProcess({ ACCOUNTS: 'oui', HOST: '0.0.0.0', ...pair });
  const { hostname } = new URL(await server.said(/http\S+invitation#\S+(?=\n)/));
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const wanted = hasCertificate
    ? ['localhost']
    : own.filter(({ internal }) => !internal).map(({ address }) => address);
  expect(wanted.length > 0 ? wanted : [osHostname()]).toContain(hostname);
});

test('the log holds nothing secret of accounts', async () => {
  const server = new ServerProcess({ ACCOUNTS: 'oui', LOG_LEVEL: 'trace', BASE_PATH: '/biblio' });
  const url = await server.url();
  const claire = new Browser(url);
  const wrong = 'pas la bonne phrase';
  await claire.signIn('claire', wrong);
  const link = await server.said(/http\S+invitation#\S+(?=\n)/);
  expect(link.startsWith(`${url}/invitation#`)).toBe(true);
  const jeton = link.split('#')[1] ?? '';
  const arrival = { jeton, nom: 'Claire', motDePasse: PASSWORD };
  expect((await claire.ask('POST', '/api/connexion/arrivee', arrival)).status).toBe(201);
  const secrets = [
    PASSWORD,
    wrong,
    jetonOf(await claire.ask('POST', '/api/invitations', { nom: 'Luc' })),
    await keyOf(claire, true),
  ];
  secrets.push(claire.cookie.split('=')[1] ?? '');
  await claire.ask('PUT', '/api/moi/code', { code: '48151623' });
  await claire.ask('PUT', '/api/connexion/lecteur', { membreId: 1, code: '99999999' });
  const { stdout, stderr } = await server.end('SIGTERM');
  for (const secret of [...secrets, '48151623', '99999999'])
    expect(stdout + stderr).not.toContain(secret);
  expect((stdout + stderr).split(jeton)).toHaveLength(2);
});

test('the log holds nothing secret of passkeys or providers', async () => {
  const provider = await openProvider([`${ORIGIN}/connexion/retour`]);
  provider.people.set('1', { preferred_username: 'claire' });
  provider.signsIn = '1';
  const secrets: string[] = [];
  const open = async (secret: string) => {
    const server = new ServerProcess({
      ACCOUNTS: 'oui',
      LOG_LEVEL: 'trace',
      ALLOWED_HOSTS: '*',
      OIDC_ALLOWED: 'claire',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: secret,
    });
    const claire = new Browser(await server.url());
    const ask = (path: string, body?: object) => claire.ask('POST', path, body, THERE);
    const begun = await ask('/api/connexion/fournisseur', { retour: '/' });
    const { adresse } = begun.body as { adresse: string };
    const query = await visit(adresse);
    const { status } = await ask('/api/connexion/fournisseur/retour', { query });
    const asked = [...new URL(adresse).searchParams, ...new URLSearchParams(query)];
    for (const [name, value] of asked)
      if (['state', 'nonce', 'code', 'code_challenge'].includes(name)) secrets.push(value);
    const cookies = claire.headers()['Cookie']?.split('; ') ?? [];
    secrets.push(secret, ...cookies.map((cookie) => cookie.split('=')[1] ?? ''));
    return { server, claire, status };
  };
  const { server, claire, status } = await open(CLIENT.secret);
  expect(status).toBe(200);
  const options = await askForOne(claire);
  const response = new Authenticator(ORIGIN).make(options);
  await claire.ask('POST', '/api/moi/cles-acces', { nom: 'Clé', cleAcces: response }, THERE);
  secrets.push(options.challenge, options.user.id, response.id);
  const wrong = await open('pas le bon secret');
  expect(wrong.status).toBe(401);
  const ends = [await server.end('SIGTERM'), await wrong.server.end('SIGTERM')];
  const log = ends.map(({ stdout, stderr }) => stdout + stderr).join();
  for (const secret of atLeastOne(secrets)) expect(log).not.toContain(secret);
  expect(log).toContain('invalid_client');
});

/** Nothing listens there: a test that asks for a free port is given a higher one. */
const CLOSED = 'http://127.0.0.1:1';

test('the log says why a provider does not answer', async () => {
  const server = new ServerProcess({
    ACCOUNTS: 'oui',
    ALLOWED_HOSTS: '*',
    OIDC_ALLOWED: 'claire',
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_ISSUER: CLOSED,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  });
  const claire = new Browser(await server.url());
  for (let tries = 0; tries < 3; tries++)
    expect(
      await claire.ask('POST', '/api/connexion/fournisseur', { retour: '/' }, THERE),
    ).toMatchObject({ status: 502 });
  const { stdout, stderr } = await server.end('SIGTERM');
  const failures = (stdout + stderr).split('\n').filter((line) => line.includes('ECONNREFUSED'));
  expect(failures).toHaveLength(3);
  expect(failures.map((line) => line.includes('"stack"'))).toEqual([true, false, false]);
  expect(stdout + stderr).not.toContain(CLIENT.secret);
});
