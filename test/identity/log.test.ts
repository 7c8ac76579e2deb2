// @module-tag process
import { expect, test } from 'vitest';
import { ServerProcess } from '../support/process.ts';
import { Browser, jetonOf, PASSWORD } from './support.ts';

test('the first link stands on the terminal, and nothing secret in the log', async () => {
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
    jetonOf(await claire.ask('POST', '/api/cles', { nom: 'Script', ecrit: true })),
  ];
  secrets.push(claire.cookie.split('=')[1] ?? '');
  await claire.ask('PUT', '/api/moi/code', { code: '48151623' });
  await claire.ask('PUT', '/api/connexion/lecteur', { membreId: 1, code: '99999999' });
  const { stdout, stderr } = await server.end('SIGTERM');
  for (const secret of [...secrets, '48151623', '99999999'])
    expect(stdout + stderr).not.toContain(secret);
  expect((stdout + stderr).split(jeton)).toHaveLength(2);
});
